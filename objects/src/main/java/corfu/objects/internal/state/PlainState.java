package corfu.objects.internal.state;

import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.runtime.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The state of a plain class. It has one instance: readers and the thread that applies changes take
 * turns. A fork is a copy by serialization.
 *
 * <p>A change that throws may have changed a part of the state. A guarded state undoes it: it keeps
 * an older copy of the state, and the changes since that copy. Most classes never throw, so a state
 * begins unguarded. When a change throws for the first time, the player makes a guarded state from
 * the log.
 */
public final class PlainState<T> implements State<T> {

  /** The fewest changes between two copies of the state. */
  private static final int LEAST_SINCE = 256;

  private final ObjectType<T> type;
  private final Serializer serializer;
  private final StateLock lock;
  private T state;
  private volatile long newest;
  private long entry;
  private boolean isHalfDone;
  private final Undo undo;

  /** The older copy of the state, if guarded; otherwise unused. */
  private T base;

  /** The changes since {@link #base} that did not throw, in their order; none if not guarded. */
  private final List<Done> since = new ArrayList<>();

  /**
   * The number of changes after which the next copy is made. It doubles with each copy, up to
   * 65,536.
   */
  private int mostSince = LEAST_SINCE;

  /** The way to undo a change that threw. */
  public enum Undo {
    /** The player makes the state anew from the log. */
    BY_REPLAY,
    /** The state keeps a copy of itself and the later changes: it is guarded. */
    BY_COPY
  }

  private static final class Done {
    final int operation;
    final @Nullable Object[] arguments;

    Done(int operation, @Nullable Object[] arguments) {
      this.operation = operation;
      this.arguments = arguments;
    }
  }

  /**
   * @param deadlines that of the call which a thread is in
   * @param address of the newest entry in the state, or -1
   */
  public PlainState(
      ObjectType<T> type,
      Serializer serializer,
      Supplier<Deadline> deadlines,
      T initial,
      long address,
      Undo undo) {
    this.lock = new StateLock(deadlines);
    this.type = type;
    this.serializer = serializer;
    this.state = initial;
    this.newest = address;
    this.undo = undo;
    this.base = undo == Undo.BY_COPY ? copy(initial) : initial;
  }

  private boolean isGuarded() {
    return undo == Undo.BY_COPY;
  }

  @SuppressWarnings("unchecked") // a copy is of its original's class
  private T copy(T original) {
    return (T) java.util.Objects.requireNonNull(serializer.copy(original));
  }

  @Override
  public void beginEntry(long address) {
    lock.lockToChange();
    entry = address;
  }

  @Override
  public Outcome apply(int operation, @Nullable Object[] arguments) throws StartOverException {
    try {
      // The change may keep and modify its arguments, so it gets its own; `since` repeats it later.
      @Nullable Object[] own = isGuarded() ? copies(arguments) : arguments;
      @Nullable Object value = serializer.copy(type.apply(state, operation, own));
      if (isGuarded()) {
        since.add(new Done(operation, arguments));
      }
      return Outcome.returned(value);
    } catch (Error broken) {
      isHalfDone = true;
      throw broken;
    } catch (Throwable failure) {
      isHalfDone = true;
      State.checkHasRead(failure);
      if (!isGuarded()) {
        throw new StartOverException();
      }
      restore();
      return Outcome.threw(failure);
    }
  }

  @Override
  public void replace(T other) {
    state = other;
    if (isGuarded()) {
      base = copy(other);
      since.clear();
    }
  }

  private void restore() {
    T restored = copy(base);
    for (Done done : since) {
      try {
        type.apply(restored, done.operation, copies(done.arguments));
      } catch (Throwable failure) {
        State.checkHasRead(failure);
        throw new IllegalStateException(
            "a change that was carried out before threw when it was repeated; is it the same"
                + " every time?",
            failure);
      }
    }
    state = restored;
    isHalfDone = false;
  }

  private @Nullable Object[] copies(@Nullable Object[] values) {
    @Nullable Object[] copies = new @Nullable Object[values.length];
    for (int i = 0; i < values.length; i++) {
      copies[i] = serializer.copy(values[i]);
    }
    return copies;
  }

  @Override
  public void endEntry() {
    if (!isHalfDone) {
      newest = entry;
      if (since.size() >= mostSince) {
        base = copy(state);
        since.clear();
        mostSince = Math.min(1 << 16, 2 * mostSince);
      }
    }
    lock.endChanging();
  }

  @Override
  public void abandonEntry() {
    isHalfDone = true;
    lock.endChanging();
  }

  @Override
  public long newest() {
    return newest;
  }

  @Override
  public long newestBelow(long snapshot) {
    return newest < snapshot ? newest : -1;
  }

  @Override
  public @Nullable Object read(long snapshot, int operation, @Nullable Object[] arguments)
      throws Throwable {
    lock.lockToRead();
    try {
      check(snapshot);
      return serializer.copy(type.apply(state, operation, arguments));
    } finally {
      lock.endReading();
    }
  }

  @Override
  public T fork(long snapshot) throws TooNewException {
    lock.lockToRead();
    try {
      check(snapshot);
      return copy(state);
    } finally {
      lock.endReading();
    }
  }

  @Override
  public void look(Consumer<T> viewer) {
    lock.lockToRead();
    try {
      viewer.accept(state);
    } finally {
      lock.endReading();
    }
  }

  private void check(long snapshot) throws TooNewException {
    if (isHalfDone || newest >= snapshot) {
      throw new TooNewException(newest);
    }
  }

  @Override
  public Optional<T> shared() {
    return Optional.empty();
  }
}
