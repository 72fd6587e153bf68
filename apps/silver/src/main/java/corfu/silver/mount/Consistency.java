package corfu.silver.mount;

/** The promise of a mount about data that another mount has written. */
public enum Consistency {
  /** A read sees every write that had returned before. A write returns when the log has it. */
  STRICT,

  /**
   * An open sees every file that was closed or synced before. Writes wait in a buffer of the mount
   * until the file is closed or synced, or for a bounded time.
   */
  CLOSE
}
