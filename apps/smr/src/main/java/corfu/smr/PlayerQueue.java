package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The inbox of a player's thread. Other threads report entries that this client has appended,
 * entries that were pushed, and readers that wait. Thread-safe, but only the thread that applies
 * entries calls the {@code take} methods.
 */
final class PlayerQueue {

  private final String name;
  private final World world;
  private final Duration followEvery;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private boolean isRung = true;
  private final Set<Reader> readers = new LinkedHashSet<>();
  private final Map<Long, List<CompletableFuture<byte[]>>> answers = new HashMap<>();
  private final TreeMap<Long, Long> underWay =
      new TreeMap<>(); // numbers of own entries in flight, and when each started
  private final TreeMap<StreamAddress, Landed> landed = new TreeMap<>();
  private long nextNumber;
  private boolean isTimed;
  private boolean isDue = true;
  private boolean isPushed; // entries of other clients are pushed
  private int pushedCount;
  private long pushedBytes;
  private volatile long lookedNanos;
  private boolean isClosed;
  private Optional<RuntimeException> broken = Optional.empty();

  /**
   * An entry that is in the log.
   *
   * @param number its number among the entries of this client, or {@link #PUSHED}
   * @param append the outcome of its append, if this client knows it
   */
  record Landed(
      long number, Address address, ByteBuffer payload, Optional<StreamAppend.Appended> append) {}

  /** The number of a pushed entry, of whatever client. */
  private static final long PUSHED = -1;

  /** The most pushed entries, and the most bytes of them, that wait to be applied. */
  private static final int MOST_PUSHED = 256;

  private static final long MOST_PUSHED_BYTES = 4 << 20;

  /**
   * A reader that waits until every command is applied that was complete when it asked.
   *
   * @param ends the stream's tails at that moment
   * @param ownBefore the number below which own entries may lie below those tails
   */
  record Reader(StreamEnds ends, long ownBefore, CompletableFuture<Void> isPlayed) {

    /** Orders readers by the tails that they wait for. */
    static final Comparator<Reader> NEWEST =
        Comparator.<Reader, Epoch>comparing(reader -> reader.ends.epoch())
            .thenComparing(reader -> reader.ends.tail());
  }

  PlayerQueue(String name, World world, Duration followEvery) {
    this.name = name;
    this.world = world;
    this.followEvery = followEvery;
    this.lookedNanos = world.nanoTime();
  }

  // --------------------------------------------------------------------------- for other threads

  /**
   * Returns a future that is done when every command below these tails is applied. The caller
   * applies them, or rings.
   */
  CompletableFuture<Void> awaitPlayed(StreamEnds ends) {
    CompletableFuture<Void> done = new CompletableFuture<>();
    lock.lock();
    try {
      Optional<RuntimeException> over = over();
      if (over.isPresent()) {
        return CompletableFuture.failedFuture(over.get());
      }
      readers.add(new Reader(ends, nextNumber, done));
    } finally {
      lock.unlock();
    }
    return done;
  }

