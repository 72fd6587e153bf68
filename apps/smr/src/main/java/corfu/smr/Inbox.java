package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
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
 * What a player's thread is told by others: entries that this client has appended, and who waits
 * for what. Thread-safe; what takes something is for who plays.
 */
final class Inbox {

  private final String name;
  private final World world;
  private final Duration followEvery;

  private final ReentrantLock lock = new ReentrantLock();
  private final Condition rung = lock.newCondition();
  private boolean isRung = true;
  private final Set<Reader> readers = new LinkedHashSet<>();
  private final Map<Long, List<CompletableFuture<byte[]>>> answers = new HashMap<>();
  private final TreeMap<Long, Long> underWay = new TreeMap<>(); // own entries, and since when
  private final TreeMap<StreamAddress, Landed> landed = new TreeMap<>();
  private long nextNumber;
  private boolean isTimed;
  private boolean isDue = true;
  private volatile long lookedNanos;
  private boolean isClosed;
  private Optional<RuntimeException> broken = Optional.empty();

  /** An entry of this client that is in the log. */
  record Landed(long number, Address address, ByteBuffer payload) {}

  /**
   * Somebody who waits for what was complete when he asked.
   *
   * @param ends where the stream ended then
   * @param ownBefore only entries of this client with lower numbers can be before that
   */
  record Reader(StreamEnds ends, long ownBefore, CompletableFuture<Void> isPlayed) {

    /** The one who has asked last. */
    static final Comparator<Reader> NEWEST =
        Comparator.<Reader, Epoch>comparing(reader -> reader.ends.epoch())
            .thenComparing(reader -> reader.ends.tail());
  }

  Inbox(String name, World world, Duration followEvery) {
    this.name = name;
    this.world = world;
    this.followEvery = followEvery;
    this.lookedNanos = world.nanoTime();
  }

  // ---------------------------------------------------------------------------- what others tell

  /**
   * Done when everything before these ends, which were asked for by now, is played: by whoever
   * calls this, or he rings.
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

  /** Why nothing is played any more, if it is so. */
  Optional<RuntimeException> over() {
    lock.lock();
    try {
      return isClosed ? Optional.of(new ReplicaClosedException(name)) : broken;
    } finally {
      lock.unlock();
    }
  }

  /** An own entry is about to be appended; false if it is not, for nothing is played any more. */
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

  /** It is in the log: whoever tells this plays it, or rings. */
  void landed(StreamAddress at, Landed entry) {
    lock.lock();
    try {
      underWay.remove(entry.number());
      landed.put(at, entry);
    } finally {
      lock.unlock();
    }
  }

  /** It is not in the log, or nobody knows. */
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

  /** There is something to do for the player's thread. */
  void ring() {
    lock.lock();
    try {
      tell();
    } finally {
      lock.unlock();
    }
  }

  /** Who waits is told so. */
  void close() {
    end(Optional.empty(), new ReplicaClosedException(name));
  }

  /** The player can't go on: who waits is told why, and whoever comes. */
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

  // --------------------------------------------------------------------------------- the player's

  /** Waits until somebody has told something; false once nothing is played any more. */
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

  /** Nobody has asked for long, or what was to be played has not come. */
  private void timeIsOver() {
    lock.lock();
    try {
      isTimed = false;
      if (world.nanoTime() - lookedNanos >= followEvery.toNanos()) {
        isDue = true;
        tell();
      } else if (!isClosed) {
        startTimer();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Everybody who is waiting for an end. */
  List<Reader> readers() {
    lock.lock();
    try {
      return List.copyOf(readers);
    } finally {
      lock.unlock();
    }
  }

  /** They wait no longer: their futures are the caller's to complete. */
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

  /** Whether nobody has asked for long what others have appended; it is said once. */
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

  /** It is known what others had appended a moment ago: nobody needs to ask for a while. */
  void looked() {
    lookedNanos = world.nanoTime();
  }

  /**
   * Those who wait for what no entry of this client's that is under way can be; or for these, too,
   * if one of them is late.
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
   * Whether what has kept this entry from being played, which comes before it, can't be an entry of
   * this client's that is under way; or one of these is late.
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

  /** Of this client's entries in the log the first one that is not taken yet. */
  Optional<Map.Entry<StreamAddress, Landed>> firstLanded() {
    lock.lock();
    try {
      return Optional.ofNullable(landed.firstEntry());
    } finally {
      lock.unlock();
    }
  }

  void takeLanded(StreamAddress at) {
    lock.lock();
    try {
      landed.remove(at);
    } finally {
      lock.unlock();
    }
  }

  /** All of this client's entries in the log before this place. */
  List<Landed> takeLandedBefore(StreamAddress next) {
    lock.lock();
    try {
      var before = landed.headMap(next);
      List<Landed> taken = List.copyOf(before.values());
      before.clear();
      return taken;
    } finally {
      lock.unlock();
    }
  }

  /** Who waits for an answer to each command of the entry of this number; empty: nobody. */
  List<CompletableFuture<byte[]>> takeAnswersTo(long number) {
    lock.lock();
    try {
      List<CompletableFuture<byte[]>> waiting = answers.remove(number);
      return waiting == null ? List.of() : waiting;
    } finally {
      lock.unlock();
    }
  }

  /** All who wait for an answer. */
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
