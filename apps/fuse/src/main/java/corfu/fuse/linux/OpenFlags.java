package corfu.fuse.linux;

/** Flags of {@code open}. Four of them differ between AArch64 and other machines. */
public final class OpenFlags {

  public static final int READ_ONLY = 0;
  public static final int WRITE_ONLY = 1;
  public static final int READ_WRITE = 2;
  public static final int ACCESS_MODE = 3;
  public static final int CREATE = 0x40;
  public static final int EXCLUSIVE = 0x80;
  public static final int TRUNCATE = 0x200;
  public static final int APPEND = 0x400;
  public static final int NON_BLOCKING = 0x800;
  public static final int DATA_SYNC = 0x1000;
  public static final int NO_ACCESS_TIME = 0x40000;
  public static final int CLOSE_ON_EXEC = 0x80000;
  public static final int PATH = 0x200000;

  private static final boolean ARM = System.getProperty("os.arch").equals("aarch64");

  public static final int DIRECT = ARM ? 0x10000 : 0x4000;
  public static final int DIRECTORY = ARM ? 0x4000 : 0x10000;
  public static final int NO_FOLLOW = ARM ? 0x8000 : 0x20000;

  private OpenFlags() {}
}
