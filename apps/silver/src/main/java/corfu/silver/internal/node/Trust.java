package corfu.silver.internal.node;

/** Whether memory may answer without a question to the log. Thread-safe. */
public interface Trust {

  /** Memory never answers alone. */
  Trust NONE =
      new Trust() {
        @Override
        public long since() {
          return Long.MAX_VALUE;
        }

        @Override
        public void doubt() {}
      };

  /**
   * Returns the log address from which on no other client has changed anything, and none does now.
   * A state that includes all entries below it is the newest one, with what this client has added.
   *
   * @return that address, or {@link Long#MAX_VALUE} if there may be others
   */
  long since();

  /** Memory may lack an entry whose outcome is unknown. */
  void doubt();
}
