package corfu.objects.record;

import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;

/** The bytes at the start of every record of objects; {@link RecordCodec} draws them. Stateless. */
public final class RecordHeader {

  static final int MAGIC = 0xC0;
  private static final int VERSION = 1;

  private RecordHeader() {}

  /**
   * Writes the header.
   *
   * @param kind the kind of the record, 0 to 127
   * @param call the call that made it
   * @param wallTimeMillis the wall time of the call, in milliseconds since 1970
   * @param out the record's bytes
   */
  public static void write(int kind, CallId call, long wallTimeMillis, ValueOutput out) {
    out.writeByte(MAGIC);
    out.writeByte(VERSION);
    out.writeByte(kind);
    out.writeLong(call.client());
    out.writeLong(wallTimeMillis);
    out.writeVarLong(call.number());
  }

  /**
   * Reads the start of the header, up to the kind of the record, and returns the kind.
   *
   * @param in the record's bytes
   * @throws SerializationException if they are no record, or one of another version
   */
  public static int readKind(ValueInput in) {
    if (in.remaining() < 3 || (in.readByte() & 0xff) != MAGIC) {
      throw new SerializationException("not written by an object: is the stream used otherwise?");
    }
    int version = in.readByte();
    if (version != VERSION) {
      throw new SerializationException(
          "written in version %d of the format, but this program knows %d only: update it"
              .formatted(version, VERSION));
    }
    return in.readByte();
  }
}
