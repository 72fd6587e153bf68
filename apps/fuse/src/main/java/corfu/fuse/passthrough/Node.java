package corfu.fuse.passthrough;

import static java.nio.charset.StandardCharsets.US_ASCII;

/**
 * A file of the local directory that the kernel knows.
 *
 * @param id the number that the kernel uses
 * @param fd a descriptor that stands for the file, but cannot read or write it
 * @param device the device that the file lies on
 * @param inode its inode number
 */
record Node(long id, int fd, int device, long inode) {

  /** Returns a path that leads to the file, whatever its name is now. */
  byte[] path() {
    return ("/proc/self/fd/" + fd).getBytes(US_ASCII);
  }
}
