package corfu.runtime.internal.append;

/**
 * What an append knows of the head of its chain, which decides whether it gets its address (R1).
 */
enum HeadState {
  /** The head was not asked, or no request reached it. */
  NOT_ASKED,

  /**
   * The head was asked to write, and did not. That tells of the copy of the request that it
   * answered; another may have been taken before, or be taken yet, in the same epoch.
   */
  TURNED_DOWN,

  /** The head was asked to write, and it is not known whether it did. */
  IN_DOUBT,

  /** The head holds the entry. */
  ACCEPTED;

  HeadState doubted() {
    return this == ACCEPTED ? ACCEPTED : IN_DOUBT;
  }

  HeadState turnedDown() {
    return this == NOT_ASKED ? TURNED_DOWN : this;
  }

  /** Whether somebody may see the entry. */
  boolean mayBeVisible() {
    return switch (this) {
      case NOT_ASKED, TURNED_DOWN -> false;
      case IN_DOUBT, ACCEPTED -> true;
    };
  }
}
