package corfu.objects.remote;

import corfu.objects.record.CallId;
import corfu.objects.serial.Input;
import corfu.objects.serial.Output;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Epoch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A call on a hosted view, drawn in {@code docs/objects-format.md}.
 *
 * @param type as what the object is opened
 * @param moment of which state
 * @param serializer who has written all arguments; see {@link corfu.objects.serial.Serializer#id}
 * @param operation its name
 * @param arguments as the serializer has written them
 * @param before changes of the caller's transaction that come before the call, and that nobody else
 *     sees
 */
public record ViewCall(
    TypeName type,
    Moment moment,
    int serializer,
    String operation,
    ByteBuffer arguments,
    List<Change> before) {

  private static final int VERSION = 1;
  private static final int NOW = 0;
  private static final int SNAPSHOT = 1;
  private static final int RESULT_OF = 2;

  private static final int IS_DECIDED = 1;
  private static final int IS_WORTH_PLAYING = 2;

  /** A change that is not in the log. */
  public record Change(String operation, ByteBuffer arguments) {
    @Override
    public ByteBuffer arguments() {
      return arguments.duplicate();
    }
  }

  public ViewCall {
    before = List.copyOf(before);
  }

  /** From position 0 to its limit. */
  @Override
  public ByteBuffer arguments() {
    return arguments.duplicate();
  }

  /** Its bytes. */
  public ByteBuffer encoded() {
    Output out = new Output();
    out.writeByte(VERSION);
    out.writeString(type.name());
    out.writeVarLong(type.held().size());
    type.held().forEach(out::writeString);
    write(moment, out);
    out.writeByte(serializer);
    write(new Change(operation, arguments), out);
    out.writeVarLong(before.size());
    before.forEach(change -> write(change, out));
    return out.toBuffer();
  }

  private static void write(Moment moment, Output out) {
    switch (moment) {
      case Moment.Now now -> out.writeByte(NOW);
      case Moment.Snapshot snapshot -> {
        out.writeByte(SNAPSHOT);
        out.writeVarLong(snapshot.epoch().value());
        out.writeVarLong(snapshot.began());
        out.writeVarLong(snapshot.before());
        out.writeByte(
            (snapshot.isDecided() ? IS_DECIDED : 0)
                | (snapshot.isWorthPlaying() ? IS_WORTH_PLAYING : 0));
      }
      case Moment.ResultOf(long address, CallId call) -> {
        out.writeByte(RESULT_OF);
        out.writeVarLong(address);
        out.writeLong(call.client());
        out.writeVarLong(call.number());
      }
    }
  }

  private static void write(Change change, Output out) {
    out.writeString(change.operation());
    ByteBuffer arguments = change.arguments();
    out.writeVarLong(arguments.remaining());
    out.writeBuffer(arguments);
  }

  /**
   * Reads what {@link #encoded} gives; shares its bytes.
   *
   * @throws SerializationException if it is none
   */
  public static ViewCall decode(ByteBuffer bytes) {
    Input in = new Input(bytes);
    int version = in.readByte();
    if (version != VERSION) {
      throw new SerializationException("a call of version " + version + " is not known");
    }
    String name = in.readString();
    int held = in.readCount(1);
    List<String> types = new ArrayList<>(held);
    for (int i = 0; i < held; i++) {
      types.add(in.readString());
    }
    Moment moment = readMoment(in);
    int serializer = in.readByte();
    Change called = readChange(in);
    int count = in.readCount(2);
    List<Change> before = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      before.add(readChange(in));
    }
    return new ViewCall(
        new TypeName(name, types),
        moment,
        serializer,
        called.operation(),
        called.arguments(),
        before);
  }

  private static Moment readMoment(Input in) {
    int kind = in.readByte();
    return switch (kind) {
      case NOW -> Moment.Now.NOW;
      case SNAPSHOT -> {
        Epoch epoch = new Epoch(in.readPositive());
        long began = in.readPositive();
        long before = in.readPositive();
        int flags = in.readByte();
        yield new Moment.Snapshot(
            epoch, began, before, (flags & IS_DECIDED) != 0, (flags & IS_WORTH_PLAYING) != 0);
      }
      case RESULT_OF ->
          new Moment.ResultOf(in.readPositive(), new CallId(in.readLong(), in.readVarLong()));
      default -> throw new SerializationException("a call of a moment of kind " + kind);
    };
  }

  private static Change readChange(Input in) {
    String operation = in.readString();
    return new Change(operation, in.readBuffer(in.readCount(1)));
  }
}
