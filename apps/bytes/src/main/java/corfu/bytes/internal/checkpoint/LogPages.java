package corfu.bytes.internal.checkpoint;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.PageCache;
import corfu.bytes.internal.extent.PageFormat;
import corfu.bytes.internal.extent.PageLostException;
import corfu.bytes.internal.extent.PageStore;
import corfu.bytes.internal.extent.StoredPage;
import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import java.util.ArrayList;
import java.util.List;

/**
 * The pages in the checkpoints of one array. Each is a part of an entry, which the log verifies.
 *
 * @param array the array's stream
 * @param lost is told of pages that were trimmed
 */
record LogPages(StreamId array, Log log, PageCache cache, LostPages lost) implements PageStore {

  @Override
  public List<byte[]> read(List<StoredPage> pages) {
    List<PayloadRange> ranges =
        pages.stream()
            .map(page -> new PayloadRange(page.address(), page.position(), page.bytes()))
            .toList();
    List<EntryPart> parts = log.readParts(ranges);
    List<byte[]> read = new ArrayList<>(pages.size());
    for (int i = 0; i < parts.size(); i++) {
      read.add(bytes(pages.get(i), parts.get(i)));
    }
    return read;
  }

  @Override
  public PageStore.Decoder decoder() {
    return PageFormat.DECODER;
  }

  private byte[] bytes(StoredPage page, EntryPart part) {
    return switch (part) {
      case EntryPart.Data data when data.bytes().remaining() == page.bytes() -> data.toBytes();
      case EntryPart.Trimmed trimmed -> {
        lost.isLost(array, page.place());
        throw new PageLostException(page);
      }
      case EntryPart other ->
          throw new DamagedRecordException(
              new Address(page.address()),
              "a page of a map of %d bytes was to be at position %d, but not %s"
                  .formatted(page.bytes(), page.position(), other));
    };
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof LogPages same && array.equals(same.array) && log == same.log;
  }

  @Override
  public int hashCode() {
    return array.hashCode();
  }
}
