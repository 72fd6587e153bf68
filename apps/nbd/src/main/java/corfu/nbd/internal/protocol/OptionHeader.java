package corfu.nbd.internal.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The header of an option.
 *
 * @param option the code of the option
 * @param length the number of bytes of its data
 */
public record OptionHeader(int option, long length) {

  /** The number of bytes of a header. */
  public static final int BYTES = 16;

  /**
   * Reads a header, whose bytes are all there.
   *
   * @throws NbdViolationException if the bytes are no option
   */
  public static OptionHeader read(ByteBuf in) {
    long magic = in.readLong();
    if (magic != NbdNumbers.IHAVEOPT) {
      throw new NbdViolationException("an option begins with 0x%016x".formatted(magic));
    }
    return new OptionHeader(in.readInt(), in.readUnsignedInt());
  }
}
