package corfu.silver.internal.quota;

import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.Usage;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * The space that one quota has left, as this client knows it: what it counted once, and what it has
 * changed itself since. Thread-safe.
 *
 * <p>A client that has been alone since its count knows the space exactly. Otherwise it uses a
 * share of the room that it counted, and counts again after that, or after some time. So several
 * clients together exceed a limit by less than the room that the oldest of their counts saw.
 *
 * <p>Operations that change the space run between {@link #enter} and {@link #leave}. No count runs
 * at the same time, so it sees each of them as a whole or not at all.
 */
final class QuotaAccount {

  /** The time for which a count of a client that is not alone is good. */
  static final Duration COUNT_VALID = Duration.ofSeconds(10);

  /** A quota that a count has found full stays so for this client, unless it frees space. */
  static final Duration FULL_VALID = Duration.ofSeconds(1);

  /** Counts take at most this part of the time of a client that is not alone. */
  private static final int COUNTS_PART = 20;

  /**
   * Others may change the space so fast that no count is good enough. The last one decides then.
   */
  private static final int MAX_COUNTS = 3;

  /** The clock, the tree and the other clients. */
  interface Surroundings {

    /** Returns the time of this client's clock, in nanoseconds. */
    long nanoTime();

    /** Counts the space in use now. */
    Count count();

    /** Returns whether no other client has changed anything since a version. */
    boolean isAloneSince(long version);

    /** Returns the number of clients that may use the quota, 1 or more. */
    int clients();
  }

  /**
   * A count.
   *
   * @param version the log address of the first change that is not counted
   * @param used the space in use
   */
  record Count(long version, Usage used) {}

  /** A count, its time and its cost. */
  private record Taken(Count count, long atNanos, long costNanos) {}

  /** The end of an operation. */
  enum Outcome {
    DONE,
    FAILED,
    /** The operation may take effect later, or not at all. */
    UNKNOWN
  }

  private final Surroundings surroundings;
  private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock(); // counts exclude others
  private final ReentrantLock lock = new ReentrantLock();
  private volatile QuotaLimits limits;
  private Optional<Taken> taken = Optional.empty();
  private long counts; // that have ended
  private Usage own = Usage.NONE; // the changes of this client since the count
  private Usage grown = Usage.NONE; // those of them that took space

  QuotaAccount(QuotaLimits limits, Surroundings surroundings) {
    this.limits = limits;
    this.surroundings = surroundings;
  }

  void limit(QuotaLimits newLimits) {
    limits = newLimits;
  }

  QuotaLimits limits() {
    return limits;
  }

  private enum Verdict {
    FITS,
    FULL,
    COUNT
  }

  /**
   * Begins an operation, and reserves the space that it takes. A success must be followed by {@link
   * #leave}.
   *
   * @return whether the quota has room
   */
  boolean enter(Usage change) {
    Verdict verdict = Verdict.COUNT;
    for (int attempt = 0; verdict == Verdict.COUNT; attempt++) {
      long before = counts();
      verdict = enterGate(change.growth(), attempt == MAX_COUNTS);
      if (verdict == Verdict.COUNT) {
        count(before);
      }
    }
    return verdict == Verdict.FITS;
  }

  /** Holds the gate if the growth fits. */
  private Verdict enterGate(Usage growth, boolean isLast) {
    Verdict verdict = Verdict.COUNT;
    gate.readLock().lock();
    try {
      verdict = reserve(growth, isLast);
    } finally {
      if (verdict != Verdict.FITS) {
        gate.readLock().unlock();
      }
    }
    return verdict;
  }

  private long counts() {
    lock.lock();
    try {
      return counts;
    } finally {
      lock.unlock();
    }
  }

  /** Ends an operation. */
  void leave(Usage change, Outcome outcome) {
    lock.lock();
    try {
      switch (outcome) {
        case DONE -> own = own.plus(change.minus(change.growth()));
        case FAILED -> {
          own = own.minus(change.growth());
          grown = grown.minus(change.growth());
        }
        case UNKNOWN -> taken = Optional.empty();
      }
    } finally {
      lock.unlock();
      gate.readLock().unlock();
    }
  }

  private Verdict reserve(Usage growth, boolean isLast) {
    lock.lock();
    try {
      Verdict verdict = growth.equals(Usage.NONE) ? Verdict.FITS : judge(growth, isLast);
      if (verdict == Verdict.FITS) {
        own = own.plus(growth);
        grown = grown.plus(growth);
      }
      return verdict;
    } finally {
      lock.unlock();
    }
  }

  private Verdict judge(Usage growth, boolean isLast) {
    if (taken.isEmpty()) {
      return Verdict.COUNT;
    }
    Taken last = taken.get();
    boolean fits = isWithin(growth, limits.room(last.count().used().plus(own)));
    if (isLast || surroundings.isAloneSince(last.count().version())) {
      return fits ? Verdict.FITS : Verdict.FULL;
    }
    long age = surroundings.nanoTime() - last.atNanos();
    if (!fits) {
      return age <= validNanos(last, FULL_VALID) ? Verdict.FULL : Verdict.COUNT;
    }
    boolean isFirst = grown.equals(Usage.NONE);
    boolean isInShare = isFirst || isWithin(grown.plus(growth), share(last.count().used()));
    return isInShare && age <= validNanos(last, COUNT_VALID) ? Verdict.FITS : Verdict.COUNT;
  }

  private static long validNanos(Taken count, Duration least) {
    return Math.max(least.toNanos(), COUNTS_PART * count.costNanos());
  }

  /** The part of the room at a count that this client may use before the next one. */
  private Usage share(Usage counted) {
    Usage room = limits.room(counted);
    int clients = surroundings.clients();
    return new Usage(room.bytes() / clients, room.nodes() / clients);
  }

  private static boolean isWithin(Usage growth, Usage room) {
    return growth.bytes() <= room.bytes() && growth.nodes() <= room.nodes();
  }

  /** Counts, unless another thread has done so since. */
  private void count(long before) {
    gate.writeLock().lock();
    try {
      if (counts() == before) {
        long begin = surroundings.nanoTime();
        Count count = surroundings.count();
        take(new Taken(count, begin, surroundings.nanoTime() - begin));
      }
    } finally {
      gate.writeLock().unlock();
    }
  }

  private void take(Taken newest) {
    lock.lock();
    try {
      counts++;
      taken = Optional.of(newest);
      own = Usage.NONE;
      grown = Usage.NONE;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the space in use: exactly if this client is alone, or as of the last seconds. */
  Usage used() {
    Optional<Usage> known = known(false);
    if (known.isEmpty()) {
      count(counts());
      known = known(true);
    }
    return known.orElse(Usage.NONE);
  }

  private Optional<Usage> known(boolean isGoodEnough) {
    lock.lock();
    try {
      return taken
          .filter(
              last ->
                  isGoodEnough
                      || surroundings.isAloneSince(last.count().version())
                      || surroundings.nanoTime() - last.atNanos() <= validNanos(last, FULL_VALID))
          .map(last -> last.count().used().plus(own));
    } finally {
      lock.unlock();
    }
  }
}
