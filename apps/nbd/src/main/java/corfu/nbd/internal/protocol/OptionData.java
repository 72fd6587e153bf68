package corfu.nbd.internal.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.util.ArrayList;
import java.util.List;

/** The data of options. */
public final class OptionData {

  private OptionData() {}

  /**
   * The information about an export that a client asks for.
   *
   * @param export the name of the export
   * @param types the types of information
   */
  public record InfoQuery(String export, List<Integer> types) {}

  /**
   * The metadata contexts of an export that a client asks for.
   *
   * @param export the name of the export
   * @param queries the queries, each with a namespace and a colon
   */
  public record ContextQuery(String export, List<String> queries) {}

  /**
   * Returns all bytes as a name.
   *
   * @throws InvalidOptionException if they are none
   */
  public static String name(ByteBuf data) {
    return string(data, data.readableBytes(), "the export's name");
  }

  /**
   * Reads the data of INFO and GO.
   *
   * @throws InvalidOptionException if they are malformed
   */
  public static InfoQuery infoQuery(ByteBuf data) {
    String export = lengthAndString(data, "the export's name");
    require(data, 2, "the number of information requests");
    int count = data.readUnsignedShort();
    if (data.readableBytes() != 2 * count) {
      throw new InvalidOptionException(
          "%d information requests have %d bytes instead of %d"
              .formatted(count, data.readableBytes(), 2 * count));
    }
    List<Integer> types = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      types.add(data.readUnsignedShort());
    }
    return new InfoQuery(export, types);
  }

  /**
   * Reads the data of LIST_META_CONTEXT and SET_META_CONTEXT.
   *
   * @throws InvalidOptionException if they are malformed
   */
  public static ContextQuery contextQuery(ByteBuf data) {
    String export = lengthAndString(data, "the export's name");
    require(data, 4, "the number of queries");
    long count = data.readUnsignedInt();
    if (count > data.readableBytes() / 4) {
      throw new InvalidOptionException(
          "%d queries do not fit into %d bytes".formatted(count, data.readableBytes()));
    }
    List<String> queries = new ArrayList<>((int) count);
    for (int i = 0; i < count; i++) {
      String query = lengthAndString(data, "a query");
      if (query.indexOf(':') < 1) {
        throw new InvalidOptionException("a query has no namespace and colon: " + query);
      }
      queries.add(query);
    }
    if (data.isReadable()) {
      throw new InvalidOptionException(
          "%d bytes behind the last query".formatted(data.readableBytes()));
    }
    return new ContextQuery(export, queries);
  }

  private static String lengthAndString(ByteBuf data, String what) {
    require(data, 4, "the length of " + what);
    return string(data, data.readUnsignedInt(), what);
  }

  private static String string(ByteBuf data, long length, String what) {
    if (length > NbdNumbers.MAX_STRING_BYTES) {
      throw new InvalidOptionException(
          "%s has %d bytes; the bound is %d".formatted(what, length, NbdNumbers.MAX_STRING_BYTES));
    }
    require(data, (int) length, what);
    byte[] bytes = new byte[(int) length];
    data.readBytes(bytes);
    try {
      String text =
          UTF_8
              .newDecoder()
              .onMalformedInput(CodingErrorAction.REPORT)
              .decode(ByteBuffer.wrap(bytes))
              .toString();
      if (text.indexOf('\0') >= 0) {
        throw new InvalidOptionException(what + " contains a NUL");
      }
      return text;
    } catch (CharacterCodingException malformed) {
      throw new InvalidOptionException(what + " is no UTF-8");
    }
  }

  private static void require(ByteBuf data, int bytes, String what) {
    if (data.readableBytes() < bytes) {
      throw new InvalidOptionException("the data end inside of " + what);
    }
  }
}
