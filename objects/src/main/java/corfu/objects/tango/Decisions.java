package corfu.objects.tango;

import corfu.objects.tango.TangoRecord.Commit;
import corfu.objects.tango.TangoRecord.Decision;
import corfu.objects.tango.TangoRecord.Read;
import corfu.objects.tango.TangoRecord.Update;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Decides which transactions hold, from the log alone. A commit record names the objects that its
 * transaction has read, and the place up to which it has read each of them. The record holds if
 * none of these objects has a change between that place and the record itself. Of other
 * transactions in between, only those that hold count as changes. So all clients come to the same
 * decision. A decision record says nothing new; it saves its readers the other objects' streams.
 * Thread-safe.
 */
final class Decisions {

  private static final int MOST_KNOWN = 1 << 16;
  private static final int MOST_OPEN = 1 << 10;

  private final TangoLog log;
  private final long hostTimeoutNanos;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Address, Boolean> known = bounded(MOST_KNOWN);
  private final Map<Address, Open> open = bounded(MOST_OPEN);

  /** A transaction whose decision record has not been seen. */
  private record Open(Commit commit, boolean isCommitted, long sinceNanos) {}

  Decisions(TangoLog log, long hostTimeoutNanos) {
    this.log = log;
    this.hostTimeoutNanos = hostTimeoutNanos;
  }

  private static <V> Map<Address, V> bounded(int most) {
    return new LinkedHashMap<>() {
      @Override
      protected boolean removeEldestEntry(Map.Entry<Address, V> eldest) {
        return size() > most;
      }
    };
  }

  Optional<Boolean> known(Address commit) {
    lock.lock();
    try {
      return Optional.ofNullable(known.get(commit));
    } finally {
      lock.unlock();
    }
  }

  /** Somebody has told. */
  void learn(Decision decision) {
    lock.lock();
    try {
      known.put(decision.commit(), decision.isCommitted());
      open.remove(decision.commit());
    } finally {
      lock.unlock();
    }
  }

  /**
   * Decides by what the log says.
   *
   * @throws ForgottenHistoryException if that is trimmed
   */
  boolean decide(Address at, Commit commit) {
    Optional<Boolean> told = known(at);
    if (told.isPresent()) {
      return told.get();
    }
    boolean isCommitted = true;
    for (Read read : commit.reads()) {
      isCommitted &= !hasChanged(read, at.value());
    }
    lock.lock();
    try {
      known.put(at, isCommitted);
    } finally {
      lock.unlock();
    }
    return isCommitted;
  }

  /** Whether an object has got a change that holds since it was read, below this log address. */
  boolean hasChanged(Read read, long before) {
    StreamId object = read.object();
    StreamReader reader = log.streams().open(object).reader(read.upTo());
    var unused = reader.sync();
    while (true) {
      switch (reader.readNext()) {
        case StreamRead.Absent end -> {
          return false;
        }
        case StreamRead.Trimmed trimmed ->
            throw new ForgottenHistoryException(
                ("object %s was read by a transaction up to place %s of its stream, and what is"
                        + " before place %s has been forgotten: it can't be told any more whether"
                        + " the transaction holds. Forget only what is older than all"
                        + " transactions")
                    .formatted(object, read.upTo(), trimmed.before()));
        case StreamRead.Entry entry -> {
          if (entry.address().value() >= before) {
            return false;
          }
          if (isChange(object, entry)) {
            return true;
          }
        }
      }
    }
  }

  private boolean isChange(StreamId object, StreamRead.Entry entry) {
    return switch (TangoLog.record(object, entry)) {
      case Update update -> true;
      case Commit commit -> commit.writes(object) && decide(entry.address(), commit);
      case Decision decision -> {
        learn(decision);
        yield false;
      }
      case TangoRecord.Checkpoint checkpoint -> false;
    };
  }

  /** This client has decided what somebody else should soon have told. */
  void expect(Address at, Commit commit, boolean isCommitted) {
    lock.lock();
    try {
      open.putIfAbsent(at, new Open(commit, isCommitted, log.world().nanoTime()));
    } finally {
      lock.unlock();
    }
  }

  /** Tells all who wait for it. That it can't be told does no harm: they find out. */
  void tell(Address at, Commit commit, boolean isCommitted) {
    Decision decision = new Decision(log.nextCall(), at, isCommitted);
    try {
      Address unused =
          log.append(decision, commit.writes().stream().map(w -> w.object()).distinct().toList());
      learn(decision);
    } catch (CorfuException notNow) {
      expect(at, commit, isCommitted);
    }
  }

  /** Tells what nobody has told for too long: their writers have died, or are slow. */
  void settle() {
    long now = log.world().nanoTime();
    Map<Address, Open> overdue = new LinkedHashMap<>();
    lock.lock();
    try {
      open.forEach(
          (at, each) -> {
            if (now - each.sinceNanos >= hostTimeoutNanos) {
              overdue.put(at, each);
            }
          });
      overdue.keySet().forEach(open::remove);
    } finally {
      lock.unlock();
    }
    overdue.forEach((at, each) -> tell(at, each.commit, each.isCommitted));
  }
}
