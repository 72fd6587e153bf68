package corfu.bytes;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** All versions of some arrays as byte arrays in memory: what the order of the log says. */
final class BytesModel {

  /**
   * One version; {@code change} is the last change's address, or -1. The writer epoch counts
   * take-overs; {@code isHeld} tells whether the last writer is still there.
   */
  record Content(byte[] bytes, ByteBuffer note, long change, long epoch, boolean isHeld) {

    Content changed(byte[] newBytes, ByteBuffer itsNote, long address) {
      return new Content(newBytes, itsNote, address, epoch, isHeld);
    }

    byte[] range(long offset, int length) {
      int from = (int) Math.min(offset, bytes.length);
      return Arrays.copyOfRange(bytes, from, (int) Math.min(from + (long) length, bytes.length));
    }
  }

  private static final Content EMPTY =
      new Content(new byte[0], ByteBuffer.allocate(0), -1, 0, false);

  private record Change(StreamId stream, StreamRead.Entry entry) {}

  private final Corfu corfu;
  private final Map<StreamId, Optional<BytesOrigin>> origins;
  private final Map<StreamId, TreeMap<Long, Content>> arrays = new HashMap<>();
  private final Map<Long, ByteBuffer> notes = new TreeMap<>(); // of all entries, by their addresses

  /** Reads the whole streams of arrays. */
  BytesModel(Corfu corfu, Map<StreamId, Optional<BytesOrigin>> origins) {
    this.corfu = corfu;
    this.origins = origins;
    TreeMap<Long, List<Change>> log = new TreeMap<>();
    Streams streams = Streams.over(corfu);
    for (StreamId stream : origins.keySet()) {
      arrays.put(stream, new TreeMap<>());
      StreamReader reader = streams.open(stream).reader();
      reader.sync();
      for (StreamRead.Entry entry : reader.readRest()) {
        log.merge(
            entry.address().value(),
            List.of(new Change(stream, entry)),
            (some, more) -> List.of(some.getFirst(), more.getFirst()));
      }
    }
    log.values().forEach(this::apply);
  }

  private void apply(Collection<Change> sameEntry) {
    Map<StreamId, Content> after = new HashMap<>();
    for (Change change : sameEntry) {
      after.put(change.stream(), after(change.stream(), change.entry()));
    }
    long before = sameEntry.iterator().next().entry().address().value() + 1;
    after.forEach((stream, content) -> versions(stream).put(before, content));
  }

  private TreeMap<Long, Content> versions(StreamId stream) {
    return arrays.getOrDefault(stream, new TreeMap<>());
  }

  /** Returns an array's version. */
  Content at(StreamId stream, long before) {
    var found = versions(stream).floorEntry(before);
    return found != null
        ? found.getValue()
        : origins
            .getOrDefault(stream, Optional.empty())
            .map(origin -> at(origin.stream(), origin.version().value()))
            .map(from -> new Content(from.bytes(), from.note(), from.change(), 0, false))
            .orElse(EMPTY);
  }

  /** Returns the entries of an array, by their addresses, with their notes. */
  Map<Long, ByteBuffer> notes() {
    return notes;
  }

  /** Returns the addresses of an array's entries below a version. */
  Collection<Long> entriesBelow(StreamId stream, long before) {
    return versions(stream).headMap(before, true).keySet().stream().map(next -> next - 1).toList();
  }

  private Content after(StreamId stream, StreamRead.Entry entry) {
    long address = entry.address().value();
    Content now = at(stream, address);
    RecordCodec.Decoded decoded = RecordCodec.decode(entry.address(), entry.payload());
    notes.put(address, decoded.note());
    return switch (decoded.record()) {
      case BytesRecord.TakeOver taken ->
          new Content(now.bytes(), now.note(), now.change(), now.epoch() + 1, true);
      case BytesRecord.GiveUp(long epoch) ->
          new Content(
              now.bytes(),
              now.note(),
              now.change(),
              now.epoch(),
              now.isHeld() && epoch != now.epoch());
      case BytesRecord.Batch batch ->
          now.isHeld() && batch.epoch() == now.epoch()
              ? batch(now, batch, entry.payload(), decoded, address)
              : now;
      case BytesRecord shared ->
          now.isHeld() ? now : shared(stream, now, shared, entry.payload(), decoded, address);
    };
  }

  private static Content batch(
      Content now,
      BytesRecord.Batch batch,
      ByteBuffer payload,
      RecordCodec.Decoded decoded,
      long address) {
    Content after = now;
    for (BytesRecord.BatchChange change : batch.changes()) {
      after =
          switch (change) {
            case BytesRecord.Write(long offset, long position, long length) ->
                with(after, offset, data(payload, position, length), decoded, address);
            case BytesRecord.Punch(long offset, long length) when length == 0 -> after;
            case BytesRecord.Punch(long offset, long length) ->
                after.changed(zeroed(after.bytes(), offset, length), decoded.note(), address);
            case BytesRecord.Truncate(long size) ->
                after.changed(Arrays.copyOf(after.bytes(), (int) size), decoded.note(), address);
            case BytesRecord.Move move -> after; // it changes no content
          };
    }
    return after;
  }

  private Content shared(
      StreamId stream,
      Content now,
      BytesRecord record,
      ByteBuffer payload,
      RecordCodec.Decoded decoded,
      long address) {
    return switch (record) {
      case BytesRecord.Write(long offset, long position, long length) ->
          with(now, offset, data(payload, position, length), decoded, address);
      case BytesRecord.Append(long position, long length) ->
          with(now, now.bytes().length, data(payload, position, length), decoded, address);
      case BytesRecord.Truncate(long size) ->
          now.changed(Arrays.copyOf(now.bytes(), (int) size), decoded.note(), address);
      case BytesRecord.Punch(long offset, long length) ->
          now.changed(zeroed(now.bytes(), offset, length), decoded.note(), address);
      case BytesRecord.Copy copy -> with(now, copy.offset(), data(copy), decoded, address);
      case BytesRecord.Clone(StreamId source, long version, StreamId target) ->
          target.equals(stream)
              ? now.changed(at(source, Math.min(version, address)).bytes(), decoded.note(), address)
              : now;
      case BytesRecord none -> now;
    };
  }

  private static byte[] zeroed(byte[] bytes, long offset, long length) {
    byte[] zeroed = bytes.clone();
    int from = (int) Math.min(offset, bytes.length);
    Arrays.fill(zeroed, from, (int) Math.min(offset + length, bytes.length), (byte) 0);
    return zeroed;
  }

  private static Content with(
      Content now, long offset, byte[] data, RecordCodec.Decoded decoded, long address) {
    int end = Math.max(now.bytes().length, (int) offset + data.length);
    byte[] bytes = Arrays.copyOf(now.bytes(), end);
    System.arraycopy(data, 0, bytes, (int) offset, data.length);
    return now.changed(bytes, decoded.note(), address);
  }

  private static byte[] data(ByteBuffer payload, long position, long length) {
    byte[] data = new byte[(int) length];
    payload.get((int) position, data);
    return data;
  }

  private byte[] data(BytesRecord.Copy copy) {
    byte[] data = new byte[(int) copy.length()];
    for (Extent extent : copy.extents()) {
      if (corfu.log().read(new Address(extent.address())) instanceof LogEntry.Data entry) {
        entry
            .payload()
            .get(
                (int) extent.position(),
                data,
                (int) (extent.offset() - copy.offset()),
                (int) extent.length());
      }
    }
    return data;
  }
}
