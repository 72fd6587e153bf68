package corfu.nbd.internal.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The header of a request.
 *
 * <pre>
 *           0        4       6      8        16       24          28         32
 *           +--------+-------+------+--------+--------+-----------+
 *   compact | magic  | flags | type | cookie | offset | length    |
 *           +--------+-------+------+--------+--------+-----------+----------+
 *  extended | magic  | flags | type | cookie | offset | length               |
 *           +--------+-------+------+--------+--------+----------------------+
 * </pre>
 *
 * @param flags the command flags
 * @param type the code of the command
 * @param cookie the number by which the client knows the reply
 * @param offset the first byte of the range; the new size in a resize; unsigned
 * @param length the number of bytes of the range, or of the payload; unsigned
 */
public record NbdRequest(int flags, int type, long cookie, long offset, long length) {

  /**
   * Reads a header, whose bytes are all there.
   *
   * @throws NbdViolationException if the bytes are no request
   */
  public static NbdRequest read(ByteBuf in, HeaderStyle style) {
    int expected =
        style == HeaderStyle.EXTENDED
            ? NbdNumbers.EXTENDED_REQUEST_MAGIC
            : NbdNumbers.REQUEST_MAGIC;
    int magic = in.readInt();
    if (magic != expected) {
      throw new NbdViolationException(
          "a request begins with 0x%08x instead of 0x%08x".formatted(magic, expected));
    }
    int flags = in.readUnsignedShort();
    int type = in.readUnsignedShort();
    long cookie = in.readLong();
    long offset = in.readLong();
    long length = style == HeaderStyle.EXTENDED ? in.readLong() : in.readUnsignedInt();
    return new NbdRequest(flags, type, cookie, offset, length);
  }

  /** Returns whether a flag is set. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Returns the name of the command, or its code. */
  public String name() {
    return NbdCommand.exists(type) ? NbdCommand.of(type).name() : "command " + type;
  }
}
