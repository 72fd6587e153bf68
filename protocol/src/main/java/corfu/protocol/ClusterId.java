package corfu.protocol;

import java.util.UUID;

/**
 * The identity of the cluster to which a server or a client belongs, drawn at random when the
 * cluster is bootstrapped.
 */
public record ClusterId(UUID value) {

  /**
   * Parses the text that {@link #toString} writes.
   *
   * @throws IllegalArgumentException if the text is no UUID
   */
  public static ClusterId parse(String text) {
    try {
      return new ClusterId(UUID.fromString(text));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException("a cluster id is a UUID, but this is '" + text + "'", e);
    }
  }

  @Override
  public String toString() {
    return value.toString();
  }
}
