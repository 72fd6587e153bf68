package corfu.runtime.internal.push;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.Backoff;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.transport.TransportException;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Listens to one log unit: a request that waits for news is always in flight to it. Runs on a
 * thread of its own. Any thread may change the set of followed streams.
 */
final class PushConnection {

  /** The most bytes in one reply. */
  private static final int MOST_BYTES = 1 << 20;

  /** The most streams that one request names. */
  private static final int AT_ONCE = 4096;

  /** The period of requests to a unit without news. It is well below the unit's patience. */
  private static final Duration ASK_AGAIN = Duration.ofSeconds(1);

  /** The most entries that are delivered on a thread that must not be kept long. */
  private static final int MOST_AT_ONCE = 16;

  private static final long PATIENCE_NANOS = LogUnitRequest.Listen.PATIENCE.toNanos();

  private final StreamPushes owner;
  private final ClientContext context;
  private final World world;
  private final Endpoint unit;
  private final Duration askAgain;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<StreamId, Boolean> changes = new LinkedHashMap<>(); // true: to be followed
  private Optional<CompletableFuture<Void>> pausing = Optional.empty();
  private Optional<CompletableFuture<Void>> resting = Optional.empty();
  private boolean stopped;

  PushConnection(StreamPushes owner, ClientContext context, Endpoint unit) {
    this.owner = owner;
    this.context = context;
    this.world = context.world();
    this.unit = unit;
    Duration half = context.options().requestTimeout().dividedBy(2);
    this.askAgain = half.compareTo(ASK_AGAIN) < 0 ? half : ASK_AGAIN;
  }

