package corfu.roles.logunit.request;

import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamScan;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.membership.OwnPlaces;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.StreamIndex;

/**
 * Counts the stored entries of streams in the index, without a read of the disk: live entries times
 * the mean size of the stream's entries.
 */
public final class StreamUsageScan implements StreamScan {

  private final AddressIndex index;
  private final StreamIndex streams;
  private final OwnPlaces places;

  /** The next stream. */
  private int part;

  private int slot;

  /** The stream in progress, or {@link Blocks#NONE}, and the entries above this address of it. */
  private int current = Blocks.NONE;

  private StreamId stream = StreamId.NONE;
  private long below;
  private long live;
  private int left;

  public StreamUsageScan(AddressIndex index, OwnPlaces places) {
    this.index = index;
    this.streams = index.streams;
    this.places = places;
  }

  @Override
  public boolean next(int most, Visitor visitor) {
    left = most;
    while (left > 0) {
      if (part == StreamId.PARTS) {
        part = 0;
        return false;
      }
      left--;
      if (slot >= streams.slotsOf(part)) { // the part may grow meanwhile, which is harmless
        part++;
        slot = 0;
        current = Blocks.NONE;
      } else {
        examine(streams.recordAt(part, slot), visitor);
      }
    }
    return true;
  }

  private void examine(int record, Visitor visitor) {
    if (record == Blocks.NONE) {
      slot++;
      return;
    }
    StreamId found = streams.records().stream(record);
    if (record != current || !found.equals(stream)) {
      if (!visitor.wants(found, streams.owner(record))) {
        slot++;
        return;
      }
      current = record;
      stream = found;
      below = Long.MAX_VALUE;
      live = 0;
    }
    if (count(record)) {
      if (live > 0) {
        double bytes = Math.max(1, live * streams.meanBytes(record));
        visitor.stores(stream, streams.owner(record), (long) bytes);
      }
      current = Blocks.NONE;
      slot++;
    }
  }

  /** Continues to count the live entries of a stream. Returns whether all have been counted. */
  private boolean count(int record) {
    long trimmedBefore = streams.records().trimmedBefore(record);
    boolean[] isPaused = new boolean[1];
    streams
        .postings()
        .descend(
            record,
            below,
            Long.MAX_VALUE,
            (address, streamAddress) -> {
              if (streamAddress < trimmedBefore) {
                return false;
              }
              below = address;
              live += index.find(address) >= 0 && places.isHeadOf(address) ? 1 : 0;
              left--;
              isPaused[0] = left <= 0;
              return !isPaused[0];
            });
    return !isPaused[0];
  }
}
