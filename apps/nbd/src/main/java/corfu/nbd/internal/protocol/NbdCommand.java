package corfu.nbd.internal.protocol;

import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_DF;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FAST_ZERO;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_FUA;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_NO_HOLE;
import static corfu.nbd.internal.protocol.NbdNumbers.CMD_FLAG_REQ_ONE;

/** The commands of the transmission. */
public enum NbdCommand {
  READ(0, CMD_FLAG_DF),
  WRITE(1, 0),
  DISC(2, 0),
  FLUSH(3, 0),
  TRIM(4, 0),
  CACHE(5, 0),
  WRITE_ZEROES(6, CMD_FLAG_NO_HOLE | CMD_FLAG_FAST_ZERO),
  BLOCK_STATUS(7, CMD_FLAG_REQ_ONE),
  RESIZE(8, 0);

  private static final NbdCommand[] BY_CODE = new NbdCommand[values().length];

  static {
    for (NbdCommand command : values()) {
      BY_CODE[command.code] = command;
    }
  }

  private final int code;
  private final int flags;

  NbdCommand(int code, int flags) {
    this.code = code;
    this.flags = flags | CMD_FLAG_FUA; // valid everywhere, and without effect where nothing changes
  }

  /** Returns the code on the wire. */
  public int code() {
    return code;
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
