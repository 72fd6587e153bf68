package corfu.fuse.protocol;

/**
 * A name's file, as LOOKUP, CREATE and their like reply with it. The kernel counts each reply as
 * one lookup of the node, until FORGET takes them back.
 *
 * @param node the node id; 0 tells the kernel to remember that the name does not exist
 * @param generation distinguishes two files that had the same node id one after the other
 * @param entryValidNanos how long the kernel may use the name without asking, in nanoseconds
 * @param attributesValidNanos how long it may use the attributes, in nanoseconds
 * @param attributes the file's attributes
 */
public record Entry(
    long node,
    long generation,
    long entryValidNanos,
    long attributesValidNanos,
    Attributes attributes) {

  private static final Attributes NONE =
      new Attributes(0, 0, 0, Timestamp.EPOCH, Timestamp.EPOCH, Timestamp.EPOCH, 0, 0, 0, 0, 0, 0);

  /**
   * Returns the reply for a name that does not exist.
   *
   * @param validNanos how long the kernel may remember that, in nanoseconds, at least 0
   */
  public static Entry missing(long validNanos) {
    return new Entry(0, 0, validNanos, 0, NONE);
  }
}
