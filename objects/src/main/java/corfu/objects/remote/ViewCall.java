package corfu.objects.remote;

import corfu.objects.record.CallId;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Epoch;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A call on a hosted view, drawn in {@code docs/objects-format.md}.
 *
 * @param type as what the object is opened
 * @param version of which state
 * @param serializer who has written all arguments; see {@link corfu.objects.serial.Serializer#id}
 * @param operation its name
 * @param arguments as the serializer has written them
 * @param before changes of the caller's transaction that come before the call, and that nobody else
 *     sees
 */
public record ViewCall(
    TypeName type,
    StateVersion version,
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
    ValueOutput out = new ValueOutput();
    out.writeByte(VERSION);
    out.writeString(type.name());
    out.writeVarLong(type.held().size());
    type.held().forEach(out::writeString);
    write(version, out);
    out.writeByte(serializer);
    write(new Change(operation, arguments), out);
    out.writeVarLong(before.size());
    before.forEach(change -> write(change, out));
    return out.toBuffer();
  }

  private static void write(StateVersion version, ValueOutput out) {
    switch (version) {
      case StateVersion.Now now -> out.writeByte(NOW);
      case StateVersion.Snapshot snapshot -> {
        out.writeByte(SNAPSHOT);
        out.writeVarLong(snapshot.epoch().value());
        out.writeVarLong(snapshot.began());
        out.writeVarLong(snapshot.before());
        out.writeByte(
            (snapshot.isDecided() ? IS_DECIDED : 0)
                | (snapshot.isWorthPlaying() ? IS_WORTH_PLAYING : 0));
      }
      case StateVersion.ResultOf(long address, CallId call) -> {
        out.writeByte(RESULT_OF);
        out.writeVarLong(address);
        out.writeLong(call.client());
        out.writeVarLong(call.number());
      }
    }
  }

  private static void write(Change change, ValueOutput out) {
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
    ValueInput in = new ValueInput(bytes);
    int format = in.readByte();
    if (format != VERSION) {
      throw new SerializationException("a call of version " + format + " is not known");
    }
    String name = in.readString();
    int held = in.readCount(1);
    List<String> types = new ArrayList<>(held);
    for (int i = 0; i < held; i++) {
      types.add(in.readString());
    }
    StateVersion version = readVersion(in);
    int serializer = in.readByte();
    Change called = readChange(in);
    int count = in.readCount(2);
    List<Change> before = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      before.add(readChange(in));
    }
    return new ViewCall(
        new TypeName(name, types),
        version,
        serializer,
        called.operation(),
        called.arguments(),
        before);
  }

  private static StateVersion readVersion(ValueInput in) {
    int kind = in.readByte();
    return switch (kind) {
      case NOW -> StateVersion.Now.NOW;
      case SNAPSHOT -> {
        Epoch epoch = new Epoch(in.readPositive());
        long began = in.readPositive();
        long before = in.readPositive();
        int flags = in.readByte();
        yield new StateVersion.Snapshot(
            epoch, began, before, (flags & IS_DECIDED) != 0, (flags & IS_WORTH_PLAYING) != 0);
      }
      case RESULT_OF ->
          new StateVersion.ResultOf(in.readPositive(), new CallId(in.readLong(), in.readVarLong()));
      default -> throw new SerializationException("a call of a moment of kind " + kind);
    };
  }

  private static Change readChange(ValueInput in) {
    String operation = in.readString();
    return new Change(operation, in.readBuffer(in.readCount(1)));
  }
}
