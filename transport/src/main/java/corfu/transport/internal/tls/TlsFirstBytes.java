package corfu.transport.internal.tls;

import io.netty.buffer.ByteBuf;

/** Tells a TLS connection from a plain one by its first bytes. */
public final class TlsFirstBytes {

  /**
   * The type of a TLS record with a handshake. A plain connection begins with the length of a HELLO
   * frame, whose lowest byte is never this one.
   */
  private static final int HANDSHAKE = 0x16;

  private static final int RECORD_HEADER_BYTES = 5;

  /** The number of bytes from which on a connection may wait for its handshake. */
  private static final int ENOUGH_BYTES = 4 << 10;

  private TlsFirstBytes() {}

  /** Returns whether a connection that begins with these bytes, at least one, is one of TLS. */
  public static boolean isTls(ByteBuf bytes) {
    return bytes.getByte(bytes.readerIndex()) == HANDSHAKE;
  }

  /**
   * Returns whether the first record of a TLS connection has arrived, or much of it. A client that
   * sends less does not occupy the place of a handshake.
   */
  public static boolean isEnough(ByteBuf bytes) {
    if (bytes.readableBytes() < RECORD_HEADER_BYTES) {
      return false;
    }
    int length = bytes.getUnsignedShort(bytes.readerIndex() + RECORD_HEADER_BYTES - Short.BYTES);
    return bytes.readableBytes() >= Math.min(RECORD_HEADER_BYTES + length, ENOUGH_BYTES);
  }
}
