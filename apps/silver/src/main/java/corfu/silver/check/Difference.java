package corfu.silver.check;

/**
 * A path that differs between two versions.
 *
 * @param kind the kind of the difference
 * @param path the path from the root, without a leading slash; empty for the root
 */
public record Difference(Kind kind, String path) {

  /** The kinds of differences. */
  public enum Kind {
    /** Only the later version has the path. */
    ADDED,
    /** Only the earlier version has the path. */
    REMOVED,
    /** Both versions have the path; its node has another type, attributes, bytes or names. */
    CHANGED
  }
}
