package corfu.nbd.internal.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/** Writes the messages that a server sends during the handshake. */
public final class HandshakeReplies {

  private static final int ZEROES_BEHIND_EXPORT = 124;

  private HandshakeReplies() {}

  /** Writes the first bytes of a connection. */
  public static void greeting(ByteBuf out) {
    out.writeLong(NbdNumbers.INIT_PASSWD);
    out.writeLong(NbdNumbers.IHAVEOPT);
    out.writeShort(NbdNumbers.FLAG_FIXED_NEWSTYLE | NbdNumbers.FLAG_NO_ZEROES);
  }

  /** Writes the successful end of an option. */
  public static void ack(ByteBuf out, int option) {
    header(out, option, NbdNumbers.REP_ACK, 0);
  }

  /**
   * Writes an error.
   *
   * @param error one of the {@code REP_ERR} numbers
   * @param message a text for people; cut at 4,096 bytes
   */
  public static void error(ByteBuf out, int option, int error, String message) {
    byte[] text = bounded(message);
    header(out, option, error, text.length);
    out.writeBytes(text);
  }

  /** Writes the name of an export in a list. */
  public static void export(ByteBuf out, String name) {
    byte[] text = name.getBytes(UTF_8);
    header(out, NbdNumbers.OPT_LIST, NbdNumbers.REP_SERVER, 4 + text.length);
    out.writeInt(text.length);
    out.writeBytes(text);
  }

  /** Writes size and flags of an export. */
  public static void exportInfo(ByteBuf out, int option, long sizeBytes, int flags) {
    header(out, option, NbdNumbers.REP_INFO, 12);
    out.writeShort(NbdNumbers.INFO_EXPORT);
    out.writeLong(sizeBytes);
    out.writeShort(flags);
  }

  /**
   * Writes the name or the description of an export.
   *
   * @param type {@code INFO_NAME} or {@code INFO_DESCRIPTION}
   */
  public static void textInfo(ByteBuf out, int option, int type, String value) {
    byte[] text = bounded(value);
    header(out, option, NbdNumbers.REP_INFO, 2 + text.length);
    out.writeShort(type);
    out.writeBytes(text);
  }

  /** Writes the bounds of requests in bytes. */
  public static void blockSizes(ByteBuf out, int option, int least, int preferred, int most) {
    header(out, option, NbdNumbers.REP_INFO, 14);
    out.writeShort(NbdNumbers.INFO_BLOCK_SIZE);
    out.writeInt(least);
    out.writeInt(preferred);
    out.writeInt(most);
  }

  /** Writes the name of a metadata context. */
  public static void context(ByteBuf out, int option, int id, String name) {
    byte[] text = name.getBytes(UTF_8);
    header(out, option, NbdNumbers.REP_META_CONTEXT, 4 + text.length);
    out.writeInt(id);
    out.writeBytes(text);
  }

  /** Writes the answer to EXPORT_NAME, with which the handshake ends. */
  public static void oldExport(ByteBuf out, long sizeBytes, int flags, boolean withoutZeroes) {
    out.writeLong(sizeBytes);
    out.writeShort(flags);
    if (!withoutZeroes) {
      out.writeZero(ZEROES_BEHIND_EXPORT);
    }
  }

  private static void header(ByteBuf out, int option, int reply, int length) {
    out.writeLong(NbdNumbers.OPTION_REPLY_MAGIC);
    out.writeInt(option);
    out.writeInt(reply);
    out.writeInt(length);
  }

  /** Returns the text as UTF-8, cut between two characters if it is longer than allowed. */
  static byte[] bounded(String text) {
    byte[] bytes = text.getBytes(UTF_8);
    int end = NbdNumbers.MAX_STRING_BYTES;
    if (bytes.length <= end) {
      return bytes;
    }
    while ((bytes[end] & 0xc0) == 0x80) {
      end--;
    }
    return Arrays.copyOf(bytes, end);
  }
}
