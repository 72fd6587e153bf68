package corfu.node.access;

import corfu.access.AccessPolicy;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.PolicyCommand;
import corfu.access.PolicyMachine;
import corfu.access.StreamNames;
import corfu.access.UnknownPolicyFormatException;
import corfu.protocol.Identity;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plays the policy from its stream with a client of the server's own. It looks for changes four
 * times a second, so that a change is in force within a second. One look runs at a time, on a
 * thread of its own, and ends within the client's operation timeout. Thread-safe.
 */
final class PolicyFollower {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyFollower.class);

  /** The time between two looks, and after a first failure. */
  static final Duration INTERVAL = Duration.ofMillis(250);

  /** The longest time after a failure. A server that can reach the log again must not lag. */
  static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

  /** So many failures in a row are usual: the other servers are starting, or an epoch changes. */
  private static final int QUIET_FAILURES = 5;

  private static final StreamId POLICY = StreamId.named(StreamNames.POLICY);

  private final String server;
  private final World world;
  private final Supplier<Corfu> connect;
  private final Listener listener;

  private final ReentrantLock lock = new ReentrantLock();
  private Optional<Corfu> client = Optional.empty();
  private World.Timer timer = () -> {};
  private boolean isClosed;

  /** The play of the policy so far. Only the current look uses it, as the next field. */
  private Optional<Play> play = Optional.empty();

  private int failures;

  /** An operator wants to trim the log below this address. */
  private final AtomicLong trimmedBelow = new AtomicLong();

  /** Receives the results of looks, on their threads. */
  interface Listener {

    /**
     * The policy is known up to the end that its stream had when the look began.
     *
     * @param policy the policy
     * @param tail the log's tail at that moment
     * @param neededFrom the log address below which no entry makes the policy, also if it changes
     */
    void isNow(AccessPolicy policy, long tail, long neededFrom);

    /** A change cannot be read, because a later version of the program has written it. */
    void isUnreadable();
  }

  private record Play(Streams streams, StreamReader reader, PolicyMachine machine) {

    static Play begin(Corfu corfu) {
      Streams streams = Streams.over(corfu);
      return new Play(streams, streams.open(POLICY).reader(), new PolicyMachine());
    }

    /** States the policy again behind all of its changes. */
    void writeSnapshot(String server) {
      PolicyChange snapshot =
          new PolicyChange(
              new Identity("server " + server), new PolicyCommand.Snapshot(machine.policy()));
      var unused = streams.open(POLICY).append(PolicyCodec.encode(snapshot));
    }

    /** Applies all changes up to the present end of the stream, and returns that end. */
    StreamEnds catchUp() {
      StreamEnds ends = streams.ends(List.of(POLICY));
      reader.sync(ends);
      for (StreamRead next = reader.readNext(); ; next = reader.readNext()) {
        switch (next) {
          case StreamRead.Entry entry -> {
            var unused = machine.apply(entry.payload(), entry.address().value());
          }
          case StreamRead.Trimmed trimmed -> {}
          case StreamRead.Absent end -> {
            return ends;
          }
        }
      }
    }
  }

  /**
   * @param server the server's name
   * @param connect creates the client; it may block and fail, and is called again then
   * @param listener receives the policy
   */
  PolicyFollower(String server, World world, Supplier<Corfu> connect, Listener listener) {
    this.server = server;
    this.world = world;
    this.connect = connect;
    this.listener = listener;
  }

  void start() {
    world.start("corfu-access", this::look);
  }

  /** Returns the client, or empty while the log has not been reached yet. */
  Optional<Corfu> client() {
    lock.lock();
    try {
      return client;
    } finally {
      lock.unlock();
    }
  }

  private void look() {
    Duration pause = INTERVAL;
    try {
      Optional<Corfu> corfu = connected();
      if (corfu.isEmpty()) {
        return; // closed
      }
      catchUp(corfu.get());
      failures = 0;
    } catch (UnknownPolicyFormatException later) {
      play = Optional.empty(); // begins anew: the reader is behind the change already
      listener.isUnreadable();
      pause = failed(later);
    } catch (RuntimeException failure) {
      pause = failed(failure);
    }
    lookAgainAfter(pause);
  }

  private void catchUp(Corfu corfu) {
    Play current = play.orElseGet(() -> Play.begin(corfu));
    play = Optional.of(current);
    StreamEnds ends = current.catchUp();
    // a mirror takes entries and trims as they come: its source has kept the policy
    boolean isMirror = corfu.layout().origin().isPresent();
    long wanted = isMirror ? 0 : trimmedBelow.get();
    if (current.machine().neededFrom() < wanted && wanted <= ends.tail().value()) {
      current.writeSnapshot(server);
      ends = current.catchUp();
    }
    PolicyMachine machine = current.machine();
    long tail = ends.tail().value();
    // without a change so far, the first one will be behind this tail
    long neededFrom = isMirror ? Long.MAX_VALUE : Math.min(machine.neededFrom(), tail);
    listener.isNow(machine.policy(), tail, neededFrom);
  }

  /**
   * Writes the policy to the end of its stream soon, unless it is there already, so that all of the
   * log below an address may be trimmed.
   */
  void keepAbove(long address) {
    trimmedBelow.accumulateAndGet(address, Math::max);
  }

  /** Counts a failure, and returns the pause after it. Says only one in a row. */
  private Duration failed(RuntimeException failure) {
    if (failures == QUIET_FAILURES && !isClosed()) {
      LOG.warn(
          "server {} cannot read the permissions from the log, and tries again; it goes on with"
              + " those that it knows, or serves only the identities in its configuration: {}",
          server,
          failure.toString());
    }
    failures++;
    Duration pause = INTERVAL.multipliedBy(failures);
    return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
  }

  /** Returns the client, which is made if there is none; empty if this follower is closed. */
  private Optional<Corfu> connected() {
    Optional<Corfu> known = client();
    if (known.isPresent() || isClosed()) {
      return known;
    }
    Corfu fresh = connect.get();
    lock.lock();
    try {
      if (!isClosed) {
        client = Optional.of(fresh);
        return client;
      }
    } finally {
      lock.unlock();
    }
    fresh.close();
    return Optional.empty();
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  private void lookAgainAfter(Duration pause) {
    lock.lock();
    try {
      if (!isClosed) {
        timer = world.after(pause.toNanos(), () -> world.start("corfu-access", this::look));
      }
    } finally {
      lock.unlock();
    }
  }

  /** Looks no more, after the process has died. */
  void abandon() {
    var unused = end();
  }

  /** Looks no more, and closes the client. A look that runs fails. */
  void close() {
    end().ifPresent(Corfu::close);
  }

  private Optional<Corfu> end() {
    lock.lock();
    try {
      isClosed = true;
      timer.cancel();
      Optional<Corfu> last = client;
      client = Optional.empty();
      return last;
    } finally {
      lock.unlock();
    }
  }
}
