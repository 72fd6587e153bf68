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
  private volatile long aloneUntilNanos;
  private volatile boolean isAlone;
  private volatile long aloneSince = Long.MAX_VALUE;

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
    play();
    for (Member member : members.values().stream().filter(this::isOther).toList()) {
      if (member.process().hasEnded()) {
        var unused = stream.append(new MemberRecord(MemberRecord.Kind.HAS_ENDED, member).encode());
      }
    }
    play();
  }

  private boolean isOther(Member member) {
    return !member.id().equals(self.id());
  }

  private void play() {
    var unused = reader.sync();
    StreamRead read = reader.readNext();
    while (!(read instanceof StreamRead.Absent)) {
      if (read instanceof StreamRead.Entry entry) {
        MemberRecord record = MemberRecord.decode(entry.address(), entry.payload());
        switch (record.kind()) {
          case JOINS -> members.put(record.member().id(), record.member());
          case LEAVES, HAS_ENDED -> members.remove(record.member().id());
        }
      }
      read = reader.readNext();
    }
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
      play();
      boolean alone = members.size() == 1 && members.containsKey(self.id());
      if (alone && !isAlone) {
        aloneSince = tail.getAsLong();
      }
      aloneUntilNanos = before + LEASE.toNanos();
      isAlone = alone;
      return alone;
    } finally {
      lock.unlock();
    }
  }

  /** Returns for how long this client is alone for certain, in nanoseconds; 0 if it may not be. */
  public long aloneNanos() {
    return isAlone ? Math.max(0, aloneUntilNanos - world.nanoTime()) : 0;
  }

  @Override
  public long since() {
    return aloneNanos() > 0 ? aloneSince : Long.MAX_VALUE;
  }

  @Override
  public void doubtBelow(long address) {
    lock.lock();
    try {
      aloneSince = Math.max(aloneSince, address);
    } finally {
      lock.unlock();
    }
  }

  /** The next look finds out from where on memory is right again. */
  @Override
  public void doubt() {
    isAlone = false;
  }

  /** Leaves the list when no change is in flight, until the next change. */
  public void leave() {
    lock.lock();
    try {
      while (inFlight > 0) {
        idle.awaitUninterruptibly();
      }
      isAlone = false;
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
