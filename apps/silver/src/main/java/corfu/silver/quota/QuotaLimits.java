package corfu.silver.quota;

import static java.nio.charset.StandardCharsets.US_ASCII;

import corfu.fuse.protocol.FileName;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The limits of everything below a directory. They are extended attributes of the directory, whose
 * values are decimal numbers.
 *
 * @param bytes the most bytes, 1 or more; empty without a limit
 * @param nodes the most nodes, 1 or more; empty without a limit
 */
public record QuotaLimits(OptionalLong bytes, OptionalLong nodes) {

  /** The extended attribute of the limit of bytes. */
  public static final FileName BYTES = FileName.of("trusted.silver.quota.bytes");

  /** The extended attribute of the limit of nodes. */
  public static final FileName NODES = FileName.of("trusted.silver.quota.nodes");

  /** No limits. */
  public static final QuotaLimits NONE =
      new QuotaLimits(OptionalLong.empty(), OptionalLong.empty());

  private static final int MOST_DIGITS = 18;

  /** Returns whether an extended attribute is a limit. */
  public static boolean isLimit(FileName attribute) {
    return attribute.equals(BYTES) || attribute.equals(NODES);
  }

  /** Returns the limits that a directory's extended attributes tell. Wrong values are no limits. */
  public static QuotaLimits of(Map<FileName, byte[]> attributes) {
    return new QuotaLimits(parse(attributes.get(BYTES)), parse(attributes.get(NODES)));
  }

  /** Returns the limit in a value, or empty if it is no decimal number from 1 to 10^18 - 1. */
  public static OptionalLong parse(byte @Nullable [] value) {
    if (value == null || value.length == 0 || value.length > MOST_DIGITS) {
      return OptionalLong.empty();
    }
    long limit = 0;
    for (byte digit : value) {
      if (digit < '0' || digit > '9') {
        return OptionalLong.empty();
      }
      limit = 10 * limit + digit - '0';
    }
    return limit == 0 ? OptionalLong.empty() : OptionalLong.of(limit);
  }

  /** Returns the value of an extended attribute for a limit. */
  public static byte[] format(long limit) {
    return Long.toString(limit).getBytes(US_ASCII);
  }

  /** Returns whether there is no limit. */
  public boolean isNone() {
    return equals(NONE);
  }

  /** Returns the room that is left, 0 or more; without a limit, the largest number. */
  public Usage room(Usage used) {
    return new Usage(room(bytes, used.bytes()), room(nodes, used.nodes()));
  }

  private static long room(OptionalLong limit, long used) {
    return limit.isPresent() ? Math.max(0, limit.getAsLong() - used) : Long.MAX_VALUE;
  }
}
