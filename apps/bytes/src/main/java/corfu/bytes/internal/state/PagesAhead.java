package corfu.bytes.internal.state;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Loads the pages of a map that the next entries need, all together. Without it, each entry would
 * wait for pages of its own. For one thread, and one reader.
 */
public final class PagesAhead {

  private int prepared; // the number of next entries whose pages were loaded

  /** Loads pages, unless those for this entry were loaded with those for an earlier one. */
  public void prepare(BytesState state, HeadRead.Head next, HeadReader reader) {
    if (prepared > 0) {
      prepared--;
      return;
    }
    List<HeadRead.Head> behind = reader.fetched();
    prepared = behind.size();
    if (behind.isEmpty()) {
      return; // one entry loads its own pages together
    }
    List<Extent> ranges = new ArrayList<>(behind.size() + 1);
    range(state, next).ifPresent(ranges::add);
    behind.forEach(head -> range(state, head).ifPresent(ranges::add));
    state.extents().prefetch(ranges);
  }

  private static Optional<Extent> range(BytesState state, HeadRead.Head head) {
    try {
      return range(
          state, RecordCodec.decodeHead(head.address(), head.bytes(), head.payloadBytes()));
    } catch (DamagedRecordException later) {
      return Optional.empty(); // it is reported in its turn
    }
  }

  private static Optional<Extent> range(BytesState state, RecordCodec.Decoded entry) {
    return switch (entry.record()) {
      case BytesRecord.Write(long offset, long position, long length) -> range(offset, length);
      case BytesRecord.Append(long position, long length) -> range(state.size(), 1);
      case BytesRecord.Truncate(long size) -> range(size, 1);
      case BytesRecord.Punch(long offset, long length) -> range(offset, length);
      case BytesRecord.Copy copy -> range(copy.offset(), copy.length());
      case BytesRecord.Clone clone -> Optional.empty();
      case BytesRecord.Release release -> Optional.empty();
    };
  }

  private static Optional<Extent> range(long offset, long length) {
    return length < 1 ? Optional.empty() : Optional.of(new Extent(offset, length, 0, 0));
  }
}
