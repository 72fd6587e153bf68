package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.Batch;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.segment.Purpose;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.Segments;
import java.nio.ByteBuffer;

/** Writes records of blocks' trimmed addresses, and counts which of these records are needed. */
final class TrimRecords {

  private final Store store;

  TrimRecords(Store store) {
    this.store = store;
  }

  /** Adds the block's record to the gathering batch. Returns false if there is no space. */
  boolean append(TrimmedSet.Block block) {
    Segments segments = store.segments();
    Batch batch = store.gathering();
    ByteBuffer bitmap = block.bitmap();
    long bytes = RecordFormat.sizeOf(bitmap.remaining());
    Segment segment =
        segments.roomFor(bytes, Purpose.KEEPING, batch, store.index().mark).orElse(null);
    if (segment == null) {
      return false;
    }
    long older = block.location;
    if (older != Location.NONE) {
      Segment before = segments.at(older);
      before.trimsDied();
      batch.onceDurable(() -> store.suspect(before));
    }
    batch.ifUndone(() -> takeBack(block, older));
    long offset = segment.end;
    batch.addRecord(segment, RecordFormat.TRIMS, block.base, bitmap);
    segment.content().addTrims(block.base, offset, bitmap);
    segment.holdsTrims(block);
    segment.trimsBorn();
    block.location = Location.of(segment.slot, offset, false);
    return true;
  }

  private void takeBack(TrimmedSet.Block block, long older) {
    if (store.index().trimmed.find(block.base) == block) {
      Segments segments = store.segments();
      segments.at(block.location).trimsDied();
      block.location = older;
      if (older != Location.NONE) {
        segments.at(older).trimsBorn();
      }
    } // otherwise the mark has passed it
  }
}
