package corfu.objects.internal.state;

import corfu.objects.HistoryTrimmedException;
import corfu.runtime.CorfuException;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * An object's state: changed by one thread, entry after entry, and read by many, each of whom sees
 * it between two entries.
 *
 * @param <T> states
 */
public sealed interface State<T> permits PersistentState, PlainState {

  /** Now, whatever that is. */
  long NOW = Long.MAX_VALUE;

  /**
   * Carries out a change of the entry that is being applied. If it throws, the state is as before.
   *
   * @throws StartOverException if that can't be done with what is here
   * @throws CorfuException if it reads a value that stays in the log, and can't do so now
   * @throws HistoryTrimmedException if such a value is not there any more
   */
  Outcome apply(int operation, @Nullable Object[] arguments) throws StartOverException;

  /** Makes another state of it, as a change of the entry that is being applied. */
  void replace(T other);

  /** Goes to the next entry. */
  void beginEntry(long address);

  /** Ends the entry: all reads from now on see it. */
  void endEntry();

  /**
   * Abandons the entry because a part of it could not be carried out now. No reader sees any part
   * of it, and the state does not change any more.
   */
  void abandonEntry();

  /** Returns the log address of the newest entry in the state, or -1 if there is none. */
  long newest();

  /**
   * Returns the log address of the newest entry below a snapshot, as far as is known, or -1 if
   * there is none.
   */
  long newestBelow(long snapshot);

  /**
   * Calls an accessor. The returned value belongs to the caller.
   *
   * @param snapshot reads the state of this log address, or {@link #NOW}; all entries below are in
   *     it
   * @throws TooNewException if there is no such state any more
   * @throws Throwable what the accessor threw
   */
  @Nullable Object read(long snapshot, int operation, @Nullable Object[] arguments)
      throws Throwable;

  /**
   * Returns a state of the caller's own that is equal to the state at a log address.
   *
   * @throws TooNewException if there is no such state any more
   */
  T fork(long snapshot) throws TooNewException;

  /**
   * The state, of which nothing will change that can be seen in it, or none if it has to be copied.
   */
  Optional<T> shared();

  /** Shows the state to somebody who only looks; nothing changes meanwhile. */
  void look(Consumer<T> viewer);

  /** That a value could not be read is not what came of a change, and not the same everywhere. */
  static void checkHasRead(Throwable failure) {
    if (failure instanceof CorfuException notNow) {
      throw notNow;
    }
    if (failure instanceof HistoryTrimmedException forgotten) {
      throw forgotten;
    }
  }

  /** There is no state as old as wanted. */
  final class TooNewException extends Exception {
    private static final long serialVersionUID = 1L;

    private final long newest;

    TooNewException(long newest) {
      super("changed at " + newest, null, false, false);
      this.newest = newest;
    }

    /** Where it was changed since. */
    public long newest() {
      return newest;
    }
  }

  /** The state has to be made anew from the log, in a way that lets it undo what throws. */
  final class StartOverException extends Exception {
    private static final long serialVersionUID = 1L;

    StartOverException() {
      super("start over", null, false, false);
    }
  }
}
