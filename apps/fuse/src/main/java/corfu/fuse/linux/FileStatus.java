package corfu.fuse.linux;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;
import static java.lang.foreign.ValueLayout.JAVA_SHORT;

import java.lang.foreign.MemorySegment;

/**
 * Reads fields of the structure that {@link FileCalls#stat} fills.
 *
 * @param statx the structure, at least {@link #BYTES}
 */
public record FileStatus(MemorySegment statx) {

  /** The bytes of the structure. */
  public static final int BYTES = 256;

  /** The mask of all fields that {@code stat} has, and of the time of creation. */
  public static final int ALL = 0xFFF;

  private static final long MOUNT_ROOT = 0x2000;

  /** Returns whether the path is the root of a mount. */
  public boolean isMountRoot() {
    return (statx.get(JAVA_LONG, 8) & MOUNT_ROOT) != 0;
  }

  /** Returns the fields that are valid. */
  public int mask() {
    return statx.get(JAVA_INT, 0);
  }

  /** Returns the preferred size of transfers in bytes. */
  public int blockSize() {
    return statx.get(JAVA_INT, 4);
  }

  /** Returns the number of names. */
  public int links() {
    return statx.get(JAVA_INT, 16);
  }

  /** Returns the owner. */
  public int uid() {
    return statx.get(JAVA_INT, 20);
  }

  /** Returns the group. */
  public int gid() {
    return statx.get(JAVA_INT, 24);
  }

  /** Returns the type and permissions. */
  public int mode() {
    return Short.toUnsignedInt(statx.get(JAVA_SHORT, 28));
  }

  /** Returns the inode number. */
  public long inode() {
    return statx.get(JAVA_LONG, 32);
  }

  /** Returns the size in bytes. */
  public long size() {
    return statx.get(JAVA_LONG, 40);
  }

  /** Returns the allocated blocks, of 512 bytes each. */
  public long blocks() {
    return statx.get(JAVA_LONG, 48);
  }

  /** Returns the seconds since 1970 of a time. */
  public long seconds(Time time) {
    return statx.get(JAVA_LONG, time.offset);
  }

  /** Returns the nanoseconds within the second of a time. */
  public int nanos(Time time) {
    return statx.get(JAVA_INT, time.offset + 8L);
  }

  /** Returns the number of a device node, as the kernel encodes it in 32 bits. */
  public int device() {
    return encoded(statx.get(JAVA_INT, 128), statx.get(JAVA_INT, 132));
  }

  /** Returns the number of the device that the file lies on. */
  public int containingDevice() {
    return encoded(statx.get(JAVA_INT, 136), statx.get(JAVA_INT, 140));
  }

  /** Returns the device that the file lies on, as {@code MAJOR:MINOR}. */
  public String containingDeviceName() {
    return statx.get(JAVA_INT, 136) + ":" + statx.get(JAVA_INT, 140);
  }

  private static int encoded(int major, int minor) {
    return (minor & 0xFF) | (major << 8) | ((minor & ~0xFF) << 12);
  }

  /** The times of a file. */
  public enum Time {
    ACCESS(64),
    BIRTH(80),
    CHANGE(96),
    MODIFICATION(112);

    private final int offset;

    Time(int offset) {
      this.offset = offset;
    }
  }
}
