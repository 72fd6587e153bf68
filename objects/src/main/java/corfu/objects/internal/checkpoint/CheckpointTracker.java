package corfu.objects.internal.checkpoint;

import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectException;
import corfu.objects.internal.client.Background;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.state.State;
import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.CorfuException;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Follows an object's checkpoints while a view plays the object's stream. It counts the changes
 * since the last checkpoint, so that this client writes the next checkpoint when it is due. It also
 * compares the view's own state with the states in the checkpoints. The player calls its methods
 * from one thread at a time.
 */
public final class CheckpointTracker<T> {

  private static final Logger LOG = LoggerFactory.getLogger(CheckpointTracker.class);

  /**
   * Clients that find at the same time that a checkpoint is due wait at most this long, so that
   * they do not all ask at the same time.
   */
  private static final Duration LONGEST_HESITATION = Duration.ofMillis(20);

  /** The approximate size of an update in the log without its arguments, in bytes. */
  private static final int UPDATE_BYTES = 64;

  /** Playing this many updates takes as long as reading a checkpoint of them. */
  private static final long LEAST_UPDATES = 1_000;

  private static final int MOST_PATIENCE = 1 << 10;

  private final CheckpointedObject<T> played;
  private final ObjectContext<T> object;
  private final CheckpointPolicy policy;
  private final DivergenceDetector<T> divergence;
  private final ConcurrentHashMap<CallId, CompletableFuture<CheckpointedObject.StateCopy<T>>>
      wanted = new ConcurrentHashMap<>();

  private final AtomicBoolean isAsked = new AtomicBoolean();
  private volatile boolean isOverdue;
  private volatile int patience = 1; // doubled by each failure
  private volatile long dueUpdates; // at how many it is time
  private volatile long dueBytes;

  // Only the player writes these; others read them when they have seen how far it is.
  private long updates; // since the last checkpoint was begun
  private long bytes;
  private long lastBytes;
  private World.@Nullable Timer timer;

  public CheckpointTracker(CheckpointedObject<T> played) {
    this.played = played;
    this.object = played.context();
    this.policy = object.checkpoints();
    this.divergence = new DivergenceDetector<>(object);
  }

  // ---------------------------------------------------------------------- called by the player

  /** The player begins, or begins anew, with this. */
  public void began(Checkpoints.Start<T> start) {
    lastBytes = start.bytes();
    divergence.began(start.before());
    startAnew();
  }

  private void startAnew() {
    updates = 0;
    bytes = 0;
    dueUpdates = times(patience, policy.everyUpdates());
    dueBytes = times(patience, policy.everyBytes());
    isOverdue = false;
    if (timer != null) {
      timer.cancel();
      timer = null;
    }
  }

  /** Changes have been carried out. */
  public void played(Updates record) {
    if (!policy.isAutomatic()) {
      return;
    }
    long more = 0;
    for (Update update : record.updates()) {
      more += UPDATE_BYTES + update.arguments().remaining();
    }
    updates += record.updates().size();
    bytes += more;
    if (timer == null && policy.every().isPresent()) {
      timer = object.client().world().after(policy.every().get().toNanos(), this::becomeOverdue);
    }
    if (isDue()) {
      ask();
    }
  }

  /** Whether so much has changed since the last checkpoint that one would not be in vain. */
  public boolean isWorthOne() {
    return policy.isAutomatic()
        && bytes >= lastBytes
        && updates >= Math.min(LEAST_UPDATES, policy.everyUpdates());
  }

  private void becomeOverdue() {
    isOverdue = true;
    ask();
  }

  /** A checkpoint is of here. */
  public void met(CheckpointMark mark, Address address, StreamAddress place, State<T> state) {
    long before = address.value() + 1;
    @Nullable CompletableFuture<CheckpointedObject.StateCopy<T>> here =
        wanted.get(mark.checkpoint());
    boolean isOurs = mark.stateName().equals(object.type().stateName());
    if (here != null) {
      try {
        T copy = state.fork(State.NOW);
        here.complete(
            new CheckpointedObject.StateCopy<>(
                copy, new Address(before), new StreamAddress(place.value() + 1)));
      } catch (State.TooNewException | RuntimeException failure) {
        here.completeExceptionally(failure);
      }
    } else if (isOurs) {
      divergence.met(mark.checkpoint(), before, state);
    }
    if (isOurs) {
      startAnew();
    }
  }

  /** A checkpoint is complete. */
  public void ended(CheckpointEnd end) {
    if (end.stateName().equals(object.type().stateName())) {
      lastBytes = end.bytes();
      divergence.ended(end);
    }
  }

  // ------------------------------------------------------------------------------- writing them

  /**
   * The state where a mark stands.
   *
   * @param mark appends it; tells whether it did
   * @return empty: it did not; or the view, made anew meanwhile, began behind it
   */
  public Optional<CheckpointedObject.StateCopy<T>> copyAt(
      CallId checkpoint, CheckpointedObject.Marking mark) {
    CompletableFuture<CheckpointedObject.StateCopy<T>> here = new CompletableFuture<>();
    wanted.put(checkpoint, here);
    try {
      if (!mark.append()) {
        return Optional.empty();
      }
      played.catchUp();
      return here.isDone() ? Optional.of(await(here)) : Optional.empty();
    } finally {
      wanted.remove(checkpoint);
    }
  }

  private CheckpointedObject.StateCopy<T> await(
      CompletableFuture<CheckpointedObject.StateCopy<T>> here) {
    try {
      return here.join();
    } catch (CompletionException e) {
      if (e.getCause() instanceof SerializationException cause) {
        throw cause;
      }
      throw new IllegalStateException("the state of " + object.name() + " can't be copied", e);
    }
  }

  private boolean isDue() {
    boolean isMuch = updates >= dueUpdates || bytes >= dueBytes;
    return isOverdue || (isMuch && bytes >= lastBytes);
  }

  private static long times(int patience, long each) {
    return each > Long.MAX_VALUE / 2 / patience ? Long.MAX_VALUE / 2 : each * patience;
  }

  private void ask() {
    if (isAsked.compareAndSet(false, true)
        && !object.client().background().offer(this::writeIfDue)) {
      isAsked.set(false);
    }
  }

  private void writeIfDue() {
    Background background = object.client().background();
    try {
      long most = LONGEST_HESITATION.toNanos();
      background.pause(object.client().world().random().nextLong(most));
      played.catchUp(); // somebody may have begun one
      if (isDue()) {
        write(background);
        patience = 1;
      }
    } catch (CorfuException
        | ObjectException
        | SerializationException
        | IllegalStateException failure) {
      background.check();
      putOff(failure);
    } finally {
      isAsked.set(false);
    }
  }

  private void write(Background background) {
    Optional<Address> written =
        CheckpointWriter.writeIfFirst(
            played,
            partBytes -> {
              long nanos = TimeUnit.SECONDS.toNanos(partBytes) / policy.bytesPerSecond();
              background.pause(nanos);
            });
    if (written.isPresent()) {
      background.check();
      new Checkpoints<>(object, played.values(), () -> {}).apply(policy.history());
    }
  }

  private void putOff(RuntimeException failure) {
    patience = Math.min(MOST_PATIENCE, 2 * patience);
    isOverdue = false;
    dueUpdates = updates + times(patience, policy.everyUpdates());
    dueBytes = bytes + times(patience, policy.everyBytes());
    LOG.warn("a checkpoint of {} was not written, and is put off", object.name(), failure);
  }
}
