package corfu.access;

import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.NodeRequest.Introduce;
import java.nio.charset.StandardCharsets;

/** The streams, or the part of the cluster, for which a grant gives a permission. */
public sealed interface Target {

  /** Returns the text for people; {@link #parse} reads that of streams. */
  String text();

  /** Returns whether the target is made of streams. */
  default boolean isOfStreams() {
    return true;
  }

  /**
   * One stream by its name.
   *
   * @param name the name, 1 to {@link Introduce#MOST_NAME_BYTES} bytes of UTF-8
   */
  record Named(String name) implements Target {
    public Named {
      checkName(name, 1);
    }

    /** Returns the stream's id. */
    public StreamId id() {
      return StreamId.named(name);
    }

    @Override
    public String text() {
      return name.startsWith("id:") || name.startsWith("name:") || name.endsWith("*")
          ? "name:" + name
          : name;
    }
  }

  /**
   * All streams whose names begin with a text. A server knows the names that clients introduce.
   *
   * @param prefix the beginning of the names, 1 to {@link Introduce#MOST_NAME_BYTES} bytes of UTF-8
   */
  record NamePrefix(String prefix) implements Target {
    public NamePrefix {
      checkName(prefix, 1);
    }

    @Override
    public String text() {
      return prefix + "*";
    }
  }

  /** One stream by its id. */
  record Id(StreamId id) implements Target {
    public Id {
      if (id.equals(StreamId.NONE)) {
        throw new IllegalArgumentException(
            "stream " + id + " is reserved; entries of no stream need read-log or append-log");
      }
    }

    @Override
    public String text() {
      return "id:" + id;
    }
  }

  /**
   * All streams whose ids begin with some bits.
   *
   * @param high the first 64 bits of the ids
   * @param low the other 64 bits
   * @param bits the number of bits that count, 1 to 128; all others are 0
   */
  record IdPrefix(long high, long low, int bits) implements Target {
    public IdPrefix {
      if (bits < 1 || bits > 128) {
        throw new IllegalArgumentException("ids begin with 1 to 128 bits, but not with " + bits);
      }
      if ((high & ~highMask(bits)) != 0 || (low & ~lowMask(bits)) != 0) {
        throw new IllegalArgumentException(
            "bits behind the first %d of an id are set".formatted(bits));
      }
    }

    /** Returns whether the id begins with the bits. */
    public boolean matches(StreamId id) {
      return (id.high() & highMask(bits)) == high && (id.low() & lowMask(bits)) == low;
    }

    private static long highMask(int bits) {
      return bits >= 64 ? -1 : -1L << (64 - bits);
    }

    private static long lowMask(int bits) {
      return bits <= 64 ? 0 : -1L << (128 - bits);
    }

    @Override
    public String text() {
      String digits = "%016x%016x".formatted(high, low);
      return "id:" + digits.substring(0, (bits + 3) / 4) + "/" + bits;
    }
  }

  /** All streams, introduced or not, except those that only administrators may change. */
  record AllStreams() implements Target {
    public static final AllStreams ALL_STREAMS = new AllStreams();

    @Override
    public String text() {
      return "*";
    }
  }

  /** The log outside of streams, or the cluster: what the permission itself says. */
  record Whole() implements Target {
    public static final Whole WHOLE = new Whole();

    @Override
    public boolean isOfStreams() {
      return false;
    }

    @Override
    public String text() {
      return "";
    }
  }

  /** Returns the target of a permission that is not for streams, or that is for all streams. */
  static Target whole(Permission permission) {
    return permission.isForStreams() ? AllStreams.ALL_STREAMS : Whole.WHOLE;
  }

  /**
   * Reads streams: {@code orders} (by name), {@code orders/*} (names that begin so), {@code *}
   * (all), {@code id:UUID}, {@code id:3f2a9c00/32} (ids whose first 32 bits are these), and {@code
   * name:TEXT} for a name that looks like one of the others.
   *
   * @throws IllegalArgumentException if the text is none of these
   */
  static Target parse(String text) {
    if (text.startsWith("name:")) {
      return new Named(text.substring("name:".length()));
    }
    if (text.startsWith("id:")) {
      String id = text.substring("id:".length());
      int slash = id.indexOf('/');
      return slash < 0 ? new Id(StreamId.parse(id)) : idPrefix(id, slash);
    }
    if (text.equals("*")) {
      return AllStreams.ALL_STREAMS;
    }
    return text.endsWith("*")
        ? new NamePrefix(text.substring(0, text.length() - 1))
        : new Named(text);
  }

  private static Target idPrefix(String text, int slash) {
    String digits = text.substring(0, slash).replace("-", "");
    try {
      int bits = Integer.parseInt(text.substring(slash + 1));
      if (digits.isEmpty() || digits.length() > 32 || digits.length() * 4 < bits) {
        throw new IllegalArgumentException(
            "%d bits of an id have %d hexadecimal digits, but not %d"
                .formatted(bits, (bits + 3) / 4, digits.length()));
      }
      String all = digits + "0".repeat(32 - digits.length());
      return new IdPrefix(
          Long.parseUnsignedLong(all.substring(0, 16), 16),
          Long.parseUnsignedLong(all.substring(16), 16),
          bits);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(
          "the first bits of ids are hexadecimal digits and their number, as in id:3f2a9c00/32,"
              + " but not id:"
              + text,
          e);
    }
  }

  private static void checkName(String name, int least) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < least || bytes > Introduce.MOST_NAME_BYTES) {
      throw new IllegalArgumentException(
          "the name of a stream in a grant has %d to %d bytes, but not %d"
              .formatted(least, Introduce.MOST_NAME_BYTES, bytes));
    }
  }
}
