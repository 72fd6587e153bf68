package corfu.silver.internal.member;

import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.silver.internal.node.Trust;
import corfu.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The membership of one client in the list of those that may change a file system. Thread-safe.
 *
 * <p>A member that is alone may answer from memory, and let the kernel do so, for the time of a
 * lease: nobody else can have changed anything. It renews the lease by a look at the list. A client
 * joins before its first change. If there are others, it then waits for the time of a lease. By
 * then, each of them has seen that it is not alone, or its lease has ended. So an answer from
 * memory is never older than its question. Only the rates of clocks matter, not their times.
 */
public final class Membership implements Trust {

  /** The time of a lease, from the look at the list. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** Clocks may run at rates that differ by a tenth. */
  private static final long WAIT_NANOS = LEASE.toNanos() + LEASE.toNanos() / 10;

  private final World world;
  private final LogStream stream;
  private final Member self;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<StreamId, Member> members = new LinkedHashMap<>();
  private final StreamReader reader;
  private final Condition idle = lock.newCondition();
  private int inFlight; // changes of this client
  private boolean hasJoined;
  private boolean mayChange;
  private final AtomicLong doubts = new AtomicLong();
  private volatile Optional<Lease> lease = Optional.empty();

  /**
   * The time for which this client is alone for certain.
   *
   * @param since the log address from which on it has been alone, and memory is right
   * @param untilNanos the end, by this client's clock
   * @param doubts the number of doubts that were known when {@code since} was asked for
   */
  private record Lease(long since, long untilNanos, long doubts) {}

  /**
   * @param stream the stream of the file system's members
   * @param self this client
   */
  public Membership(World world, Streams streams, StreamId stream, Member self) {
    this.world = world;
    this.stream = streams.open(stream);
    this.self = self;
    this.reader = this.stream.reader();
  }

  /**
   * Makes a change as a member: joins before the first one, and waits until no other member answers
   * from memory.
   */
  public <T> T change(Supplier<T> change) {
    begin();
    try {
      return change.get();
    } finally {
      end();
    }
  }

  private void begin() {
    lock.lock();
    try {
      beMember();
      inFlight++;
    } finally {
      lock.unlock();
    }
  }

  private void end() {
    lock.lock();
    try {
      inFlight--;
      if (inFlight == 0) {
        idle.signalAll();
      }
    } finally {
      lock.unlock();
    }
  }

  private void beMember() {
    if (!mayChange) {
      join();
      if (members.size() > 1) {
        world.pause(Duration.ofNanos(WAIT_NANOS));
      }
      mayChange = true;
    }
  }

  private void join() {
    if (!hasJoined) {
      var unused = stream.append(new MemberRecord(MemberRecord.Kind.JOINS, self).encode());
      hasJoined = true;
    }
    boolean unusedBefore = play();
    for (Member member : members.values().stream().filter(this::isOther).toList()) {
      if (member.process().hasEnded()) {
        var unused = stream.append(new MemberRecord(MemberRecord.Kind.HAS_ENDED, member).encode());
      }
    }
    boolean unusedAfter = play();
  }

  private boolean isOther(Member member) {
    return !member.id().equals(self.id());
  }

  /** Returns whether anything has happened to others, even if they are gone again. */
  private boolean play() {
    boolean others = false;
    var unused = reader.sync();
    StreamRead read = reader.readNext();
    while (!(read instanceof StreamRead.Absent)) {
      if (read instanceof StreamRead.Entry entry) {
        MemberRecord record = MemberRecord.decode(entry.address(), entry.payload());
        others |= isOther(record.member());
        switch (record.kind()) {
          case JOINS -> members.put(record.member().id(), record.member());
          case LEAVES, HAS_ENDED -> members.remove(record.member().id());
        }
      }
      read = reader.readNext();
    }
    return others;
  }

  /**
   * Joins, looks at the list, and renews the lease if this client is alone. To be called about four
   * times in the time of a lease by a client that answers from memory.
   *
   * @param tail tells the log's tail
   * @return whether it is alone
   */
  public boolean look(LongSupplier tail) {
    lock.lock();
    try {
      beMember();
      long before = world.nanoTime();
      long known = doubts.get();
      boolean others = play();
      if (members.size() != 1 || !members.containsKey(self.id())) {
        lease = Optional.empty();
        return false;
      }
      long since =
          lease
              .filter(last -> last.doubts() == known && !others)
              .map(Lease::since)
              .orElseGet(tail::getAsLong);
      lease = Optional.of(new Lease(since, before + LEASE.toNanos(), known));
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Returns the number of members that this client knows of, itself included. */
  public int count() {
    lock.lock();
    try {
      return Math.max(1, members.size());
    } finally {
      lock.unlock();
    }
  }

  /** Returns for how long this client is alone for certain, in nanoseconds; 0 if it may not be. */
  public long aloneNanos() {
    return lease.map(this::remainingNanos).orElse(0L);
  }

  private long remainingNanos(Lease of) {
    return of.doubts() == doubts.get() ? Math.max(0, of.untilNanos() - world.nanoTime()) : 0;
  }

  @Override
  public long since() {
    return lease.filter(now -> remainingNanos(now) > 0).map(Lease::since).orElse(Long.MAX_VALUE);
  }

  /** The next look finds out from where on memory is right again. */
  @Override
  public void doubt() {
    doubts.incrementAndGet();
  }

  /** Leaves the list when no change is in flight, until the next change. */
  public void leave() {
    lock.lock();
    try {
      while (inFlight > 0) {
        idle.awaitUninterruptibly();
      }
      lease = Optional.empty();
      if (hasJoined) {
        hasJoined = false;
        mayChange = false;
        var unused = stream.append(new MemberRecord(MemberRecord.Kind.LEAVES, self).encode());
      }
    } finally {
      lock.unlock();
    }
  }
}
