package corfu.proof.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Byte operations of the targets. */
public final class Bytes {

  private Bytes() {}

  /** Returns a copy of the buffer's remaining bytes. The buffer does not change. */
  public static byte[] of(ByteBuffer buffer) {
    byte[] bytes = new byte[buffer.remaining()];
    buffer.get(buffer.position(), bytes);
    return bytes;
  }

  public static byte[] of(String text) {
    return text.getBytes(UTF_8);
  }

  /** Returns the bytes behind a first byte, which tells the target how to use the rest. */
  public static byte[] behind(int first, byte[] rest) {
    byte[] all = new byte[1 + rest.length];
    all[0] = (byte) first;
    System.arraycopy(rest, 0, all, 1, rest.length);
    return all;
  }

  /** Returns a copy of the bytes from there on, little-endian. */
  public static ByteBuffer from(byte[] input, int from) {
    byte[] copy = from < input.length ? Arrays.copyOfRange(input, from, input.length) : new byte[0];
    return ByteBuffer.wrap(copy).order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Throws unless both have the same bytes. */
  public static void same(ByteBuffer one, ByteBuffer other, String what) {
    if (!one.equals(other)) {
      throw new AssertionError(
          what + ": " + Arrays.toString(of(one)) + ", then " + Arrays.toString(of(other)));
    }
  }

  /** Throws unless both are equal. */
  public static void same(Object one, Object other, String what) {
    if (!one.equals(other)) {
      throw new AssertionError(what + ": " + one + ", then " + other);
    }
  }
}
