package corfu.objects.tango;

import corfu.objects.record.CallId;
import corfu.objects.serial.SerializationException;
import corfu.objects.tango.TangoRecord.Checkpoint;
import corfu.objects.tango.TangoRecord.Commit;
import corfu.objects.tango.TangoRecord.Decision;
import corfu.objects.tango.TangoRecord.Read;
import corfu.objects.tango.TangoRecord.Update;
import corfu.objects.tango.TangoRecord.Write;
import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Stream;

/** The records that Tango's interface writes to the log. */
public final class TangoRecordTarget implements FuzzTarget {

  private static final CallId CALL = new CallId(77, 5);

  @Override
  public String name() {
    return "tango-record";
  }

  @Override
  public List<byte[]> seeds() {
    StreamId stream = new StreamId(1, 2);
    ByteBuffer some = ByteBuffer.wrap(new byte[] {1, 2, 3});
    List<Read> reads = List.of(new Read(stream, new StreamAddress(5)));
    List<Write> writes = List.of(new Write(stream, some), new Write(new StreamId(3, 4), some));
    return Stream.<TangoRecord>of(
            new Update(CALL, some),
            new Commit(CALL, true, reads, writes),
            new Decision(CALL, new Address(90), true),
            new Checkpoint(CALL, new Address(90), new StreamAddress(6), some))
        .map(record -> Bytes.of(TangoCodec.encode(record, 1)))
        .toList();
  }

  @Override
  public void run(byte[] input) {
    TangoRecord record;
    try {
      record = TangoCodec.decode(ByteBuffer.wrap(input));
    } catch (SerializationException | MixedObjectException refused) {
      return;
    }
    ByteBuffer written = TangoCodec.encode(record, 1);
    TangoRecord again = TangoCodec.decode(written);
    Bytes.same(record, again, "decoded again");
    Bytes.same(written, TangoCodec.encode(again, 1), "written again");
  }
}
