package corfu.runtime.stream;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.runtime.LogEntry;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAccess.Pushes;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * All subscriptions of a client. Passes pushed entries to them, checks their streams' ends from
 * time to time for entries that were not pushed, and runs them on threads. Thread-safe.
 */
final class Subscriptions implements Pushes.Receiver {

  /** The period of the checks of all streams' ends. */
  private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

  /** The number of streams in one question for their ends. */
  private static final int AT_ONCE = 1024;

  /** The time that an entry waits for a missing predecessor. */
  private static final Duration LATE = Duration.ofMillis(5);

  /** The number of subscribers that are called at the same time. */
  private static final int MOST_AT_WORK = 64;

  private final StreamAccess access;
  private final EntryCache cache;
  private final AtomicLong keptBytes = new AtomicLong();

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<StreamId, List<Subscription>> active = new HashMap<>();
  private final Set<Subscription> paused = new LinkedHashSet<>();
  private Optional<Pushes> pushes = Optional.empty();
  private boolean isLooking;
  private boolean lookAgain;
  private Optional<CompletableFuture<Void>> pausing = Optional.empty();

  private final ReentrantLock workers = new ReentrantLock(); // taken while others are held
  private final ArrayDeque<Runnable> waiting = new ArrayDeque<>();
  private int atWork;

  Subscriptions(StreamAccess access, EntryCache cache) {
    this.access = access;
    this.cache = cache;
  }

  Subscription subscribe(StreamId stream, StreamAddress from, Subscriber subscriber) {
    Subscription subscription = new Subscription(this, stream, from, subscriber);
    changed(subscription);
    return subscription;
  }

  /** Records that a subscription has begun, resumed, paused or closed. */
  void changed(Subscription subscription) {
    StreamId stream = subscription.stream();
    lock.lock();
    try {
      List<Subscription> those = new ArrayList<>(active.getOrDefault(stream, List.of()));
      those.remove(subscription);
      paused.remove(subscription);
      if (subscription.isActive()) {
        those.add(subscription);
        pushes().follow(List.of(stream));
        lookSoon();
      } else if (!subscription.isClosed()) {
        paused.add(subscription);
      }
      if (those.isEmpty()) {
        active.remove(stream);
        pushes().unfollow(List.of(stream));
      } else {
        active.put(stream, List.copyOf(those));
      }
      if (active.isEmpty()) {
        pausing.ifPresent(pause -> pause.complete(null));
      }
    } finally {
      lock.unlock();
    }
  }

  private Pushes pushes() {
    if (pushes.isEmpty()) {
      pushes = Optional.of(access.pushes(this));
    }
    return pushes.get();
  }

  // ------------------------------------------------------------------------------------- news

  @Override
  public void pushed(LogEntry.Data entry, List<StreamHeader> streams) {
    for (StreamHeader header : streams) {
      subscriptionsOf(header.stream()).forEach(each -> each.pushed(header, entry));
    }
  }

  private List<Subscription> subscriptionsOf(StreamId stream) {
    lock.lock();
    try {
      return active.getOrDefault(stream, List.of());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void missed() {
    lock.lock();
    try {
      if (!active.isEmpty()) {
        lookSoon();
      }
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void closed() {
    List<Subscription> all;
    lock.lock();
    try {
      all = new ArrayList<>(paused);
      active.values().forEach(all::addAll);
    } finally {
      lock.unlock();
    }
    all.forEach(Subscription::close);
  }

  // ------------------------------------------------------------------------------------ looks

  private void lookSoon() {
    lookAgain = true;
    pausing.ifPresent(pause -> pause.complete(null));
    if (!isLooking) {
      isLooking = true;
      access.world().start("corfu-subscriptions", this::lookAround);
    }
  }

  /** Checks the streams' ends as long as any subscription is active. */
  private void lookAround() {
    while (true) {
      CompletableFuture<Void> pause = new CompletableFuture<>();
      List<StreamId> streams;
      lock.lock();
      try {
        if (active.isEmpty()) {
          isLooking = false;
          return;
        }
        lookAgain = false;
        streams = List.copyOf(active.keySet());
      } finally {
        lock.unlock();
      }
      look(streams);
      lock.lock();
      try {
        if (lookAgain) {
          continue;
        }
        pausing = Optional.of(pause);
      } finally {
        lock.unlock();
      }
      var timer = access.world().after(LOOK_EVERY.toNanos(), () -> pause.complete(null));
      pause.join();
      timer.cancel();
    }
  }

  private void look(List<StreamId> streams) {
    for (int from = 0; from < streams.size(); from += AT_ONCE) {
      List<StreamId> some = streams.subList(from, Math.min(streams.size(), from + AT_ONCE));
      StreamAccess.Ends ends;
      try {
        ends = access.ends(some);
      } catch (UnavailableException | QuotaExceededException later) {
        return; // the next check will tell
      } catch (RuntimeException failure) {
        some.stream()
            .flatMap(stream -> subscriptionsOf(stream).stream())
            .forEach(each -> each.fail(failure));
        return;
      }
      for (int i = 0; i < some.size(); i++) {
        var its =
            new StreamAccess.Ends(
                ends.tail(), ends.began(), ends.epoch(), List.of(ends.ends().get(i)));
        subscriptionsOf(some.get(i)).forEach(each -> each.endedAt(its));
      }
    }
  }

  // -------------------------------------------------------------------- services for subscriptions

  StreamAccess.Ends endsOf(List<StreamId> streams) {
    return access.ends(streams);
  }

  StreamReader reader(StreamId stream, StreamAddress from, long knownBefore) {
    return new StreamReader(access, cache, stream, from, knownBefore);
  }

  EntryCache cache() {
    return cache;
  }

  boolean hasRoomFor(long bytes) {
    return keptBytes.get() + bytes <= access.maxBytesPushed();
  }

  void kept(long bytes) {
    keptBytes.addAndGet(bytes);
  }

  void later(Runnable then) {
    access.world().after(LATE.toNanos(), then);
  }

  /** Runs the work, in its turn, on a thread that may block. */
  void start(Runnable work) {
    workers.lock();
    try {
      if (atWork == MOST_AT_WORK) {
        waiting.add(work); // no more than there are subscriptions
        return;
      }
      atWork++;
    } finally {
      workers.unlock();
    }
    startNow(work);
  }

  private void startNow(Runnable work) {
    access
        .world()
        .start(
            "corfu-subscriber",
            () -> {
              try {
                work.run();
              } finally { // after an exception, too, others get their turn
                nextTurn();
              }
            });
  }

  private void nextTurn() {
    Optional<Runnable> next;
    workers.lock();
    try {
      next = Optional.ofNullable(waiting.poll());
      atWork -= next.isEmpty() ? 1 : 0;
    } finally {
      workers.unlock();
    }
    next.ifPresent(this::startNow);
  }
}
