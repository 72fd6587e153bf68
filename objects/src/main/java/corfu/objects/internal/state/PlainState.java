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
 * The state of a plain class, of which there is one instance: readers and the thread that applies
 * take turns. A fork is a copy by serialization.
 *
 * <p>A change that throws may have been half done. So that it can be undone a state may be guarded:
 * it keeps a copy of how it was a while ago, and what was done since. It is only when the first one
 * throws that a guarded state is made, from the log, as most classes never throw.
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
  private T base;
  private final List<Done> since = new ArrayList<>();
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
