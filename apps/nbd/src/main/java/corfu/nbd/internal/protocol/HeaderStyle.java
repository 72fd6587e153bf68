package corfu.nbd.internal.protocol;

/** The headers on which client and server have agreed. */
public enum HeaderStyle {
  /** Compact requests and simple replies: where nothing was negotiated. */
  SIMPLE,
  /** Compact requests; replies with data or errors come in chunks. */
  STRUCTURED,
  /** Requests with lengths of 64 bits; all replies come in chunks. */
  EXTENDED;

  private static final int COMPACT_REQUEST_BYTES = 28;
  private static final int EXTENDED_REQUEST_BYTES = 32;

  /** Returns the number of bytes of a request's header. */
  public int requestBytes() {
    return this == EXTENDED ? EXTENDED_REQUEST_BYTES : COMPACT_REQUEST_BYTES;
  }

  /** Returns whether replies may come in chunks. */
  public boolean hasChunks() {
    return this != SIMPLE;
  }
}
