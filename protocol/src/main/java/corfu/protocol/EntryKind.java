package corfu.protocol;

/** The kind of a decided address's content. The code is part of the entry's bytes. */
public enum EntryKind {
  /** The data of an append. */
  DATA(1),
  /** A hole: no append will ever write to this address. */
  HOLE(2);

  private final byte code;

  EntryKind(int code) {
    this.code = (byte) code;
  }

  public byte code() {
    return code;
  }

  /**
   * Returns the kind of a code.
   *
   * @throws IllegalArgumentException if no kind has this code
   */
  public static EntryKind ofCode(int code) {
    return switch (code) {
      case 1 -> DATA;
      case 2 -> HOLE;
      default -> throw new IllegalArgumentException("no entry kind has code " + code);
    };
  }
}
