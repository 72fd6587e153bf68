package corfu.fuse.protocol;

/**
 * The header of all requests.
 *
 * @param length all bytes of the request
 * @param opcode the number of its kind
 * @param unique the id that the reply carries
 * @param node the node that the request is about
 * @param uid the file system user id of the caller
 * @param gid the file system group id of the caller
 * @param pid the caller's process, or 0 for the kernel itself
 */
public record RequestHeader(
    int length, int opcode, long unique, long node, int uid, int gid, int pid) {

  /** The bytes of a header. */
  public static final int BYTES = 40;
}
