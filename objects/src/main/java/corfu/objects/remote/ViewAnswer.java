package corfu.objects.remote;

import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Epoch;
import java.nio.ByteBuffer;
import java.util.Optional;

/** A host's answer to a {@link ViewCall}, drawn in {@code docs/objects-format.md}. */
public sealed interface ViewAnswer {

  /**
   * Of which state something is.
   *
   * @param epoch in whose terms the snapshot is to be told from now on
   * @param began where that epoch began
   * @param newest the log address of the newest entry in it, as far as is known; or -1
   */
  record Seen(Epoch epoch, long began, long newest) {
    public static final Seen NOTHING = new Seen(Epoch.NONE, 0, -1);
  }

  /** The operation returned this, as the call's serializer has written it. */
  record Returned(ByteBuffer value, Seen seen) implements ViewAnswer {
    @Override
    public ByteBuffer value() {
      return value.duplicate();
    }
  }

  /** The operation threw an exception of this class. */
  record Threw(String exception, Optional<String> message, Seen seen) implements ViewAnswer {}

  /** There is no state as old, and it is not worth playing: there was a change at this address. */
  record Changed(long newest) implements ViewAnswer {}

  /** The snapshot's epoch is over, and what it was can't be told any more. */
  record Over(String why) implements ViewAnswer {}

  /** The log does not reach to the address. */
  record BeyondEnd(String why) implements ViewAnswer {}

  /** That part of the object's history is trimmed. */
  record Forgotten(String why) implements ViewAnswer {}

  /** The entry at this address is not understood. */
  record Undecodable(long address, String why) implements ViewAnswer {}

  /** The change was made, but what it returned is not known any more. */
  record NotKnown(String why) implements ViewAnswer {}

  /** The host does not do it. */
  record Refused(Refusal refusal, String why) implements ViewAnswer {}

  /** Its bytes. */
  default ByteBuffer encoded() {
    ValueOutput out = new ValueOutput();
    switch (this) {
      case Returned(ByteBuffer value, Seen seen) -> {
        out.writeByte(0);
        write(seen, out);
        out.writeBuffer(value);
      }
      case Threw(String exception, Optional<String> message, Seen seen) -> {
        out.writeByte(1);
        write(seen, out);
        out.writeString(exception);
        out.writeByte(message.isPresent() ? 1 : 0);
        message.ifPresent(out::writeString);
      }
      case Changed(long newest) -> {
        out.writeByte(2);
        out.writeVarLong(newest);
      }
      case Over(String why) -> because(3, why, out);
      case BeyondEnd(String why) -> because(4, why, out);
      case Forgotten(String why) -> because(5, why, out);
      case Undecodable(long address, String why) -> {
        because(6, why, out);
        out.writeVarLong(address);
      }
      case NotKnown(String why) -> because(7, why, out);
      case Refused(Refusal refusal, String why) -> {
        because(8, why, out);
        out.writeByte(refusal.code());
      }
    }
    return out.toBuffer();
  }

  private static void because(int kind, String why, ValueOutput out) {
    out.writeByte(kind);
    out.writeString(why);
  }

  private static void write(Seen seen, ValueOutput out) {
    out.writeVarLong(seen.epoch().value());
    out.writeVarLong(seen.began());
    out.writeSigned(seen.newest());
  }

  /**
   * Reads what {@link #encoded} gives; shares its bytes.
   *
   * @throws SerializationException if it is none
   */
  static ViewAnswer decode(ByteBuffer bytes) {
    ValueInput in = new ValueInput(bytes);
    int kind = in.readByte();
    return switch (kind) {
      case 0 -> {
        Seen seen = readSeen(in);
        yield new Returned(in.readBuffer(in.remaining()), seen);
      }
      case 1 -> {
        Seen seen = readSeen(in);
        String exception = in.readString();
        yield new Threw(
            exception, in.readByte() == 0 ? Optional.empty() : Optional.of(in.readString()), seen);
      }
      case 2 -> new Changed(in.readPositive());
      case 3 -> new Over(in.readString());
      case 4 -> new BeyondEnd(in.readString());
      case 5 -> new Forgotten(in.readString());
      case 6 -> {
        String why = in.readString();
        yield new Undecodable(in.readPositive(), why);
      }
      case 7 -> new NotKnown(in.readString());
      case 8 -> {
        String why = in.readString();
        yield new Refused(refusal(in.readByte()), why);
      }
      default -> throw new SerializationException("an answer of kind " + kind + " is not known");
    };
  }

  private static Seen readSeen(ValueInput in) {
    Epoch epoch = new Epoch(in.readPositive());
    return new Seen(epoch, in.readPositive(), in.readSigned());
  }

  private static Refusal refusal(int code) {
    for (Refusal refusal : Refusal.values()) {
      if (refusal.code() == code) {
        return refusal;
      }
    }
    throw new SerializationException("a refusal of kind " + code + " is not known");
  }
}
