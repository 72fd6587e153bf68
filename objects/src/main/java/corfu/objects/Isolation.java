package corfu.objects;

/**
 * The guarantee of a transaction about concurrent changes. All reads are at one snapshot of all
 * objects.
 */
public enum Isolation {
  /**
   * The transaction takes effect at one moment between its beginning and its end, as if nothing
   * else happened then. When it writes, no data that it has read has changed.
   */
  STRICT_SERIALIZABLE,

  /**
   * The transaction reads at its snapshot. When it writes, no other client has changed the data
   * that it changes. Data that it only read may have changed.
   */
  SNAPSHOT
}
