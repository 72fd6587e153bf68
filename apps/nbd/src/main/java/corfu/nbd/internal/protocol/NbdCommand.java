package corfu.nbd.internal.protocol;

import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_DF;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FAST_ZERO;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FUA;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_NO_HOLE;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_REQ_ONE;

/** The commands of the transmission. The order is that of their codes. */
public enum NbdCommand {
  READ(CMD_FLAG_DF),
  WRITE(0),
  DISC(0),
  FLUSH(0),
  TRIM(0),
  CACHE(0),
  WRITE_ZEROES(CMD_FLAG_NO_HOLE | CMD_FLAG_FAST_ZERO),
  BLOCK_STATUS(CMD_FLAG_REQ_ONE),
  RESIZE(0);

  private static final NbdCommand[] BY_CODE = values();

  private final int flags;

  NbdCommand(int flags) {
    this.flags = flags | CMD_FLAG_FUA; // valid everywhere, and without effect where nothing changes
  }

  /** Returns whether there is a command of this code. */
  public static boolean exists(int code) {
    return code < BY_CODE.length;
  }

  /** Returns the command of a code that {@link #exists}. */
  public static NbdCommand of(int code) {
    return BY_CODE[code];
  }

  /** Returns the flags that the command may have, except for {@code PAYLOAD_LEN}. */
  public int flags() {
    return flags;
  }

  /** Returns whether the command changes the export. */
  public boolean isChange() {
    return switch (this) {
      case WRITE, TRIM, WRITE_ZEROES, RESIZE -> true;
      case READ, DISC, FLUSH, CACHE, BLOCK_STATUS -> false;
    };
  }

  /** Returns whether the command has a range of the export. */
  public boolean hasRange() {
    return switch (this) {
      case READ, WRITE, TRIM, CACHE, WRITE_ZEROES, BLOCK_STATUS -> true;
      case DISC, FLUSH, RESIZE -> false;
    };
  }
}
