package corfu.fuse.testing;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.fuse.Done;
import corfu.fuse.FileSystem;
import corfu.fuse.Kernel;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.fuse.protocol.Attributes;
import corfu.fuse.protocol.Entry;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Notification;
import corfu.fuse.protocol.OpenFile;
import corfu.fuse.protocol.Request;
import corfu.fuse.protocol.TimedAttributes;
import corfu.fuse.protocol.Timestamp;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;

/** A file system in memory with one file. The kernel may cache all of it for an hour. */
public final class OneFile implements FileSystem {

  private static final FileName NAME = FileName.of("file");
  private static final long FILE = 2;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  private final Semaphore reads = new Semaphore(0);
  private final Semaphore locks = new Semaphore(0);
  private final CompletableFuture<Long> interrupted = new CompletableFuture<>();
  private final CountDownLatch unblocked = new CountDownLatch(1);
  private volatile boolean blocks;
  private volatile boolean fails;
  private volatile boolean unmounted;
  private volatile byte[] content = "content".getBytes(UTF_8);

  public void failReads() {
    fails = true;
  }

  public void blockReads() {
    blocks = true;
  }

  public void unblockReads() {
    unblocked.countDown();
  }

  /** Returns when so many reads have begun. */
  public void awaitReads(int count) {
    reads.acquireUninterruptibly(count);
  }

  /** Returns when the kernel has passed a signal on. */
  public void awaitInterrupt() {
    interrupted.join();
  }

  public void change(String text) {
    content = text.getBytes(UTF_8);
  }

  /** Makes the kernel forget the file's content, its attributes and its name. */
  public void invalidate(Kernel kernel) {
    require(kernel.send(new Notification.InvalidateInode(FILE, 0, 0)));
    require(kernel.send(new Notification.InvalidateEntry(ROOT, NAME, false)));
  }

  private static void require(Result<Done> result) {
    if (result instanceof Result.Failure<Done>(Errno errno)) {
      throw new AssertionError("the kernel refuses a notification: " + errno);
    }
  }

  public boolean isUnmounted() {
    return unmounted;
  }

  @Override
  public void unmounted() {
    unmounted = true;
  }

  private Attributes attributes(long node) {
    boolean root = node == ROOT;
    Timestamp time = new Timestamp(1, 0);
    int mode = root ? 0x4000 | 0755 : 0x8000 | 0644;
    return new Attributes(
        node, root ? 0 : content.length, 1, time, time, time, mode, 1, 0, 0, 0, 4096);
  }

  @Override
  public Result<Entry> lookup(Request.Lookup request) {
    return request.name().equals(NAME)
        ? Result.of(new Entry(FILE, 0, HOUR_NANOS, HOUR_NANOS, attributes(FILE)))
        : Result.failed(Errno.ENOENT);
  }

  @Override
  public Result<TimedAttributes> getAttributes(Request.GetAttributes request) {
    return Result.of(new TimedAttributes(attributes(request.header().node()), HOUR_NANOS));
  }

  @Override
  public Result<OpenFile> open(Request.Open request) {
    // The kernel passes signals on only for reads that bypass its cache.
    return Result.of(new OpenFile(0, blocks ? OpenFile.DIRECT_IO : OpenFile.KEEP_CACHE));
  }

  @Override
  public Result<Integer> read(Request.Read request, MemorySegment target) {
    reads.release();
    if (fails) {
      throw new IllegalStateException("a defect of the file system");
    }
    if (blocks && waitForSignal(request.header().unique())) {
      return Result.failed(Errno.EINTR);
    }
    int offset = (int) Math.min(request.offset(), content.length);
    int length = (int) Math.min(content.length - offset, target.byteSize());
    MemorySegment.copy(MemorySegment.ofArray(content), offset, target, 0, length);
    return Result.of(length);
  }

  private boolean waitForSignal(long unique) {
    CompletableFuture<Boolean> signalled = interrupted.thenApply(request -> request.equals(unique));
    Thread.ofVirtual()
        .start(
            () -> {
              try {
                unblocked.await();
              } catch (InterruptedException e) {
                throw new AssertionError(e);
              }
              signalled.complete(false);
            });
    return signalled.join();
  }

  @Override
  public void interrupt(long unique) {
    interrupted.complete(unique);
  }

  @Override
  public Result<Done> release(Request.Release request) {
    return Result.done();
  }

  @Override
  public Result<Done> flush(Request.Flush request) {
    return Result.done();
  }

  /** A lock that nobody gives back. The request begins to wait when a signal has arrived. */
  @Override
  public CompletableFuture<Result<Done>> setLock(Request.SetLock request) {
    locks.release();
    interrupted.join();
    return new CompletableFuture<>();
  }

  /** Returns when a request for a lock has begun. */
  public void awaitLock() {
    locks.acquireUninterruptibly();
  }
}
