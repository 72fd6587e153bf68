package corfu.objects.serial;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Reads what an {@link ValueOutput} wrote; never beyond the end. For one thread.
 *
 * <p>All methods throw {@link SerializationException} where the bytes end too early, or say what no
 * output says.
 */
public final class ValueInput {

  private final ByteBuffer bytes;

  /**
   * @param source from its position to its limit; the buffer itself is left alone
   */
  public ValueInput(ByteBuffer source) {
    bytes = source.slice().order(ByteOrder.LITTLE_ENDIAN);
  }

  /** How many bytes are left. */
  public int remaining() {
    return bytes.remaining();
  }

  /** How many bytes have been read. */
  public int position() {
    return bytes.position();
  }

  /** Goes back to where it was before. */
  public void goTo(int position) {
    bytes.position(position);
  }

  public int readByte() {
    need(1);
    return bytes.get();
  }

  public long readLong() {
    need(Long.BYTES);
    return bytes.getLong();
  }

  public long readVarLong() {
    long value = 0;
    for (int shift = 0; shift < Long.SIZE; shift += 7) {
      int next = readByte();
      value |= (next & 0x7fL) << shift;
      if (next >= 0) {
        return value;
      }
    }
    throw new SerializationException("damaged: a number of more than 64 bits");
  }

  /** An address, a place, a size: 0 or more. */
  public long readPositive() {
    long value = readVarLong();
    if (value < 0) {
      throw new SerializationException("damaged: the negative number " + value);
    }
    return value;
  }

  public long readSigned() {
    long value = readVarLong();
    return value >>> 1 ^ -(value & 1);
  }

  /**
   * A number of things that follow, each of at least {@code leastBytes}: so never more than there
   * is room for.
   */
  public int readCount(int leastBytes) {
    long count = readVarLong();
    if (count < 0 || count > remaining() / Math.max(1, leastBytes)) {
      throw new SerializationException(
          "damaged: it says that "
              + count
              + " things follow, but there are "
              + remaining()
              + " bytes only");
    }
    return (int) count;
  }

  public byte[] readBytes(int length) {
    need(length);
    byte[] copy = new byte[length];
    bytes.get(copy);
    return copy;
  }

  public String readString() {
    int length = readCount(1);
    if (bytes.hasArray()) {
      int from = bytes.arrayOffset() + bytes.position();
      bytes.position(bytes.position() + length);
      return new String(bytes.array(), from, length, UTF_8);
    }
    return new String(readBytes(length), UTF_8);
  }

  /** The next {@code length} bytes; they are not copied. */
  public ByteBuffer readBuffer(int length) {
    need(length);
    ByteBuffer part = bytes.slice(bytes.position(), length);
    bytes.position(bytes.position() + length);
    return part;
  }

  private void need(int length) {
    if (bytes.remaining() < length) {
      throw new SerializationException(
          "damaged: it ends where " + length + " more bytes should be");
    }
  }
}
