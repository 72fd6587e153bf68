package corfu.nbd.internal.protocol;

import corfu.nbd.BlockDevice.StatusExtent;
import io.netty.buffer.ByteBuf;
import java.util.List;

/**
 * Writes replies to requests. Data of a read follow their header; the caller sends them.
 *
 * <pre>
 *             0       4       6      8        16       20       24       32
 *             +-------+--------------+--------+
 *   simple    | magic | error        | cookie | data
 *             +-------+-------+------+--------+--------+
 *   structured| magic | flags | type | cookie | length | payload
 *             +-------+-------+------+--------+--------+--------+--------+
 *   extended  | magic | flags | type | cookie | offset          | length | payload
 *             +-------+-------+------+--------+-----------------+--------+
 * </pre>
 */
public final class ReplyHeaders {

  private ReplyHeaders() {}

  /** Writes a simple reply's header. */
  public static void simple(ByteBuf out, NbdRequest request, int error) {
    out.writeInt(NbdNumbers.SIMPLE_REPLY_MAGIC);
    out.writeInt(error);
    out.writeLong(request.cookie());
  }

  /** Writes a chunk's header, in a style with chunks. */
  private static void chunk(
      ByteBuf out, HeaderStyle style, NbdRequest request, int flags, int type, int length) {
    boolean extended = style == HeaderStyle.EXTENDED;
    out.writeInt(extended ? NbdNumbers.EXTENDED_REPLY_MAGIC : NbdNumbers.STRUCTURED_REPLY_MAGIC);
    out.writeShort(flags);
    out.writeShort(type);
    out.writeLong(request.cookie());
    if (extended) {
      out.writeLong(request.offset());
      out.writeLong(length);
    } else {
      out.writeInt(length);
    }
  }

  /** Writes a whole reply without data. */
  public static void success(ByteBuf out, HeaderStyle style, NbdRequest request) {
    if (style == HeaderStyle.EXTENDED
        || (style == HeaderStyle.STRUCTURED && request.type() == NbdCommand.READ.code())) {
      chunk(out, style, request, NbdNumbers.REPLY_FLAG_DONE, NbdNumbers.REPLY_TYPE_NONE, 0);
    } else {
      simple(out, request, 0);
    }
  }

  /**
   * Writes a whole reply with an error.
   *
   * @param message a text for people, where the style has room for one; cut at 4,096 bytes
   */
  public static void failure(
      ByteBuf out, HeaderStyle style, NbdRequest request, NbdError error, String message) {
    if (!style.hasChunks()) {
      simple(out, request, error.code());
      return;
    }
    byte[] text = HandshakeReplies.bounded(message);
    int type = NbdNumbers.REPLY_TYPE_ERROR;
    chunk(out, style, request, NbdNumbers.REPLY_FLAG_DONE, type, 6 + text.length);
    out.writeInt(error.code());
    out.writeShort(text.length);
    out.writeBytes(text);
  }

  /** Writes what precedes data of a read. */
  public static void data(
      ByteBuf out, HeaderStyle style, NbdRequest request, long offset, int length, boolean last) {
    int flags = last ? NbdNumbers.REPLY_FLAG_DONE : 0;
    chunk(out, style, request, flags, NbdNumbers.REPLY_TYPE_OFFSET_DATA, 8 + length);
    out.writeLong(offset);
  }

  /** Writes a chunk for a range that reads as zeros. */
  public static void hole(
      ByteBuf out, HeaderStyle style, NbdRequest request, long offset, int length, boolean last) {
    int flags = last ? NbdNumbers.REPLY_FLAG_DONE : 0;
    chunk(out, style, request, flags, NbdNumbers.REPLY_TYPE_OFFSET_HOLE, 12);
    out.writeLong(offset);
    out.writeInt(length);
  }

  /** Writes the status of a range in one context. Lengths of the extents fit the style. */
  public static void status(
      ByteBuf out,
      HeaderStyle style,
      NbdRequest request,
      int context,
      List<StatusExtent> extents,
      boolean last) {
    int flags = last ? NbdNumbers.REPLY_FLAG_DONE : 0;
    int count = extents.size();
    if (style == HeaderStyle.EXTENDED) {
      int type = NbdNumbers.REPLY_TYPE_BLOCK_STATUS_EXT;
      chunk(out, style, request, flags, type, 8 + 16 * count);
      out.writeInt(context);
      out.writeInt(count);
      for (StatusExtent extent : extents) {
        out.writeLong(extent.length());
        out.writeLong(extent.flags());
      }
    } else {
      int type = NbdNumbers.REPLY_TYPE_BLOCK_STATUS;
      chunk(out, style, request, flags, type, 4 + 8 * count);
      out.writeInt(context);
      for (StatusExtent extent : extents) {
        out.writeInt((int) extent.length());
        out.writeInt((int) extent.flags());
      }
    }
  }
}
