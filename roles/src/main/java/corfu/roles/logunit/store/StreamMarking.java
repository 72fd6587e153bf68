package corfu.roles.logunit.store;

import corfu.protocol.StreamId;
import corfu.roles.logunit.commit.Batch;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.segment.Purpose;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.Segments;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Writes records of streams' trims, and counts which of these records are needed. */
final class StreamMarking {

  private final Store store;

  StreamMarking(Store store) {
    this.store = store;
  }

  /** Adds the mark of a stream to the gathering batch. Returns false if there is no space. */
  boolean append(StreamId stream, long before) {
    ByteBuffer id = ByteBuffer.allocate(RecordFormat.STREAM_BYTES).order(ByteOrder.LITTLE_ENDIAN);
    id.putLong(stream.high()).putLong(stream.low()).flip();
    long bytes = RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);
    Batch batch = store.gathering();
    Segment segment =
        store.segments().roomFor(bytes, Purpose.KEEPING, batch, store.index().mark).orElse(null);
    if (segment == null) {
      return false;
    }
    long place = Location.of(segment.slot, segment.end, false);
    segment.content().streams().addMark(stream, before, segment.end);
    batch.addRecord(segment, RecordFormat.STREAM, before, id);
    batch.onceSettled(() -> marked(stream, before, place));
    return true;
  }

  private void marked(StreamId stream, long before, long place) {
    Segments segments = store.segments();
    segments.at(place).markBorn();
    long garbage = store.index().streams.mark(stream, before, place);
    if (garbage != Location.NONE) {
      segments.at(garbage).markDied();
      store.suspect(segments.at(garbage));
    }
  }
}
