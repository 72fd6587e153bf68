package corfu.objects.serial;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Bytes that grow as they are written, little-endian. For one thread. */
public final class ValueOutput {

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final int SHORT_TEXT = 64;
  private static final int LARGE = 1 << 30; // from here on it grows only as far as it has to

  private byte[] bytes;
  private int size;

  public ValueOutput() {
    this(128);
  }

  /**
   * @param capacity how many bytes are expected
   */
  public ValueOutput(int capacity) {
    bytes = new byte[capacity];
  }

  /** How many bytes have been written. */
  public int size() {
    return size;
  }

  public void writeByte(int value) {
    room(1);
    bytes[size++] = (byte) value;
  }

  public void writeLong(long value) {
    room(Long.BYTES);
    LONGS.set(bytes, size, value);
    size += Long.BYTES;
  }

  /** An unsigned number, seven bits a byte, the lowest first. */
  public void writeVarLong(long value) {
    room(10);
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      bytes[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    bytes[size++] = (byte) rest;
  }

  /** A number of which small ones are short, negative ones too. */
  public void writeSigned(long value) {
    writeVarLong(value << 1 ^ value >> 63);
  }

  public void writeBytes(byte[] source, int from, int length) {
    room(length);
    System.arraycopy(source, from, bytes, size, length);
    size += length;
  }

  /** All from its position to its limit; the buffer itself is left alone. */
  public void writeBuffer(ByteBuffer source) {
    int length = source.remaining();
    room(length);
    source.get(source.position(), bytes, size, length);
    size += length;
  }

  /** The length in bytes, and the text in UTF-8. */
  public void writeString(String text) {
    if (text.length() <= SHORT_TEXT && writeAscii(text)) {
      return;
    }
    byte[] encoded = text.getBytes(UTF_8);
    writeVarLong(encoded.length);
    writeBytes(encoded, 0, encoded.length);
  }

  private boolean writeAscii(String text) {
    int length = text.length();
    room(1 + length);
    int start = size + 1;
    for (int i = 0; i < length; i++) {
      char character = text.charAt(i);
      if (character >= 0x80) {
        return false;
      }
      bytes[start + i] = (byte) character;
    }
    bytes[size] = (byte) length;
    size = start + length;
    return true;
  }

  /** Returns the written bytes. The buffer is not a copy, so nothing may be written afterwards. */
  public ByteBuffer toBuffer() {
    return ByteBuffer.wrap(bytes, 0, size);
  }

  private void room(int more) {
    if (bytes.length - size < more) {
      int needed = Math.addExact(size, more);
      bytes = Arrays.copyOf(bytes, Math.max(needed, (int) Math.min(2L * needed, LARGE)));
    }
  }
}
