package corfu.disk.internal.device;

import corfu.bytes.Owner;
import corfu.bytes.WriteOutcome;
import corfu.disk.DiskOptions;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.world.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The volatile cache of a disk. A change is acknowledged when it is here. Everything that waits at
 * one moment goes into one entry; a lone change is sent at once. Changes of the same bytes are
 * never in flight together, because the order of such entries would be undefined.
 *
 * <p>Nothing that was acknowledged is dropped, unless another writer takes over: an entry that the
 * log does not take is sent again until it does. Meanwhile promises fail, and are true again only
 * when all is in the log. To send an entry twice does no harm: until one of them is known to be in
 * the log, no other entry changes the same bytes. Thread-safe.
 *
 * <pre>
 *   write ---> waiting ---> open batch ---> sealed batches ---> in flight ---> the log
 *              (no room)    (the last one)  (full, or overlap)  (at most N)
 * </pre>
 */
final class WriteBuffer {

  private static final Logger LOG = LoggerFactory.getLogger(WriteBuffer.class);

  /** The most changes in one entry. */
  static final int MOST_PIECES = 1024;

  /** A change that finds no room. */
  private record Waiting(Piece piece, boolean isDurable, CompletableFuture<Void> done) {}

  /** The log does not take entries. */
  private record Trouble(Reason reason, long sinceNanos, String message) {

    BlockDeviceException failure() {
      return new BlockDeviceException(reason, message);
    }
  }

  private final World world;
  private final DiskLog log;
  private final DiskOptions options;
  private final String name;
  private final int blockBytes;

  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final Deque<ChangeBatch> batches = new ArrayDeque<>(); // not in the log yet
  private final Deque<Waiting> waiting = new ArrayDeque<>();
  private final Map<Long, CompletableFuture<Void>> promises = new LinkedHashMap<>();
  private long nextPromise;
  private int inFlight;
  private long heldBytes;
  private Optional<Trouble> trouble = Optional.empty();
  private Optional<BlockDeviceException> ended = Optional.empty();

  /**
   * @param name the disk's name, for messages
   * @param blockBytes the size of blocks; whole ones are never torn
   */
  WriteBuffer(World world, DiskLog log, DiskOptions options, String name, int blockBytes) {
    this.world = world;
    this.log = log;
    this.options = options;
    this.name = name;
    this.blockBytes = blockBytes;
  }

  // ---------------------------------------------------------------------------------- changes

