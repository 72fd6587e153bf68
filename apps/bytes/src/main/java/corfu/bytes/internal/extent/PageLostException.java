package corfu.bytes.internal.extent;

/**
 * A page of a map of extents was trimmed before it was loaded: a newer checkpoint has replaced its
 * own. The version must be found anew, from that checkpoint or from the array's entries.
 */
public final class PageLostException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /** Creates an exception for a page. */
  public PageLostException(StoredPage page) {
    super(
        "the entry at address %d, at place %d of its stream, with pages of a map was trimmed"
                .formatted(page.address(), page.place())
            + ": find the version anew");
  }
}