  void change(StreamId stream, boolean isWanted) {
    lock.lock();
    try {
      changes.put(stream, isWanted);
      pausing.ifPresent(pause -> pause.complete(null));
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    lock.lock();
    try {
      stopped = true;
      pausing.ifPresent(pause -> pause.complete(null));
      resting.ifPresent(rest -> rest.complete(null));
    } finally {
      lock.unlock();
    }
  }

  boolean hasChanges() {
    lock.lock();
    try {
      return !changes.isEmpty();
    } finally {
      lock.unlock();
    }
  }

  private boolean isStopped() {
    lock.lock();
    try {
      return stopped;
    } finally {
      lock.unlock();
    }
  }

  private Map<StreamId, Boolean> takeChanges() {
    lock.lock();
    try {
      Map<StreamId, Boolean> taken = new LinkedHashMap<>();
      Iterator<Map.Entry<StreamId, Boolean>> all = changes.entrySet().iterator();
      while (all.hasNext() && taken.size() < AT_ONCE) {
        Map.Entry<StreamId, Boolean> change = all.next();
        taken.put(change.getKey(), change.getValue());
        all.remove();
      }
      return taken;
    } finally {
      lock.unlock();
    }
  }

  void run() {
    Deadline deadline = context.deadline();
    Backoff backoff = new Backoff(world, deadline);
    while (!isStopped()) {
      Layout layout = context.layout();
      Listening listening = new Listening(layout);
      try {
        if (!listening.begin()) {
          return;
        }
        if (listening.followed.isEmpty()) {
          rest();
        } else if (listening.listen()) {
          return;
        }
      } catch (RetryableException retryable) {
        if (listening.hasHeard || deadline.hasPassed()) {
          deadline = context.deadline();
          backoff = new Backoff(world, deadline);
        }
        mend(retryable);
        backoff.pause();
      } catch (TransportException wrongCluster) { // may pass: another cluster moved to this address
        backoff.pause();
      }
    }
  }

  /**
   * Waits because the unit has no room for any stream. After this time the unit has forgotten
   * silent followers, and may have room.
   */
  private void rest() {
    CompletableFuture<Void> rest = new CompletableFuture<>();
    lock.lock();
    try {
      if (stopped) {
        return;
      }
      resting = Optional.of(rest);
    } finally {
      lock.unlock();
    }
    World.Timer timer = world.after(PATIENCE_NANOS, () -> rest.complete(null));
    rest.join();
    timer.cancel();
  }

  /** Removes the cause of a failure if possible. If not, the next attempt finds it again. */
  private void mend(RetryableException retryable) {
    try {
      var unused = context.retryLoop().mend(retryable);
    } catch (CorfuException | TransportException unreachable) {
      // no other server is reachable either
    }
  }

  /**
   * Waits until the reply is there, something changes, or the time of the next request has come.
   */
  private void pause(CompletableFuture<Reply> answer, long nanos) {
    CompletableFuture<Void> pause = new CompletableFuture<>();
    lock.lock();
    try {
      if (stopped || !changes.isEmpty() || answer.isDone()) {
        return;
      }
      pausing = Optional.of(pause);
    } finally {
      lock.unlock();
    }
    var unused = answer.whenComplete((reply, failure) -> pause.complete(null));
    World.Timer timer = world.after(Math.max(0, nanos), () -> pause.complete(null));
    pause.join();
    timer.cancel();
  }

  /** The listening under one layout. */
  private final class Listening {
    private final Layout layout;
    private final long follower = world.random().nextLong();
    private final Set<StreamId> followed = new HashSet<>();
    private final Set<StreamId> left = new LinkedHashSet<>(); // the unit has no room for these
    private long leftNanos; // the time at which it had no room
    private boolean hasHeard;

    Listening(Layout layout) {
      this.layout = layout;
    }

    /** Returns whether there is any stream to listen for. */
    boolean begin() {
      List<StreamId> all = List.copyOf(owner.beginAt(unit, layout));
      tell(all, List.of());
      if (!all.isEmpty()) {
        owner.missed(); // entries before now may have been missed
      }
      return !all.isEmpty();
    }

    /**
     * Asks the unit to follow streams, and to stop following others. The unit follows the first
     * streams, as far as it has room. It is asked for the rest later; until then entries of those
     * are not pushed.
     */
    private void tell(List<StreamId> add, List<StreamId> remove) {
      if (!remove.isEmpty()) {
        followed.removeAll(remove);
        tellSome(List.of(), remove);
      }
      int told = 0;
      boolean isRoom = true;
      while (told < add.size() && isRoom) {
        // fewer than are followed, so that the reply tells whether the unit has forgotten them
        int most = followed.isEmpty() ? AT_ONCE : Math.clamp(followed.size() - 1, 1, AT_ONCE);
        List<StreamId> some = add.subList(told, Math.min(add.size(), told + most));
        int taken = tellSome(some, List.of());
        told += taken;
        isRoom = taken == some.size();
      }
      add.subList(0, told).forEach(left::remove);
      if (!isRoom) {
        left.addAll(add.subList(told, add.size()));
        leftNanos = world.nanoTime();
      }
    }

    /** Returns the number of streams that the unit follows: the first ones of {@code add}. */
    private int tellSome(List<StreamId> add, List<StreamId> remove) {
      var request = new LogUnitRequest.Follow(layout.epoch(), follower, add, remove);
      int known = servers().ask(unit, request, LogUnitReply.Following.class, deadline()).streams();
      int taken = known - followed.size();
      if (taken < 0 || taken > add.size()) {
        throw RetryableException.server(
            unit,
            false,
            "the log unit at %s follows %d streams for this client, where %d are expected: it has"
                    .formatted(unit, known, followed.size() + add.size())
                + " forgotten the client");
      }
      followed.addAll(add.subList(0, taken));
      return taken;
    }

    /** Asks again for streams without room, once the unit may have forgotten silent followers. */
    private void askForRoom() {
      if (!left.isEmpty() && world.nanoTime() - leftNanos > PATIENCE_NANOS) {
        tell(List.copyOf(left), List.of());
      }
    }

    /**
     * Returns true if there is nothing to listen for any more, or false if the layout has changed.
     */
    boolean listen() {
      CompletableFuture<Reply> answer = ask();
      long askedNanos = world.nanoTime();
      while (!isStopped() && context.layout().epoch().equals(layout.epoch())) {
        boolean isNothingNew = !tellChanges();
        boolean isIdle = followed.isEmpty() && left.isEmpty();
        if (isNothingNew && isIdle && owner.endAt(unit, PushConnection.this)) {
          return true;
        }
        askForRoom();
        long toWait = askAgain.toNanos() - (world.nanoTime() - askedNanos);
        if (!answer.isDone() && toWait > 0) {
          pause(answer, toWait);
        } else { // the next request makes the unit answer the one before
          CompletableFuture<Reply> before = answer;
          answer = ask();
          askedNanos = world.nanoTime();
          take(Servers.await(unit, before, LogUnitReply.Heard.class));
        }
      }
      return isStopped();
    }

    private CompletableFuture<Reply> ask() {
      var request = new LogUnitRequest.Listen(layout.epoch(), follower, MOST_BYTES);
      return servers()
          .send(unit, request, deadline())
          .whenComplete(
              (reply, failure) -> {
                if (reply instanceof LogUnitReply.Heard heard && isShort(heard)) {
                  tellOf(heard);
                }
              });
    }

    /**
     * Returns whether the reply is short. The thread that brings a short reply delivers its
     * entries, which wakes one thread less.
     */
    private static boolean isShort(LogUnitReply.Heard heard) {
      return heard.entries().size() <= MOST_AT_ONCE;
    }

    private boolean tellChanges() {
      Map<StreamId, Boolean> some = takeChanges();
      List<StreamId> add = new ArrayList<>();
      List<StreamId> remove = new ArrayList<>();
      some.forEach((stream, isWanted) -> (isWanted ? add : remove).add(stream));
      remove.forEach(left::remove);
      remove.removeIf(stream -> !followed.contains(stream));
      add.removeIf(followed::contains);
      if (!left.isEmpty()) { // new streams wait like the others
        left.addAll(add);
        add.clear();
      }
      if (!add.isEmpty() || !remove.isEmpty()) {
        tell(add, remove);
      }
      return !some.isEmpty();
    }

    private void take(LogUnitReply.Heard heard) {
      hasHeard = true;
      if (!isShort(heard)) {
        tellOf(heard);
      }
    }

    private void tellOf(LogUnitReply.Heard heard) {
      boolean hasMissed = heard.hasMissed();
      for (Entry entry : heard.entries()) {
        if (entry.isIntact()) {
          owner.told(entry, unit, layout);
        } else {
          hasMissed = true; // damaged in transit
        }
      }
      if (hasMissed) {
        owner.missed();
      }
    }
  }

  private Servers servers() {
    return context.servers();
  }

  private Deadline deadline() {
    return context.deadline();
  }
}
