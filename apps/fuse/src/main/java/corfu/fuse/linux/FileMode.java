package corfu.fuse.linux;

/** The bits of a file's mode: its type and its permissions. */
public final class FileMode {

  /** The mask of the type's bits. */
  public static final int TYPE = 0xF000;

  public static final int FIFO = 0x1000;
  public static final int CHARACTER_DEVICE = 0x2000;
  public static final int DIRECTORY = 0x4000;
  public static final int BLOCK_DEVICE = 0x6000;
  public static final int REGULAR = 0x8000;
  public static final int SYMBOLIC_LINK = 0xA000;
  public static final int SOCKET = 0xC000;

  public static final int SET_USER_ID = 0x800;
  public static final int SET_GROUP_ID = 0x400;

  /** The mask of the permissions, with set-user-id, set-group-id and sticky bits. */
  public static final int PERMISSIONS = 0xFFF;

  private FileMode() {}

  /** Returns whether a file with this mode is a directory. */
  public static boolean isDirectory(int mode) {
    return (mode & TYPE) == DIRECTORY;
  }

  /** Returns whether a file with this mode is a regular file. */
  public static boolean isRegular(int mode) {
    return (mode & TYPE) == REGULAR;
  }
}
