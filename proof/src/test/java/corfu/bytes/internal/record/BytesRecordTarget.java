package corfu.bytes.internal.record;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.state.BytesState;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** The entries of byte arrays, batches of an only writer among them, and their effect. */
public final class BytesRecordTarget implements FuzzTarget {

  private static final Address HERE = new Address(7);
  private static final StreamId STREAM = new StreamId(1, -2);
  private static final ByteBuffer NOTE = ByteBuffer.wrap(new byte[] {9, 8, 7});
  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0);
  private static final ByteBuffer DATA = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});

  @Override
  public String name() {
    return "bytes-record";
  }

  @Override
  public List<byte[]> seeds() {
    Stream<ByteBuffer> withoutData =
        Stream.<BytesRecord>of(
                new BytesRecord.Truncate(4096),
                new BytesRecord.Punch(512, 1 << 20),
                new BytesRecord.Clone(new StreamId(3, 4), 5, STREAM),
                new BytesRecord.Release(STREAM),
                new BytesRecord.Copy(10, 8, List.of(new Extent(10, 4, 2, 20))),
                new BytesRecord.TakeOver(DATA),
                new BytesRecord.GiveUp(1))
            .map(record -> RecordCodec.encode(NOTE, record));
    List<BatchData.Change> changes =
        List.of(
            new BatchData.Change.Write(0, DATA),
            new BatchData.Change.Punch(1 << 30, 4096),
            new BatchData.Change.Resize(1L << 40),
            new BatchData.Change.Move(300, DATA, 2, 20));
    Stream<ByteBuffer> withData =
        Stream.of(
            RecordCodec.write(NOTE, 4096, DATA),
            RecordCodec.append(NO_NOTE, DATA),
            RecordCodec.encode(NOTE, 1, 0, new BatchData(changes)).payload(),
            RecordCodec.encode(NO_NOTE, 1, 5, new BatchData(changes.subList(1, 2))).payload());
    return Stream.concat(withoutData, withData).map(Bytes::of).toList();
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer payload = ByteBuffer.wrap(input);
    int headBytes = Math.min(input.length, EntryDecoder.HEAD_BYTES);
    ByteBuffer head = payload.slice(0, headBytes);
    int needed = Math.max(headBytes, RecordCodec.neededBytes(head, input.length));
    RecordCodec.Decoded decoded;
    try {
      decoded = RecordCodec.decode(HERE, payload);
    } catch (DamagedRecordException refused) {
      decodeDamaged(payload, head, needed);
      return;
    }
    RecordCodec.Decoded early = RecordCodec.decode(HERE, payload.slice(0, needed), input.length);
    Bytes.same(decoded, early, "decoded from the beginning");
    RecordCodec.Decoded brief = RecordCodec.decodeHead(HERE, head, input.length);
    Bytes.same(decoded.note(), brief.note(), "the note of the head");
    encodeAgain(payload, decoded);
    var unused = before(decoded).after(new BytesState.Entry(HERE.value(), 1, decoded));
  }

  /** A player may meet a damaged entry, too. */
  private static void decodeDamaged(ByteBuffer payload, ByteBuffer head, int needed) {
    try {
      var unused = RecordCodec.decodeHead(HERE, head, payload.remaining());
    } catch (DamagedRecordException refused) {
      // as expected of most
    }
    try {
      int some = Math.min(needed, payload.remaining());
      var unused = RecordCodec.decode(HERE, payload.slice(0, some), payload.remaining());
    } catch (DamagedRecordException refused) {
      return;
    }
    throw new AssertionError("a damaged entry is decoded from its beginning");
  }

  /** Only the writer's batches have an effect. */
  private static BytesState before(RecordCodec.Decoded decoded) {
    var takeOver = new RecordCodec.Decoded(NO_NOTE, new BytesRecord.TakeOver(NO_NOTE));
    BytesState empty = BytesState.empty(STREAM);
    return decoded.record() instanceof BytesRecord.Batch
        ? empty.after(new BytesState.Entry(0, 0, takeOver))
        : empty;
  }

  private static void encodeAgain(ByteBuffer payload, RecordCodec.Decoded decoded) {
    ByteBuffer note = decoded.note();
    switch (decoded.record()) {
      case BytesRecord.Write write -> {
        ByteBuffer data = data(payload, write.position(), write.length());
        Bytes.same(payload, RecordCodec.write(note, write.offset(), data), "written again");
      }
      case BytesRecord.Append(long position, long length) ->
          Bytes.same(
              payload, RecordCodec.append(note, data(payload, position, length)), "written again");
      case BytesRecord.Batch batch -> encodeAgain(payload, note, batch);
      case BytesRecord other ->
          Bytes.same(payload, RecordCodec.encode(note, other), "written again");
    }
  }

  /** The places of the data may differ: nobody but an encoder chooses the gap in front of them. */
  private static void encodeAgain(ByteBuffer payload, ByteBuffer note, BytesRecord.Batch batch) {
    var encoded =
        RecordCodec.encode(
            note, batch.epoch(), batch.sequence(), new BatchData(changes(payload, batch)));
    RecordCodec.Decoded again = RecordCodec.decode(HERE, encoded.payload());
    Bytes.same(encoded.decoded(), again, "decoded again");
    var same = (BytesRecord.Batch) again.record();
    Bytes.same(changes(payload, batch), changes(encoded.payload(), same), "the changes");
  }

  private static List<BatchData.Change> changes(ByteBuffer payload, BytesRecord.Batch batch) {
    List<BatchData.Change> changes = new ArrayList<>();
    for (BytesRecord.BatchChange change : batch.changes()) {
      changes.add(
          switch (change) {
            case BytesRecord.Write(long offset, long position, long length) ->
                new BatchData.Change.Write(offset, data(payload, position, length));
            case BytesRecord.Move move ->
                new BatchData.Change.Move(
                    move.offset(),
                    data(payload, move.position(), move.length()),
                    move.oldAddress(),
                    move.oldPosition());
            case BytesRecord.Punch(long offset, long length) ->
                new BatchData.Change.Punch(offset, length);
            case BytesRecord.Truncate(long size) -> new BatchData.Change.Resize(size);
          });
    }
    return changes;
  }

  private static ByteBuffer data(ByteBuffer payload, long position, long length) {
    return payload.slice((int) position, (int) length);
  }
}
