package corfu.silver.writeback;

import corfu.bytes.VersionedBytes;
import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.fuse.linux.Errno;
import corfu.silver.Caller;
import corfu.silver.NodeId;
import corfu.silver.NodeStatus;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The buffer of a mount. A write returns when its bytes are in the buffer. They reach the log by
 * {@link #flush}, when the buffer is full, and after {@link WriteBackOptions#maxAge}. Operations of
 * this mount see the bytes at once, those of others when they are in the log.
 *
 * <p>If an entry fails, its bytes are given up, and so are those of the file's entries that wait
 * behind it. As on Linux, each handle that was open reports the error once, by its next {@link
 * #flush}. Thread-safe.
 */
public final class WriteBack implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(WriteBack.class);

  private final World world;
  private final WriteBackOptions options;
  private final EntryWriter log;

  private final ReentrantLock lock = new ReentrantLock(); // is taken before that of a file
  private final Condition room = lock.newCondition();
  private final Map<NodeId, DirtyFile> files = new HashMap<>();
  private final LinkedHashSet<NodeId> ready = new LinkedHashSet<>(); // may have chunks to submit
  private int inFlight;
  private final AtomicLong cost = new AtomicLong();
  private final AtomicLong handles = new AtomicLong();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private final CompletableFuture<Void> stopped = new CompletableFuture<>();

  /** The way from the buffer to the log. Each call ends in bounded time. Thread-safe. */
  public interface EntryWriter {

    /** Writes bytes at an offset. */
    Result<Done> write(NodeId node, long offset, ByteBuffer bytes, Caller author);

    /** Writes bytes behind the last one. */
    Result<Done> append(NodeId node, ByteBuffer bytes, Caller author);
  }

  private WriteBack(World world, WriteBackOptions options, EntryWriter log) {
    this.world = world;
    this.options = options;
    this.log = log;
  }

  /** Returns an empty buffer, whose owner closes it. */
  public static WriteBack start(World world, WriteBackOptions options, EntryWriter log) {
    WriteBack buffer = new WriteBack(world, options, log);
    var unused = world.start("silver write-back", buffer::sealOldBytes);
    return buffer;
  }

  // ------------------------------------------------------------------------------------- handles

  /**
   * Opens a file, and returns a handle that no other has.
   *
   * @param forWriting whether the handle may write
   */
  public long open(NodeId node, boolean forWriting) {
    long handle = 2 * handles.incrementAndGet() + (forWriting ? 1 : 0);
    lock.lock();
    try {
      file(node).open(handle);
    } finally {
      lock.unlock();
    }
    return handle;
  }

  /** Returns whether a handle may write. */
  public static boolean isForWriting(long handle) {
    return (handle & 1) != 0;
  }

  /**
   * Closes a handle. If it may write, what waits of the file reaches the log before this returns.
   */
  public void close(NodeId node, long handle) {
    Optional<DirtyFile> known = known(node);
    if (known.isEmpty()) {
      return;
    }
    if (isForWriting(handle)) {
      settle(node);
    }
    known.get().close(handle);
    lock.lock();
    try {
      if (known.get().isUnused()) {
        files.remove(node, known.get());
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns whether a file is open, or has bytes that wait. */
  public boolean isOpen(NodeId node) {
    return known(node).isPresent();
  }

  private DirtyFile file(NodeId node) {
    lock.lock();
    try {
      return files.computeIfAbsent(node, unknown -> new DirtyFile(options.maxEntryBytes()));
    } finally {
      lock.unlock();
    }
  }

  private Optional<DirtyFile> known(NodeId node) {
    lock.lock();
    try {
      return Optional.ofNullable(files.get(node));
    } finally {
      lock.unlock();
    }
  }

  // -------------------------------------------------------------------------------------- writes

  /** Writes bytes at an offset. Waits for room if the buffer is full. */
  public Result<Done> write(NodeId node, long offset, ByteBuffer data, Caller caller) {
    if (offset < 0 || offset > VersionedBytes.MAX_SIZE - data.remaining()) {
      return Result.failed(offset < 0 ? Errno.EINVAL : Errno.EFBIG);
    }
    awaitRoom(data.remaining());
    DirtyFile file = file(node);
    if (file.hasAppends()) {
      settle(node);
    }
    cost.addAndGet(file.write(offset, data, caller, world.nanoTime()));
    submit(node);
    return Result.done();
  }

  /** Writes bytes behind the last one. Waits for room if the buffer is full. */
  public Result<Done> append(NodeId node, ByteBuffer data, Caller caller) {
    awaitRoom(data.remaining());
    DirtyFile file = file(node);
    if (file.hasWrites()) {
      settle(node);
    }
    cost.addAndGet(file.append(data, caller, world.nanoTime()));
    submit(node);
    return Result.done();
  }

  private void awaitRoom(int bytes) {
    if (cost.get() + bytes <= options.maxBytes()) {
      return;
    }
    sealAll(file -> true);
    lock.lock();
    try {
      while (cost.get() > 0 && cost.get() + bytes > options.maxBytes()) {
        room.awaitUninterruptibly();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Drops the bytes at or behind an offset, and waits until none of the others is on its way to the
   * log. The caller then sets the size there.
   */
  public void truncate(NodeId node, long size) {
    known(node)
        .ifPresent(
            file -> {
              cost.addAndGet(file.truncate(size));
              settle(node);
            });
  }

  // ------------------------------------------------------------------------------------ the way

  /** Returns when the bytes that were written before are in the log, or have failed. */
  public void settle(NodeId node) {
    known(node)
        .ifPresent(
            file -> {
              cost.addAndGet(file.sealAll());
              long last = file.lastNumber();
              submit(node);
              file.awaitUpTo(last);
            });
  }

  /**
   * Returns when the bytes that were written before are in the log.
   *
   * @return the error of an entry of this file since the handle's last report
   */
  public Result<Done> flush(NodeId node, long handle) {
    settle(node);
    return known(node)
        .flatMap(file -> file.newError(handle))
        .map(Result::<Done>failed)
        .orElse(Result.done());
  }

  /** Returns when the bytes of all files that were written before are in the log, or EIO. */
  public Result<Done> flushAll() {
    List<NodeId> all = nodes();
    long before = errors(all);
    sealAll(file -> true);
    all.forEach(this::settle);
    return errors(all) > before ? Result.failed(Errno.EIO) : Result.done();
  }

  private long errors(List<NodeId> nodes) {
    return nodes.stream().mapToLong(node -> known(node).map(DirtyFile::errors).orElse(0L)).sum();
  }

  private List<NodeId> nodes() {
    lock.lock();
    try {
      return List.copyOf(files.keySet());
    } finally {
      lock.unlock();
    }
  }

  private interface Choice {
    boolean includes(DirtyFile file);
  }

  private void sealAll(Choice choice) {
    for (NodeId node : nodes()) {
      known(node)
          .filter(choice::includes)
          .ifPresent(
              file -> {
                cost.addAndGet(file.sealAll());
                submit(node);
              });
    }
  }

  /** Runs until the buffer is closed. */
  private void sealOldBytes() {
    long age = options.maxAge().toNanos();
    while (!closed.isDone()) {
      CompletableFuture<Void> later = new CompletableFuture<>();
      World.Timer timer = world.after(Math.max(1, age / 4), () -> later.complete(null));
      var unused = CompletableFuture.anyOf(later, closed).join();
      timer.cancel();
      sealAll(file -> file.isOlderThan(age - age / 4, world.nanoTime()));
    }
    stopped.complete(null);
  }

  /** Sends chunks on their way, as many as may be in flight. */
  private void submit(NodeId node) {
    List<Runnable> starting = new ArrayList<>();
    lock.lock();
    try {
      ready.add(node);
      while (inFlight < options.maxInFlight() && !ready.isEmpty()) {
        NodeId next = ready.removeFirst();
        Optional<DirtyFile> file = Optional.ofNullable(files.get(next));
        Optional<Chunk> chunk = file.flatMap(DirtyFile::takeNext);
        if (chunk.isPresent()) {
          DirtyFile of = file.get();
          ready.addLast(next);
          inFlight++;
          starting.add(() -> carry(next, of, chunk.get()));
        }
      }
    } finally {
      lock.unlock();
    }
    for (Runnable chunk : starting) {
      var unused = world.start("silver chunk", chunk);
    }
  }

  private void carry(NodeId node, DirtyFile file, Chunk chunk) {
    Optional<Errno> error = Optional.of(Errno.EIO);
    try {
      error = errorOf(() -> send(node, chunk));
    } finally {
      long freed = file.ended(chunk, error, bytes -> cost.addAndGet(-bytes));
      error.ifPresent(errno -> LOG.warn("Up to {} bytes of {} are lost: {}", freed, node, errno));
      lock.lock();
      try {
        inFlight--;
        room.signalAll();
      } finally {
        lock.unlock();
      }
      submit(node);
    }
  }

  private static Optional<Errno> errorOf(Supplier<Result<Done>> operation) {
    return operation.get() instanceof Result.Failure<Done>(Errno errno)
        ? Optional.of(errno)
        : Optional.empty();
  }

  private Result<Done> send(NodeId node, Chunk chunk) {
    return switch (chunk) {
      case Chunk.Range(long number, long offset, ByteBuffer bytes, Caller author) ->
          log.write(node, offset, bytes.duplicate(), author);
      case Chunk.Tail(long number, ByteBuffer bytes, Caller author) ->
          log.append(node, bytes.duplicate(), author);
    };
  }

  // --------------------------------------------------------------------------------------- reads

  /** Asks the log for bytes of a file. */
  @FunctionalInterface
  public interface StoredBytes {
    Result<ByteBuffer> read();
  }

  /**
   * Reads bytes of a file: those that wait, over those in the log.
   *
   * @param stored is asked if the log has bytes that do not wait
   */
  public Result<ByteBuffer> read(NodeId node, long offset, int length, StoredBytes stored) {
    Optional<DirtyFile> file = known(node);
    if (file.isEmpty()) {
      return stored.read();
    }
    if (file.get().hasAppends()) {
      settle(node);
    }
    // Bytes that reach the log in between are in both.
    Overlay overlay = file.get().overlay(offset, length);
    if (overlay.isWhole()) {
      return Result.of(overlay.whole());
    }
    return switch (stored.read()) {
      case Result.Success<ByteBuffer>(ByteBuffer bytes) ->
          Result.of(overlay.isEmpty() ? bytes : overlay.over(bytes));
      case Result.Failure<ByteBuffer> failure -> failure;
    };
  }

  /** Asks the log for the attributes of a file. */
  @FunctionalInterface
  public interface StoredStatus {
    Result<NodeStatus> get();
  }

  /** Returns the attributes of a file with what waits. */
  public Result<NodeStatus> status(NodeId node, StoredStatus stored) {
    Optional<DirtyFile> file = known(node);
    if (file.isEmpty()) {
      return stored.get();
    }
    if (file.get().hasAppends()) {
      settle(node);
    }
    DirtyFile.Pending pending = file.get().pending();
    return switch (stored.get()) {
      case Result.Success<NodeStatus>(NodeStatus status) -> Result.of(with(status, pending));
      case Result.Failure<NodeStatus> failure -> failure;
    };
  }

  private static NodeStatus with(NodeStatus of, DirtyFile.Pending pending) {
    if (pending.author().isEmpty()) {
      return of;
    }
    var time = pending.author().get().time();
    return new NodeStatus(
        of.node(),
        of.mode(),
        of.links(),
        of.uid(),
        of.gid(),
        of.device(),
        Math.max(of.size(), pending.end()),
        of.access(),
        time,
        time,
        of.birth());
  }

  /** Returns the bytes of memory that wait for the log. */
  public long waitingBytes() {
    return cost.get();
  }

  /** Writes all that waits, and ends. */
  @Override
  public void close() {
    closed.complete(null);
    stopped.join();
    Result<Done> flushed = flushAll();
    if (flushed instanceof Result.Failure<Done>) {
      LOG.warn("The mount has ended before all bytes of its files were in the log");
    }
  }
}
