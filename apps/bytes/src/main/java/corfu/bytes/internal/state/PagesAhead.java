package corfu.bytes.internal.state;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import java.util.ArrayList;
import java.util.List;

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
    addRanges(state, next, ranges);
    behind.forEach(head -> addRanges(state, head, ranges));
    state.extents().prefetch(ranges);
  }

  /** Loads the pages that these records need, which are next. */
  public static void prepare(BytesState state, List<BytesRecord> next) {
    List<Extent> ranges = new ArrayList<>();
    next.forEach(record -> addRanges(state, record, ranges));
    state.extents().prefetch(ranges);
  }

  private static void addRanges(BytesState state, HeadRead.Head head, List<Extent> ranges) {
    try {
      RecordCodec.Decoded decoded =
          RecordCodec.decodeHead(head.address(), head.bytes(), head.payloadBytes());
      addRanges(state, decoded.record(), ranges);
    } catch (DamagedRecordException later) {
      // it is reported in its turn
    }
  }

  private static void addRanges(BytesState state, BytesRecord record, List<Extent> ranges) {
    switch (record) {
      case BytesRecord.Write(long offset, long position, long length) ->
          add(offset, length, ranges);
      case BytesRecord.Append(long position, long length) -> add(state.size(), 1, ranges);
      case BytesRecord.Truncate(long size) -> add(size, 1, ranges);
      case BytesRecord.Punch(long offset, long length) -> add(offset, length, ranges);
      case BytesRecord.Copy copy -> add(copy.offset(), copy.length(), ranges);
      case BytesRecord.Batch batch -> batch.changes().forEach(change -> addRange(change, ranges));
      case BytesRecord.Clone clone -> {}
      case BytesRecord.Release release -> {}
      case BytesRecord.TakeOver taken -> {}
      case BytesRecord.GiveUp left -> {}
    }
  }

  private static void addRange(BytesRecord.BatchChange change, List<Extent> ranges) {
    switch (change) {
      case BytesRecord.Write(long offset, long position, long length) ->
          add(offset, length, ranges);
      case BytesRecord.Truncate(long size) -> add(size, 1, ranges);
      case BytesRecord.Punch(long offset, long length) -> add(offset, length, ranges);
      case BytesRecord.Move move -> add(move.offset(), move.length(), ranges);
    }
  }

  private static void add(long offset, long length, List<Extent> ranges) {
    if (length > 0) {
      ranges.add(new Extent(offset, length, 0, 0));
    }
  }
}
