package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.StreamIndex;
import corfu.roles.logunit.streamindex.StreamRecords;
import corfu.roles.logunit.task.Maintenance;
import java.util.Optional;

/**
 * Takes out of the stream index what has been trimmed: a look at every entry of every stream, a
 * little at a time, so seldom that it costs a look or two for each entry that is trimmed or
 * written. A stream's newest entry stays.
 */
final class StreamSweep implements Maintenance.Chore {

  private static final int WORTH_IT = 4096;

  /** What one step looks at, about: some milliseconds at worst. */
  private static final int STEP_ENTRIES = 16 << 10;

  private final Store store;
  private final AddressIndex index;
  private final StreamIndex streams;
  private boolean running;
  private int part;
  private int slot;
  private long below;
  private long trimmedBefore; // of the stream that is looked at
  private int looked;
  private long survivors; // of the last time

  StreamSweep(Store store, AddressIndex index) {
    this.store = store;
    this.index = index;
    this.streams = index.streams;
  }

  @Override
  public Optional<Maintenance.Step> next() {
    if (!running && isWorthIt()) {
      streams.swept();
      running = true;
      part = 0;
      slot = 0;
      below = Long.MAX_VALUE;
    }
    return running
        ? Optional.of(new Maintenance.Step(() -> {}, nothing -> go()))
        : Optional.empty();
  }

  /** Half as much has been trimmed as there is, or there is twice as much as the last time. */
  private boolean isWorthIt() {
    long size = streams.postings().size();
    return streams.dead() >= WORTH_IT
        && (streams.dead() > size / 2 || size > 2 * survivors + WORTH_IT);
  }

  private void go() {
    looked = 0;
    while (running && looked < STEP_ENTRIES) {
      if (part == StreamId.PARTS) {
        running = false;
        survivors = streams.postings().size();
      } else if (slot >= streams.slotsOf(part)) { // the part may have grown meanwhile; never mind
        part++;
        slot = 0;
      } else {
        purge(streams.recordAt(part, slot));
      }
    }
  }

  private void purge(int record) {
    looked++;
    if (record == Blocks.NONE || !mayBePurged(record)) {
      below = StreamRecords.NO_ENTRY;
    } else {
      trimmedBefore = streams.records().trimmedBefore(record);
      below = streams.postings().purge(record, below, this::isNeeded);
    }
    if (below == StreamRecords.NO_ENTRY) {
      slot++;
      below = Long.MAX_VALUE;
    }
  }

  /** If the newest entry came to nothing, the one before it would be the stream's end again. */
  private boolean mayBePurged(int record) {
    long newest = streams.records().newest(record);
    return newest != StreamRecords.NO_ENTRY
        && store.unsettled(newest, index.find(newest)).isEmpty();
  }

  private boolean isNeeded(long address, long streamAddress) {
    looked++;
    if (streamAddress < trimmedBefore) {
      return false;
    }
    long found = index.find(address);
    if (found != AddressIndex.TRIMMED || store.unsettled(address, found).isPresent()) {
      return true;
    }
    streams.gone(address);
    return false;
  }
}
