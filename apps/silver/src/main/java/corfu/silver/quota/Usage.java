package corfu.silver.quota;

/**
 * The space that nodes use, or a change of it.
 *
 * @param bytes the sizes of all regular files, holes included
 * @param nodes the number of nodes; a file with several names counts once
 */
public record Usage(long bytes, long nodes) {

  /** No space. */
  public static final Usage NONE = new Usage(0, 0);

  /** Returns the sum of both. */
  public Usage plus(Usage other) {
    return new Usage(bytes + other.bytes, nodes + other.nodes);
  }

  /** Returns this without the other. */
  public Usage minus(Usage other) {
    return new Usage(bytes - other.bytes, nodes - other.nodes);
  }

  /** Returns the part of a change that needs more space. */
  public Usage growth() {
    return new Usage(Math.max(0, bytes), Math.max(0, nodes));
  }
}
