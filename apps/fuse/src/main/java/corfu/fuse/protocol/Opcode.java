package corfu.fuse.protocol;

/** The kinds of requests that the kernel sends, with its numbers. */
public enum Opcode {
  LOOKUP(1),
  FORGET(2),
  GETATTR(3),
  SETATTR(4),
  READLINK(5),
  SYMLINK(6),
  MKNOD(8),
  MKDIR(9),
  UNLINK(10),
  RMDIR(11),
  RENAME(12),
  LINK(13),
  OPEN(14),
  READ(15),
  WRITE(16),
  STATFS(17),
  RELEASE(18),
  FSYNC(20),
  SETXATTR(21),
  GETXATTR(22),
  LISTXATTR(23),
  REMOVEXATTR(24),
  FLUSH(25),
  INIT(26),
  OPENDIR(27),
  READDIR(28),
  RELEASEDIR(29),
  FSYNCDIR(30),
  GETLK(31),
  SETLK(32),
  SETLKW(33),
  ACCESS(34),
  CREATE(35),
  INTERRUPT(36),
  BMAP(37),
  DESTROY(38),
  IOCTL(39),
  POLL(40),
  NOTIFY_REPLY(41),
  BATCH_FORGET(42),
  FALLOCATE(43),
  READDIRPLUS(44),
  RENAME2(45),
  LSEEK(46),
  COPY_FILE_RANGE(47),
  SYNCFS(50),
  TMPFILE(51),
  STATX(52),
  COPY_FILE_RANGE_64(53);

  /** Every number is less or equal. */
  public static final int MOST = 63;

  private static final Opcode[] BY_CODE = new Opcode[MOST + 1];

  static {
    for (Opcode opcode : values()) {
      BY_CODE[opcode.code] = opcode;
    }
  }

  private final int code;

  Opcode(int code) {
    this.code = code;
  }

  /** Returns the number in the header of a request. */
  public int code() {
    return code;
  }

  /** Returns the opcode with this number, or {@link #NOTIFY_REPLY} for one that Corfu lacks. */
  static Opcode of(int code) {
    Opcode known = code > 0 && code < BY_CODE.length ? BY_CODE[code] : null;
    return known == null ? NOTIFY_REPLY : known; // neither is ever served
  }
}