  /** Returns the reason why the player has stopped, or empty while it runs. */
  Optional<RuntimeException> over() {
    lock.lock();
    try {
      return isClosed ? Optional.of(new ReplicaClosedException(name)) : broken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Announces an own entry. Returns false if it must not be appended, because the player has
   * stopped.
   */
  boolean leaves(long number, List<CompletableFuture<byte[]>> waiting) {
    Optional<RuntimeException> over;
    long now = world.nanoTime();
    lock.lock();
    try {
      over = over();
      if (over.isEmpty()) {
        answers.put(number, waiting);
        underWay.put(number, now);
        nextNumber = Math.max(nextNumber, number + 1);
      }
    } finally {
      lock.unlock();
    }
    over.ifPresent(why -> waiting.forEach(answer -> answer.completeExceptionally(why)));
    return over.isEmpty();
  }

  /** Reports an entry in the log; the caller applies it, or rings. */
  void landed(StreamAddress at, Landed entry) {
    lock.lock();
    try {
      underWay.remove(entry.number());
      left(Optional.ofNullable(landed.put(at, entry)));
    } finally {
      lock.unlock();
    }
  }

  /** Reports whether entries of other clients are pushed. If not, the player asks for them. */
  void setPushed(boolean isSo) {
    lock.lock();
    try {
      isPushed = isSo;
      tell();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Reports a pushed entry; the caller applies it, or rings. If too many wait, the player reads it
   * from the log instead.
   */
  void pushed(StreamAddress at, Address address, ByteBuffer payload) {
    Landed entry = new Landed(PUSHED, address, payload, Optional.empty());
    lock.lock();
    try {
      if (pushedCount == MOST_PUSHED || pushedBytes + payload.remaining() > MOST_PUSHED_BYTES) {
        isDue = true;
        tell();
      } else if (landed.putIfAbsent(at, entry) == null) {
        pushedCount++;
        pushedBytes += payload.remaining();
      }
    } finally {
      lock.unlock();
    }
  }

  private void left(Optional<Landed> entry) {
    if (entry.isPresent() && entry.get().number() == PUSHED) {
      pushedCount--;
      pushedBytes -= entry.get().payload().remaining();
    }
  }

  /** Makes the player ask for other clients' entries. */
  void look() {
    lock.lock();
    try {
      isDue = true;
      tell();
    } finally {
      lock.unlock();
    }
  }

  /** Wakes the player's thread after a failure. */
  void failed() {
    lock.lock();
    try {
      isDue |= isPushed; // otherwise the timer does
      tell();
    } finally {
      lock.unlock();
    }
  }

  /** Reports an entry that is not in the log, or whose outcome is unknown. */
  void failed(long number, RuntimeException why) {
    lock.lock();
    try {
      underWay.remove(number);
      tell();
    } finally {
      lock.unlock();
    }
    takeAnswersTo(number).forEach(answer -> answer.completeExceptionally(why));
  }

  private void tell() {
    isRung = true;
    rung.signal();
  }

  /** Wakes the player's thread. */
  void ring() {
    lock.lock();
    try {
      tell();
    } finally {
      lock.unlock();
    }
  }

  /** Stops the player, and fails all waiting calls. */
  void close() {
    end(Optional.empty(), new ReplicaClosedException(name));
  }

  /** Stops the player because of a failure, and fails all waiting and later calls with it. */
  void breakDown(RuntimeException why) {
    end(Optional.of(why), why);
  }

  private void end(Optional<RuntimeException> breaksBy, RuntimeException told) {
    List<CompletableFuture<?>> waiting = new ArrayList<>();
    lock.lock();
    try {
      isClosed |= breaksBy.isEmpty();
      broken = broken.or(() -> breaksBy);
      readers.forEach(reader -> waiting.add(reader.isPlayed()));
      answers.values().forEach(waiting::addAll);
      readers.clear();
      answers.clear();
      underWay.clear();
      tell();
    } finally {
      lock.unlock();
    }
    waiting.forEach(one -> one.completeExceptionally(told));
  }

  // ------------------------------------------------------------------------ for the player's
  // thread

  /** Waits for a report. Returns false once the player has stopped. */
  boolean await() {
    lock.lock();
    try {
      startTimer();
      while (!isRung && over().isEmpty()) {
        rung.awaitUninterruptibly();
      }
      isRung = false;
      return over().isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private void startTimer() {
    if (!isTimed) {
      isTimed = true;
      long nanos = Math.max(1, lookedNanos + followEvery.toNanos() - world.nanoTime());
      var unused = world.after(nanos, this::timeIsOver);
    }
  }

  /** Runs when no reader has asked for a while, or when an expected entry is late. */
  private void timeIsOver() {
    lock.lock();
    try {
      isTimed = false;
      long now = world.nanoTime();
      if (now - lookedNanos >= followEvery.toNanos()) {
        if (isPushed) {
          lookedNanos = now;
        } else {
          isDue = true;
        }
        tell();
      } else if (!isClosed) {
        startTimer();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Returns all waiting readers. */
  List<Reader> readers() {
    lock.lock();
    try {
      return List.copyOf(readers);
    } finally {
      lock.unlock();
    }
  }

  /** Removes readers; the caller completes their futures. */
  void dismiss(List<Reader> some) {
    if (some.isEmpty()) {
      return;
    }
    lock.lock();
    try {
      some.forEach(readers::remove);
    } finally {
      lock.unlock();
    }
  }

  /** Whether it is time to ask for other clients' entries. Returns true once. */
  boolean takeDue() {
    lock.lock();
    try {
      boolean was = isDue;
      isDue = false;
      return was;
    } finally {
      lock.unlock();
    }
  }

  /** Records that the player has just asked for other clients' entries. */
  void looked() {
    lookedNanos = world.nanoTime();
  }

  /**
   * Returns the readers that wait for entries of other clients. If an own in-flight entry is late,
   * it returns the readers that wait for own entries, too.
   */
  List<Reader> readersBehindOthers() {
    long now = world.nanoTime();
    lock.lock();
    try {
      long first = firstUnderWay(now);
      return readers.stream().filter(reader -> reader.ownBefore() <= first).toList();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether another client's entry precedes this entry, so that it cannot be applied yet. Also true
   * if an own in-flight entry is late.
   */
  boolean isBehindOthers(Landed blocked) {
    long now = world.nanoTime();
    lock.lock();
    try {
      return blocked.number() < firstUnderWay(now);
    } finally {
      lock.unlock();
    }
  }

  private long firstUnderWay(long now) {
    var oldest = underWay.firstEntry();
    boolean isLate = oldest != null && now - oldest.getValue() >= followEvery.toNanos();
    return oldest == null || isLate ? Long.MAX_VALUE : oldest.getKey();
  }

  /** Returns the first reported entry in the log that is not taken yet. */
  Optional<Map.Entry<StreamAddress, Landed>> firstLanded() {
    lock.lock();
    try {
      return Optional.ofNullable(landed.firstEntry());
    } finally {
      lock.unlock();
    }
  }

  /** Removes an entry, unless another thread has replaced it meanwhile. */
  void takeLanded(StreamAddress at, Landed entry) {
    lock.lock();
    try {
      if (landed.remove(at, entry)) {
        left(Optional.of(entry));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns the reported entries below this stream address. */
  List<Landed> takeLandedBefore(StreamAddress next) {
    lock.lock();
    try {
      var before = landed.headMap(next);
      List<Landed> taken = List.copyOf(before.values());
      before.clear();
      taken.forEach(entry -> left(Optional.of(entry)));
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Removes and returns the futures of the commands of an own entry, or nothing if no call waits.
   */
  List<CompletableFuture<byte[]>> takeAnswersTo(long number) {
    lock.lock();
    try {
      List<CompletableFuture<byte[]>> waiting = answers.remove(number);
      return waiting == null ? List.of() : waiting;
    } finally {
      lock.unlock();
    }
  }

  /** Removes and returns the futures of all commands. */
  List<CompletableFuture<byte[]>> takeAnswers() {
    List<CompletableFuture<byte[]>> all = new ArrayList<>();
    lock.lock();
    try {
      answers.values().forEach(all::addAll);
      answers.clear();
    } finally {
      lock.unlock();
    }
    return all;
  }
}
