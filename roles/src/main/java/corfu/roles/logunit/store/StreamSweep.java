package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.StreamIndex;
import corfu.roles.logunit.streamindex.StreamRecords;
import corfu.roles.logunit.task.Maintenance;
import java.util.Optional;

/**
 * Removes trimmed entries from the stream index. It examines every entry of every stream in small
 * steps. It runs so rarely that it costs one or two lookups for each trimmed or written entry. A
 * stream's newest entry stays.
 */
final class StreamSweep implements Maintenance.Chore {

  private static final int WORTH_IT = 4096;

  /** The approximate number of entries in one step: some milliseconds at worst. */
  private static final int STEP_ENTRIES = 16 << 10;

  private final AddressSpace space;
  private final AddressIndex index;
  private final StreamIndex streams;
  private boolean running;
  private int part;
  private int slot;
  private long below;
  private long trimmedBefore; // of the examined stream
  private int looked;
  private long survivors; // of the last sweep

  StreamSweep(AddressSpace space) {
    this.space = space;
    this.index = space.index();
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

  /**
   * Returns whether half of the entries have been trimmed, or their number has doubled since the
   * last sweep.
   */
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
      } else if (slot >= streams.slotsOf(part)) { // the part may grow, which is harmless
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

  /**
   * Returns whether the stream may be purged. If its newest entry were undone, the one before would
   * be the stream's end again.
   */
  private boolean mayBePurged(int record) {
    long newest = streams.records().newest(record);
    return newest != StreamRecords.NO_ENTRY
        && space.unsettled(newest, index.find(newest)).isEmpty();
  }

  private boolean isNeeded(long address, long streamAddress) {
    looked++;
    if (streamAddress < trimmedBefore) {
      return false;
    }
    long found = index.find(address);
    if (found != AddressIndex.TRIMMED || space.unsettled(address, found).isPresent()) {
      return true;
    }
    streams.gone(address);
    return false;
  }
}