  /**
   * Takes a change.
   *
   * @param isDurable whether the future waits until the change is in the log
   */
  CompletableFuture<Void> change(Piece piece, boolean isDurable) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Then then = new Then();
    lock.lock();
    try {
      Optional<BlockDeviceException> refusal = refusal();
      if (refusal.isPresent()) {
        then.fail(done, refusal.get());
      } else if (waiting.isEmpty() && hasRoomFor(piece)) {
        admit(new Waiting(piece, isDurable, done), then);
      } else {
        waiting.add(new Waiting(piece, isDurable, done));
      }
      sendReady(then);
    } finally {
      lock.unlock();
    }
    then.run();
    return done;
  }

  /** Makes durable what was acknowledged before. */
  CompletableFuture<Void> flush() {
    CompletableFuture<Void> done = new CompletableFuture<>();
    Then then = new Then();
    lock.lock();
    try {
      Optional<BlockDeviceException> refusal = batches.isEmpty() ? ended : refusal();
      if (refusal.isPresent()) {
        then.fail(done, refusal.get());
      } else {
        promise(batches, done);
      }
    } finally {
      lock.unlock();
    }
    then.run();
    return done;
  }

  /** Ends the buffer: all that waits fails, and so does all that comes. */
  void end(BlockDeviceException reason) {
    Then then = new Then();
    lock.lock();
    try {
      if (ended.isPresent()) {
        return;
      }
      ended = Optional.of(reason);
      failAll(reason, then);
      if (!batches.isEmpty()) {
        LOG.error(
            "{} acknowledged bytes of disk {} are lost: {}", heldBytes, name, reason.getMessage());
      }
      batches.clear();
      heldBytes = 0;
    } finally {
      lock.unlock();
    }
    then.run();
  }

  /** Returns the reason for which the buffer has ended, if it has. */
  Optional<BlockDeviceException> ended() {
    lock.lock();
    try {
      return ended;
    } finally {
      lock.unlock();
    }
  }

  private Optional<BlockDeviceException> refusal() {
    return ended.or(() -> trouble.filter(this::isOverLimit).map(Trouble::failure));
  }

  private boolean isOverLimit(Trouble now) {
    return now.reason() == Reason.NO_SPACE
        || world.nanoTime() - now.sinceNanos() >= options.outageLimit().toNanos();
  }

  private boolean hasRoomFor(Piece piece) {
    return heldBytes == 0 || heldBytes + ChangeBatch.costOf(piece) <= options.bufferBytes();
  }

  private void admit(Waiting change, Then then) {
    List<ChangeBatch> into = new ArrayList<>();
    Piece rest = change.piece();
    while (rest.dataBytes() > options.entryBytes()) {
      long cut = (rest.offset() + options.entryBytes()) / blockBytes * blockBytes;
      into.add(join(rest.within(rest.offset(), cut)));
      rest = rest.within(cut, rest.end());
    }
    into.add(join(rest));
    if (change.isDurable()) {
      promise(into, change.done());
    } else {
      then.complete(change.done());
    }
  }

  /** Adds a piece to the last batch, or to a new one. */
  private ChangeBatch join(Piece piece) {
    ChangeBatch batch = batches.peekLast();
    if (batch == null || !batch.fits(piece, options.entryBytes(), MOST_PIECES)) {
      batch = new ChangeBatch();
      batches.add(batch);
    }
    batch.add(piece);
    heldBytes += ChangeBatch.costOf(piece);
    return batch;
  }

  /** Completes a future when these batches are in the log. */
  private void promise(Collection<ChangeBatch> these, CompletableFuture<Void> done) {
    CompletableFuture<Void> all =
        CompletableFuture.allOf(
            these.stream().map(ChangeBatch::done).toArray(CompletableFuture<?>[]::new));
    if (all.isDone()) {
      done.complete(null);
      return;
    }
    long number = nextPromise++;
    promises.put(number, done);
    var unused = all.thenRun(() -> keep(number, done));
  }

  private void keep(long number, CompletableFuture<Void> promise) {
    lock.lock();
    try {
      promises.remove(number);
    } finally {
      lock.unlock();
    }
    promise.complete(null);
  }

  // ---------------------------------------------------------------------------------- the log

  /** Sends the batches that may be in flight now. */
  private void sendReady(Then then) {
    List<ChangeBatch> before = new ArrayList<>();
    for (ChangeBatch batch : batches) {
      if (inFlight == options.entriesInFlight()) {
        return;
      }
      if (!batch.isSent()
          && before.stream().noneMatch(one -> one.pieces().overlaps(batch.pieces()))) {
        batch.send(world.nanoTime());
        inFlight++;
        then.send(batch);
      }
      before.add(batch);
    }
  }

  private void append(ChangeBatch batch) {
    CompletableFuture<WriteOutcome> appended;
    try {
      appended = log.append(batch.changes());
    } catch (RuntimeException failed) {
      appended = CompletableFuture.failedFuture(failed);
    }
    var unused =
        appended.whenComplete(
            (outcome, failure) -> {
              if (failure != null) {
                hasFailed(batch, failure);
                return;
              }
              switch (outcome) {
                case WriteOutcome.Written written -> isWritten(batch);
                case WriteOutcome.Fenced(Owner by) -> end(OwnerText.fenced(name, by));
              }
            });
  }

  private void isWritten(ChangeBatch batch) {
    Then then = new Then();
    lock.lock();
    try {
      if (ended.isPresent()) {
        return;
      }
      batches.remove(batch);
      inFlight--;
      heldBytes -= batch.heldBytes();
      trouble = Optional.empty();
      while (!waiting.isEmpty() && hasRoomFor(waiting.peek().piece())) {
        admit(waiting.remove(), then);
      }
      sendReady(then);
    } finally {
      lock.unlock();
    }
    batch.done().complete(null);
    then.run();
  }

  private void hasFailed(ChangeBatch batch, Throwable wrapped) {
    Throwable failure =
        wrapped instanceof CompletionException && wrapped.getCause() != null
            ? wrapped.getCause()
            : wrapped;
    boolean isFull =
        failure instanceof NoSpaceException || failure instanceof QuotaExceededException;
    Reason reason = isFull ? Reason.NO_SPACE : Reason.IO_ERROR;
    Then then = new Then();
    lock.lock();
    try {
      if (ended.isPresent()) {
        return;
      }
      long since = trouble.map(Trouble::sinceNanos).orElse(batch.sentNanos());
      if (trouble.isEmpty()) {
        LOG.warn("The log does not take writes of disk {}: {}", name, failure.getMessage());
        LOG.debug("The failure was", failure);
      }
      Trouble now = new Trouble(reason, since, message(failure));
      trouble = Optional.of(now);
      if (isOverLimit(now)) {
        failAll(now.failure(), then);
      } else {
        watch(since);
      }
    } finally {
      lock.unlock();
    }
    then.run();
    var unused =
        world.after(
            options.retryPause().toNanos(), () -> world.start("disk-retry", () -> again(batch)));
  }

  private String message(Throwable failure) {
    return "the log does not take writes of disk %s: %s; they wait in memory, and are written later"
        .formatted(name, failure.getMessage());
  }

  private void again(ChangeBatch batch) {
    if (ended().isEmpty()) {
      append(batch);
    }
  }

  /** Fails promises at the limit, even if no append fails at that time. */
  private void watch(long since) {
    long left = options.outageLimit().toNanos() - (world.nanoTime() - since);
    var unused = world.after(Math.max(0, left), () -> limitHasPassed(since));
  }

  private void limitHasPassed(long since) {
    Then then = new Then();
    lock.lock();
    try {
      trouble
          .filter(now -> now.sinceNanos() == since && isOverLimit(now))
          .ifPresent(now -> failAll(now.failure(), then));
    } finally {
      lock.unlock();
    }
    then.run();
  }

  private void failAll(BlockDeviceException failure, Then then) {
    promises.values().forEach(promise -> then.fail(promise, failure));
    promises.clear();
    waiting.forEach(change -> then.fail(change.done(), failure));
    waiting.clear();
  }

  // ---------------------------------------------------------------------------------- reading

  /**
   * Returns the content of a range.
   *
   * @throws BlockDeviceException if the buffer has ended: the content lacks acknowledged writes
   */
  Layers layers(long from, long to) {
    PieceMap unwritten = new PieceMap();
    lock.lock();
    try {
      if (ended.isPresent()) {
        throw ended.get();
      }
      for (ChangeBatch batch : batches) {
        for (Piece piece : batch.pieces().in(from, to)) {
          unwritten.put(piece.within(from, to));
        }
      }
      // Under the lock: a batch that leaves the buffer is in the content before.
      return new Layers(unwritten, log.content());
    } finally {
      lock.unlock();
    }
  }

  /** The calls that follow a step, when the lock is free again. */
  private final class Then {

    private final List<Runnable> steps = new ArrayList<>();

    void complete(CompletableFuture<Void> future) {
      steps.add(() -> future.complete(null));
    }

    void fail(CompletableFuture<Void> future, BlockDeviceException failure) {
      steps.add(() -> future.completeExceptionally(failure));
    }

    void send(ChangeBatch batch) {
      steps.add(() -> append(batch));
    }

    void run() {
      steps.forEach(Runnable::run);
    }
  }
}
