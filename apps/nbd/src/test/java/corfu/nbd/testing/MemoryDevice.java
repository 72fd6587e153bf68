package corfu.nbd.testing;

import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.DeviceInfo;
import corfu.nbd.ExportDescription;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * A sparse device in memory. All connections share it; {@link #connection} is what one of them
 * opens. Every call is complete at its return. Thread-safe.
 */
public final class MemoryDevice {

  public static final String ALLOCATION = "base:allocation";
  public static final String DEPTH = "qemu:allocation-depth";

  /** The context that marks what has changed since {@link #beginBitmap}. */
  public static final String CHANGES = "qemu:dirty-bitmap:v1";

  private static final int PAGE = 4096;

  private final TreeMap<Long, byte[]> pages = new TreeMap<>();
  private final Set<Long> changed = new HashSet<>();
  private final List<LongConsumer> receivers = new CopyOnWriteArrayList<>();
  private final boolean readOnly;
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger flushes = new AtomicInteger();
  private long sizeBytes;

  /** Creates a device of zeros. */
  public MemoryDevice(long sizeBytes) {
    this(sizeBytes, false);
  }

  /** Creates a device of zeros. */
  public MemoryDevice(long sizeBytes, boolean readOnly) {
    this.sizeBytes = sizeBytes;
    this.readOnly = readOnly;
  }

  /** Returns the device as one connection sees it. */
  public BlockDevice connection() {
    open.incrementAndGet();
    return new Connection();
  }

  /** Returns the facts of the device, without a connection. */
  public ExportDescription description() {
    return new Description();
  }

  /** Returns the number of connections that are not closed. */
  public int openConnections() {
    return open.get();
  }

  /** Returns the number of flushes, and of changes that were forced. */
  public int flushes() {
    return flushes.get();
  }

  /** Returns the number of pages that hold data. */
  public synchronized int dataPages() {
    return pages.size();
  }

  /** Forgets what has changed. */
  public synchronized void beginBitmap() {
    changed.clear();
  }

  /** Returns the bytes of a range. */
  public synchronized byte[] bytes(long offset, int length) {
    byte[] bytes = new byte[length];
    for (int at = 0; at < length; ) {
      int inPage = (int) ((offset + at) % PAGE);
      int count = Math.min(length - at, PAGE - inPage);
      byte[] page = pages.get((offset + at) / PAGE);
      if (page != null) {
        System.arraycopy(page, inPage, bytes, at, count);
      }
      at += count;
    }
    return bytes;
  }

  private synchronized void put(long offset, ByteBuffer data) {
    while (data.hasRemaining()) {
      int inPage = (int) (offset % PAGE);
      int count = Math.min(data.remaining(), PAGE - inPage);
      data.get(pages.computeIfAbsent(offset / PAGE, index -> new byte[PAGE]), inPage, count);
      changed.add(offset / PAGE);
      offset += count;
    }
  }

  private synchronized void clear(long offset, long length, boolean punch) {
    long end = offset + length;
    if (punch && length > (1L << 20)) { // whole pages, without a look at each that is absent
      long from = (offset + PAGE - 1) / PAGE;
      long to = end / PAGE;
      Set<Long> gone = new HashSet<>(pages.subMap(from, to).keySet());
      changed.addAll(gone);
      pages.keySet().removeAll(gone);
      clear(offset, from * PAGE - offset, true);
      clear(to * PAGE, end - to * PAGE, true);
      return;
    }
    while (offset < end) {
      int inPage = (int) (offset % PAGE);
      int count = (int) Math.min(end - offset, PAGE - inPage);
      if (punch && count == PAGE) {
        pages.remove(offset / PAGE);
        changed.add(offset / PAGE);
      } else if (!punch || pages.containsKey(offset / PAGE)) {
        put(offset, ByteBuffer.allocate(count));
      }
      offset += count;
    }
  }

  private synchronized List<BlockDevice.StatusExtent> status(
      String context, long offset, long length) {
    List<BlockDevice.StatusExtent> extents = new ArrayList<>();
    for (long at = offset; at < offset + length; ) {
      long page = at / PAGE;
      long count = Math.min(offset + length, (page + 1) * PAGE) - at;
      boolean data = pages.containsKey(page);
      long flags =
          switch (context) {
            case ALLOCATION -> data ? 0 : 3;
            case DEPTH -> data ? 1 : 0;
            default -> changed.contains(page) ? 1 : 0;
          };
      extents.add(new BlockDevice.StatusExtent(count, flags));
      at += count;
    }
    return extents;
  }

  /** Gives the device another size, as an administrator does. */
  public void resize(long newSize) {
    synchronized (this) {
      if (newSize < sizeBytes) {
        clear(newSize, sizeBytes - newSize, true);
      }
      sizeBytes = newSize;
    }
    receivers.forEach(receiver -> receiver.accept(newSize));
  }

  private synchronized long size() {
    return sizeBytes;
  }

  private static CompletableFuture<Void> done() {
    return CompletableFuture.completedFuture(null);
  }

  private class Description implements ExportDescription {

    @Override
    public DeviceInfo info() {
      return new DeviceInfo("a device in memory", size(), 1, PAGE, readOnly);
    }

    @Override
    public boolean canResize() {
      return !readOnly;
    }

    @Override
    public List<String> contexts(String query) {
      return Stream.of(ALLOCATION, DEPTH, CHANGES)
          .filter(name -> query.endsWith(":") ? name.startsWith(query) : name.equals(query))
          .toList();
    }
  }

  private final class Connection extends Description implements BlockDevice {

    @Override
    public CompletableFuture<Void> read(long offset, ByteBuffer into) {
      into.put(into.position(), bytes(offset, into.remaining()));
      return done();
    }

    @Override
    public CompletableFuture<Void> write(long offset, ByteBuffer data, boolean fua) {
      put(offset, data);
      return force(fua);
    }

    private CompletableFuture<Void> force(boolean fua) {
      if (fua) {
        flushes.incrementAndGet();
      }
      return done();
    }

    @Override
    public CompletableFuture<Void> flush() {
      return force(true);
    }

    @Override
    public CompletableFuture<Void> trim(long offset, long length, boolean fua) {
      clear(offset, length, true);
      return force(fua);
    }

    @Override
    public CompletableFuture<Void> writeZeroes(
        long offset, long length, boolean mayPunch, boolean fastOnly, boolean fua) {
      if (fastOnly && !mayPunch) {
        return CompletableFuture.failedFuture(
            new BlockDeviceException(Reason.NOT_SUPPORTED, "zeros that keep space are not fast"));
      }
      clear(offset, length, mayPunch);
      return force(fua);
    }

    @Override
    public CompletableFuture<Void> cache(long offset, long length) {
      return done();
    }

    @Override
    public CompletableFuture<List<StatusExtent>> blockStatus(
        String context, long offset, long length) {
      return CompletableFuture.completedFuture(status(context, offset, length));
    }

    @Override
    public void onResize(LongConsumer receiver) {
      receivers.add(receiver);
    }

    @Override
    public CompletableFuture<Void> resize(long newSize) {
      MemoryDevice.this.resize(newSize);
      return done();
    }

    @Override
    public void close() {
      open.decrementAndGet();
    }
  }
}
