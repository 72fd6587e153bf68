package corfu.objects.internal.checkpoint;

import corfu.objects.DivergenceListener;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.state.State;
import corfu.objects.record.CallId;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.serial.Digester;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.StateDigest;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueOutput;
import corfu.protocol.Address;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Finds out whether a view's state is what others have at the same place: by digests of states, at
 * the checkpoints that it comes by. Persistent structures are digested in the background, plain
 * classes where they stand. Thread-safe.
 */
final class DivergenceDetector<T> {

  /** Checkpoints under way at the same time; of more, some are not compared. */
  private static final int MOST = 8;

  private final ObjectContext<T> object;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<CallId, StateDigest> here = newest();
  private final Map<CallId, CheckpointEnd> there = newest();
  private long equalBefore;
  private boolean isParted;

  DivergenceDetector(ObjectContext<T> object) {
    this.object = object;
  }

  private static <V> Map<CallId, V> newest() {
    return new LinkedHashMap<>() {
      private static final long serialVersionUID = 1L;

      @Override
      protected boolean removeEldestEntry(Map.Entry<CallId, V> eldest) {
        return size() > MOST;
      }
    };
  }

  private boolean isWanted() {
    return object.client().options().onDivergence() != DivergenceListener.NONE;
  }

  /** The view has a state that others may have made. */
  void began(long before) {
    lock.lock();
    try {
      here.clear();
      there.clear();
      equalBefore = before;
    } finally {
      lock.unlock();
    }
  }

  /** The view's state holds all below this log address, and so does a checkpoint. */
  void met(CallId checkpoint, long before, State<T> state) {
    if (!isWanted()) {
      return;
    }
    Optional<T> shared = state.shared();
    if (shared.isPresent()) {
      T at = shared.get();
      var unused =
          object
              .client()
              .background()
              .offer(() -> digest(at).ifPresent(digest -> digested(checkpoint, before, digest)));
    } else {
      state.look(at -> digest(at).ifPresent(digest -> digested(checkpoint, before, digest)));
    }
  }

  private Optional<StateDigest> digest(T state) {
    Optional<Digester> digester = object.serializer().digester();
    try {
      digester.ifPresent(
          digests ->
              object
                  .snapshots()
                  .save(
                      state,
                      value -> {
                        ValueOutput one = new ValueOutput();
                        object.serializer().writePointing(new @Nullable Object[] {value}, one);
                        digests.add(new ValueInput(one.toBuffer()));
                      }));
    } catch (SerializationException unwritable) {
      return Optional.empty(); // whoever writes checkpoints is told
    }
    return digester.map(Digester::digest);
  }

  private void digested(CallId checkpoint, long before, StateDigest digest) {
    @Nullable CheckpointEnd end;
    lock.lock();
    try {
      end = there.remove(checkpoint);
      if (end == null) {
        here.put(checkpoint, digest);
      }
    } finally {
      lock.unlock();
    }
    if (end != null) {
      compare(digest, before, end);
    }
  }

  /** A checkpoint is complete. */
  void ended(CheckpointEnd end) {
    if (object.client().calls().isOwn(end.checkpoint())) {
      return;
    }
    @Nullable StateDigest digest;
    lock.lock();
    try {
      digest = here.remove(end.checkpoint());
      if (digest == null) {
        there.put(end.checkpoint(), end);
      }
    } finally {
      lock.unlock();
    }
    if (digest != null) {
      compare(digest, end.before(), end);
    }
  }

  private void compare(StateDigest ours, long before, CheckpointEnd end) {
    Optional<StateDigest> theirs = end.digest().filter(ours::isComparableTo);
    if (theirs.isEmpty()) {
      return;
    }
    long from;
    boolean isNews;
    lock.lock();
    try {
      from = equalBefore;
      boolean isEqual = theirs.get().hash() == ours.hash();
      isNews = !isEqual && !isParted;
      isParted = !isEqual;
      equalBefore = isEqual ? before : equalBefore;
    } finally {
      lock.unlock();
    }
    if (isNews) {
      object
          .client()
          .options()
          .onDivergence()
          .diverged(
              new DivergenceListener.Divergence(
                  object.stream(), object.name(), new Address(from), new Address(before)));
    }
  }
}
