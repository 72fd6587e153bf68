package corfu.runtime.access;

import corfu.access.AccessPolicy;
import corfu.protocol.Identity;
import corfu.runtime.Corfu;
import corfu.runtime.Deadline;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows the cluster's policy, for applications that decide on requests of their own clients. The
 * client needs {@code observe}. It looks for changes four times a second, on a thread of its own;
 * each look ends within the client's operation timeout. Thread-safe.
 */
public final class PolicyWatch implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(PolicyWatch.class);

  /** The time between two looks. */
  private static final Duration INTERVAL = Duration.ofMillis(250);

  private final Corfu corfu;
  private final World world;

  private final ReentrantLock lock = new ReentrantLock();
  private Optional<Known> newest = Optional.empty();
  private CompletableFuture<Void> nextLook = new CompletableFuture<>();
  private World.Timer timer = () -> {};
  private boolean isClosed;

  /** The policy as far as it is applied; only the current look uses it, and the next field. */
  private Optional<AccessControl> reading = Optional.empty();

  private boolean hasFailed;

  private record Known(AccessPolicy policy, long asOfNanos) {}

  private PolicyWatch(Corfu corfu) {
    this.corfu = corfu;
    this.world = corfu.streamAccess().world();
  }

  /**
   * Begins to follow the policy.
   *
   * @param corfu the client, which the caller closes after this watch
   */
  public static PolicyWatch start(Corfu corfu) {
    PolicyWatch watch = new PolicyWatch(corfu);
    watch.world.start("corfu-policy", watch::look);
    return watch;
  }

  private void look() {
    long began = world.nanoTime();
    try {
      AccessControl control =
          reading.orElseGet(() -> AccessControl.over(corfu, Identity.ANONYMOUS));
      reading = Optional.of(control);
      learned(new Known(control.policy(), began));
      hasFailed = false;
    } catch (RuntimeException failure) {
      reading = Optional.empty(); // it may have passed changes without applying them
      if (!hasFailed && !isClosed()) {
        LOG.warn(
            "the permissions cannot be read from the log; until that succeeds, only administrators"
                + " of the configuration are served: {}",
            failure.toString());
      }
      hasFailed = true;
    }
    lookLater();
  }

  private void learned(Known known) {
    CompletableFuture<Void> waiting;
    lock.lock();
    try {
      newest = Optional.of(known);
      waiting = nextLook;
      nextLook = new CompletableFuture<>();
    } finally {
      lock.unlock();
    }
    waiting.complete(null);
  }

  private void lookLater() {
    lock.lock();
    try {
      if (!isClosed) {
        timer = world.after(INTERVAL.toNanos(), () -> world.start("corfu-policy", this::look));
      }
    } finally {
      lock.unlock();
    }
  }

  private boolean isClosed() {
    lock.lock();
    try {
      return isClosed;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Returns the policy, with all changes that completed longer ago than {@code maxAge}. Returns
   * empty if the policy cannot be read.
   *
   * @param maxAge the longest time since the policy was the newest
   * @param patience the longest time to wait for a policy of that age
   */
  public Optional<AccessPolicy> policy(Duration maxAge, Duration patience) {
    Optional<AccessPolicy> known = known(maxAge);
    Deadline deadline = Deadline.in(world, patience);
    while (known.isEmpty() && !deadline.hasPassed()) {
      CompletableFuture<Void> look = awaited();
      known = known(maxAge); // a look may have ended in between
      if (known.isEmpty()) {
        var unused = deadline.await(look);
        known = known(maxAge);
      }
    }
    return known;
  }

  private CompletableFuture<Void> awaited() {
    lock.lock();
    try {
      return nextLook;
    } finally {
      lock.unlock();
    }
  }

  private Optional<AccessPolicy> known(Duration maxAge) {
    lock.lock();
    try {
      return newest
          .filter(known -> world.nanoTime() - known.asOfNanos <= maxAge.toNanos())
          .map(Known::policy);
    } finally {
      lock.unlock();
    }
  }

  /** Ends the looks. */
  @Override
  public void close() {
    lock.lock();
    try {
      isClosed = true;
      timer.cancel();
    } finally {
      lock.unlock();
    }
  }
}
