package corfu.bytes.internal.extent;

import java.util.List;

/**
 * The log as a store of the pages of one array's maps. Thread-safe. Two stores of the same array
 * are equal.
 */
public interface PageStore {

  /**
   * Reads pages, together.
   *
   * @return the bytes of each, in the order of the list
   * @throws PageLostException if a page is trimmed
   * @throws corfu.bytes.DamagedRecordException if a page is not where it was to be
   */
  List<byte[]> read(List<StoredPage> pages);

  /** Returns the cache that limits the memory of loaded pages. */
  PageCache cache();

  /** Returns the decoder of pages: {@link PageFormat#DECODER}. */
  Decoder decoder();

  /** Makes nodes of the bytes of pages. References load through it, and nodes have references. */
  interface Decoder {

    /**
     * Decodes a page.
     *
     * @throws corfu.bytes.DamagedRecordException if the bytes are no page
     */
    Node decode(StoredPage at, byte[] page);
  }
}
