package corfu.runtime.internal.append;

/**
 * An append's knowledge of the head of its chain. The head decides whether the append gets its
 * address (R1).
 */
enum HeadState {
  /** The head was not asked, or no request reached it. */
  NOT_ASKED,

  /**
   * The head refused to write. The refusal concerns only one copy of the request. The head may have
   * accepted another copy before, or may yet accept one in the same epoch.
   */
  TURNED_DOWN,

  /** The head was asked to write, and the client does not know whether it did. */
  IN_DOUBT,

  /** The head holds the entry. */
  ACCEPTED;

  HeadState doubted() {
    return this == ACCEPTED ? ACCEPTED : IN_DOUBT;
  }

  HeadState turnedDown() {
    return this == NOT_ASKED ? TURNED_DOWN : this;
  }

  /** Returns whether a client may see the entry. */
  boolean mayBeVisible() {
    return switch (this) {
      case NOT_ASKED, TURNED_DOWN -> false;
      case IN_DOUBT, ACCEPTED -> true;
    };
  }
}
