package corfu.bytes.internal.extent;

/** The format of pages of maps, for stores of pages. */
public final class PageFormat {

  /** The decoder that every store of pages returns. */
  public static final PageStore.Decoder DECODER = PageCodec::decode;

  private PageFormat() {}
}
