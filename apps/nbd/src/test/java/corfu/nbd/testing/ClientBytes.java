package corfu.nbd.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.nbd.internal.protocol.NbdCommand;
import corfu.nbd.internal.protocol.NbdNumbers;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** The bytes that a client sends. */
public final class ClientBytes {

  private ClientBytes() {}

  /** Returns the client flags. */
  public static ByteBuf flags(int flags) {
    return Unpooled.buffer().writeInt(flags);
  }

  /** Returns the flags of a usual client. */
  public static ByteBuf usualFlags() {
    return flags(NbdNumbers.FLAG_FIXED_NEWSTYLE | NbdNumbers.FLAG_NO_ZEROES);
  }

  public static ByteBuf option(int option) {
    return option(option, Unpooled.EMPTY_BUFFER);
  }

  public static ByteBuf option(int option, ByteBuf data) {
    return Unpooled.buffer()
        .writeLong(NbdNumbers.IHAVEOPT)
        .writeInt(option)
        .writeInt(data.readableBytes())
        .writeBytes(data);
  }

  public static ByteBuf optionHeader(int option, int length) {
    return Unpooled.buffer().writeLong(NbdNumbers.IHAVEOPT).writeInt(option).writeInt(length);
  }

  public static ByteBuf go(String export) {
    return inform(NbdNumbers.OPT_GO, export);
  }

  /** Returns the option INFO or GO, which asks for these types of information. */
  public static ByteBuf inform(int option, String export, int... types) {
    ByteBuf data = named(export).writeShort(types.length);
    for (int type : types) {
      data.writeShort(type);
    }
    return option(option, data);
  }

  public static ByteBuf contexts(int option, String export, String... queries) {
    ByteBuf data = named(export).writeInt(queries.length);
    for (String query : queries) {
      data.writeBytes(named(query));
    }
    return option(option, data);
  }

  private static ByteBuf named(String name) {
    byte[] text = name.getBytes(UTF_8);
    return Unpooled.buffer().writeInt(text.length).writeBytes(text);
  }

  /** Returns a compact request without its payload. */
  public static ByteBuf request(
      NbdCommand command, int flags, long cookie, long offset, long length) {
    return Unpooled.buffer()
        .writeInt(NbdNumbers.REQUEST_MAGIC)
        .writeShort(flags)
        .writeShort(command.code())
        .writeLong(cookie)
        .writeLong(offset)
        .writeInt((int) length);
  }

  /** Returns a compact request to write. */
  public static ByteBuf write(long cookie, long offset, byte[] data) {
    return request(NbdCommand.WRITE, 0, cookie, offset, data.length).writeBytes(data);
  }

  /** Returns the bytes with which a client gets into the transmission, with simple replies. */
  public static ByteBuf begin(String export) {
    return Unpooled.wrappedBuffer(usualFlags(), go(export));
  }

  /** As {@link #begin}, with structured replies. */
  public static ByteBuf beginStructured(String export) {
    return Unpooled.wrappedBuffer(
        usualFlags(), option(NbdNumbers.OPT_STRUCTURED_REPLY), go(export));
  }
}
