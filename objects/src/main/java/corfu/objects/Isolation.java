package corfu.objects;

/** What a transaction is promised about others. All read at one snapshot of all objects. */
public enum Isolation {
  /**
   * It takes effect at one moment between its beginning and its end, as if nothing else happened
   * then: none of what it has read has been changed when it writes.
   */
  STRICT_SERIALIZABLE,

  /**
   * It reads at its snapshot; none of what it has changed has been changed by others when it
   * writes. What it only read may have been.
   */
  SNAPSHOT
}
