package corfu.objects.tango;

import corfu.objects.record.CallId;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.RecordHeader;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.objects.tango.TangoRecord.Checkpoint;
import corfu.objects.tango.TangoRecord.Commit;
import corfu.objects.tango.TangoRecord.Decision;
import corfu.objects.tango.TangoRecord.Read;
import corfu.objects.tango.TangoRecord.Update;
import corfu.objects.tango.TangoRecord.Write;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Records as bytes; they begin as all records of objects do ({@link RecordCodec}).
 *
 * <pre>
 *  kind 16, update:      bytes up to the end
 *  kind 17, commit:      flags, 1 byte; &lt;reads&gt; { stream id, 16 bytes; &lt;up to&gt; }
 *                        &lt;writes&gt; { stream id, 16 bytes; &lt;length&gt; bytes }
 *  kind 18, decision:    &lt;log address of the commit record&gt;; 1 byte: 1 if it is committed
 *  kind 19, checkpoint:  &lt;before&gt; &lt;resume&gt; bytes up to the end
 * </pre>
 */
final class TangoCodec {

  private static final int UPDATE = RecordCodec.FIRST_OF_TANGO;
  private static final int COMMIT = UPDATE + 1;
  private static final int DECISION = UPDATE + 2;
  private static final int CHECKPOINT = UPDATE + 3;
  private static final int AWAITED = 1;
  private static final int LEAST_READ = 17;
  private static final int LEAST_WRITE = 17;

  private TangoCodec() {}

  static ByteBuffer encode(TangoRecord record, long wallTimeMillis) {
    ValueOutput out = new ValueOutput();
    switch (record) {
      case Update update -> {
        RecordHeader.write(UPDATE, update.call(), wallTimeMillis, out);
        out.writeBuffer(update.payload().duplicate());
      }
      case Commit commit -> {
        RecordHeader.write(COMMIT, commit.call(), wallTimeMillis, out);
        out.writeByte(commit.isAwaited() ? AWAITED : 0);
        out.writeVarLong(commit.reads().size());
        for (Read read : commit.reads()) {
          write(read.object(), out);
          out.writeVarLong(read.upTo().value());
        }
        out.writeVarLong(commit.writes().size());
        for (Write write : commit.writes()) {
          write(write.object(), out);
          out.writeVarLong(write.payload().remaining());
          out.writeBuffer(write.payload().duplicate());
        }
      }
      case Decision decision -> {
        RecordHeader.write(DECISION, decision.call(), wallTimeMillis, out);
        out.writeVarLong(decision.commit().value());
        out.writeByte(decision.isCommitted() ? 1 : 0);
      }
      case Checkpoint checkpoint -> {
        RecordHeader.write(CHECKPOINT, checkpoint.call(), wallTimeMillis, out);
        out.writeVarLong(checkpoint.before().value());
        out.writeVarLong(checkpoint.resume().value());
        out.writeBuffer(checkpoint.state().duplicate());
      }
    }
    return out.toBuffer();
  }

  private static void write(StreamId object, ValueOutput out) {
    out.writeLong(object.high());
    out.writeLong(object.low());
  }

  /**
   * Reads a record.
   *
   * @throws SerializationException if it is none, is damaged, or of the other kind of objects
   */
  static TangoRecord decode(ByteBuffer payload) {
    ValueInput in = new ValueInput(payload);
    int kind = RecordHeader.readKind(in);
    if (kind < UPDATE) {
      throw new MixedObjectException(
          "written by corfu.objects.ReplicatedObjects, whose transactions are decided before they"
              + " are in the log: open the object there. The two kinds of transactions can't be"
              + " mixed on one object");
    }
    long client = in.readLong();
    long unused = in.readLong(); // wall time, for people
    CallId call = new CallId(client, in.readVarLong());
    return switch (kind) {
      case UPDATE -> new Update(call, in.readBuffer(in.remaining()));
      case COMMIT -> new Commit(call, (in.readByte() & AWAITED) != 0, reads(in), writes(in));
      case DECISION -> new Decision(call, new Address(in.readPositive()), in.readByte() == 1);
      case CHECKPOINT ->
          new Checkpoint(
              call,
              new Address(in.readPositive()),
              new StreamAddress(in.readPositive()),
              in.readBuffer(in.remaining()));
      default -> throw new SerializationException("a record of kind " + kind + " is not known");
    };
  }

  private static List<Read> reads(ValueInput in) {
    int count = in.readCount(LEAST_READ);
    List<Read> reads = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      StreamId object = new StreamId(in.readLong(), in.readLong());
      reads.add(new Read(object, new StreamAddress(in.readPositive())));
    }
    return reads;
  }

  private static List<Write> writes(ValueInput in) {
    int count = in.readCount(LEAST_WRITE);
    List<Write> writes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      StreamId object = new StreamId(in.readLong(), in.readLong());
      writes.add(new Write(object, in.readBuffer(in.readCount(1))));
    }
    return writes;
  }
}
