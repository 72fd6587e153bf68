package corfu.protocol;

/** What an address holds once it is decided. The code is part of the entry's bytes. */
public enum EntryKind {
  /** Somebody's append. */
  DATA(1),
  /** Junk: nobody will ever write here. */
  HOLE(2);

  private final byte code;

  EntryKind(int code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /**
   * The kind of this code.
   *
   * @throws IllegalArgumentException if there is none
   */
  public static EntryKind ofCode(int code) {
    return switch (code) {
      case 1 -> DATA;
      case 2 -> HOLE;
      default -> throw new IllegalArgumentException("no entry kind has code " + code);
    };
  }
}
