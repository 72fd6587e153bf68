package corfu.bytes.internal.extent;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** A stream of checkpoints in memory, in place of the log. */
final class MemoryLog implements PageStore {

  static final int HEADER_BYTES = 4;

  /** The log address of the first entry; the others follow at every third address. */
  private static final long FIRST_ADDRESS = 1L << 40;

  private final PageCache cache;
  private final int mostBytes;
  private final List<byte[]> entries = new ArrayList<>();
  private long written;
  private int trimmedBefore;
  private int reads;
  private int pagesRead;

  MemoryLog(long mostPageBytes, int mostBytes) {
    this.cache = new PageCache(mostPageBytes);
    this.mostBytes = mostBytes;
  }

  /** A checkpoint: the place of the root, and that of the oldest entry that it needs. */
  @SuppressWarnings("ArrayRecordComponent") // compared by nobody
  record Root(StoredPage page, byte[] bytes, int first) {

    /** Returns the map as a client finds it that has nothing in memory. */
    ExtentMap open() {
      return ExtentMap.stored(page, bytes);
    }
  }

  /** Writes a checkpoint whose pages span at most twice the live ones before it, or some bytes. */
  Root checkpoint(ExtentMap map, long leastSpan) {
    long span = Math.max(leastSpan, 2 * map.sizeIn(this).all());
    var fresh = new TreeWriter.Fresh(trimmedBefore, Math.max(0, written - span), written);
    TreeWriter writer = new TreeWriter(this, fresh, HEADER_BYTES, mostBytes, this::append);
    TreeWriter.Tail tail = writer.write(map);
    TreeWriter.Appended entry = append(ByteBuffer.wrap(tail.pages()));
    writer.isAppended(entry);
    byte[] root = Arrays.copyOfRange(tail.pages(), tail.rootAt(), tail.pages().length);
    long oldest = tail.oldestPlace().orElse(entry.place());
    var page =
        new StoredPage(
            this,
            entry.address(),
            entry.place(),
            HEADER_BYTES + tail.rootAt(),
            root.length,
            oldest,
            tail.oldestAt(),
            tail.treeBytes(),
            null);
    return new Root(page, root, (int) oldest);
  }

  private TreeWriter.Appended append(ByteBuffer pages) {
    byte[] entry = new byte[HEADER_BYTES + pages.remaining()];
    pages.get(entry, HEADER_BYTES, pages.remaining());
    entries.add(entry);
    written += entry.length;
    int place = entries.size() - 1;
    return new TreeWriter.Appended(FIRST_ADDRESS + 3L * place, place);
  }

  void trim(int before) {
    trimmedBefore = Math.max(trimmedBefore, before);
  }

  long written() {
    return written;
  }

  int end() {
    return entries.size();
  }

  /** Returns the bytes of the entries from a place to the end. */
  long bytesFrom(int place) {
    return entries.subList(place, entries.size()).stream().mapToLong(entry -> entry.length).sum();
  }

  int reads() {
    return reads;
  }

  int pagesRead() {
    return pagesRead;
  }

  @Override
  public List<byte[]> read(List<StoredPage> pages) {
    reads++;
    pagesRead += pages.size();
    List<byte[]> read = new ArrayList<>();
    for (StoredPage page : pages) {
      int place = Math.toIntExact((page.address() - FIRST_ADDRESS) / 3);
      if (place < trimmedBefore) {
        throw new PageLostException(page);
      }
      read.add(
          Arrays.copyOfRange(entries.get(place), page.position(), page.position() + page.bytes()));
    }
    return read;
  }

  @Override
  public PageStore.Decoder decoder() {
    return PageFormat.DECODER;
  }

  @Override
  public PageCache cache() {
    return cache;
  }
}
