package corfu.bytes.internal.writer;

import corfu.bytes.VersionForgottenException;
import corfu.bytes.internal.extent.PageLostException;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.PagesAhead;
import corfu.runtime.CorfuException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The newest state of a writer. If pages of its map were trimmed, its version is found anew. One
 * thread at a time changes the state, and holds no lock meanwhile, since maps may load pages.
 * Thread-safe for readers.
 */
final class WriterState {

  private final WriterCluster cluster;
  private final AtomicLong losses = new AtomicLong(); // times that pages of maps were lost
  private volatile long triedAfter; // the number of losses when the map was last sought anew
  private volatile long wholeAfter; // the number of losses when this map was found
  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final List<StateListener> listeners = new ArrayList<>();
  private volatile BytesState state;

  WriterState(WriterCluster cluster, BytesState state) {
    this.cluster = cluster;
    this.state = state;
  }

  /** Returns the state. Its map may have lost pages; a call on it fails then. */
  BytesState get() {
    return state;
  }

  /** Returns the state, unless pages of its map may be lost. */
  Optional<BytesState> whole() {
    return wholeAfter == losses.get() ? Optional.of(state) : Optional.empty();
  }

  /** Adds a listener. It receives all that follows the returned state. */
  BytesState listen(StateListener listener) {
    lock.lock();
    try {
      listeners.add(listener);
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a listener, which may still be told of an entry that is being applied. */
  void unlisten(StateListener listener) {
    lock.lock();
    try {
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  private List<StateListener> replace(BytesState next) {
    lock.lock();
    try {
      state = next;
      return List.copyOf(listeners);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Applies the next entry, and returns the state behind it.
   *
   * @throws VersionForgottenException if pages of the map were trimmed, and entries, too
   */
  BytesState advance(BytesState.Entry entry, int payloadBytes) {
    BytesState after = after(entry);
    BytesState before = state; // its map was found anew if it had to be
    for (StateListener listener : replace(after)) {
      try {
        listener.onApplied(before, entry, after, payloadBytes);
      } catch (CorfuException | PageLostException unread) {
        listener.onSkipped(); // the entry counts nevertheless
      }
    }
    return after;
  }

  /**
   * Goes on from a newer state that was found in the log.
   *
   * @param lossesBefore the number of losses before it was sought
   */
  void skipTo(BytesState newest, long lossesBefore) {
    List<StateListener> told = replace(newest);
    wholeAfter = lossesBefore;
    told.forEach(StateListener::onSkipped);
  }

  /** Returns the number of losses so far. */
  long losses() {
    return losses.get();
  }

  /** Pages of some map are lost. */
  void isLost() {
    losses.incrementAndGet();
  }

  /** Returns whether the map is to be sought anew. It is tried once for each loss. */
  boolean isFindNeeded() {
    return triedAfter != losses.get();
  }

  /** Tries to find the map anew. If that fails, calls on lost pages try it again. */
  void tryToFind() {
    try {
      cluster.withMaps(this::find);
    } catch (CorfuException | VersionForgottenException later) {
      // The pages that the writer needs may be there still.
    }
  }

  private BytesState find() {
    long lossesBefore = losses.get();
    triedAfter = lossesBefore;
    BytesState same = cluster.again(state);
    var unused = replace(same);
    wholeAfter = lossesBefore;
    return same;
  }

  /** Loads the pages that some next entries need, together. It only saves time. */
  void prepare(List<BytesRecord> next) {
    try {
      PagesAhead.prepare(state, next);
    } catch (PageLostException | CorfuException later) {
      // each entry loads its own pages
    }
  }

  private BytesState after(BytesState.Entry entry) {
    boolean[] hasFailed = {false};
    return cluster.withMaps(
        () -> {
          if (hasFailed[0]) {
            isLost(); // nobody else is offered this map
            find();
          }
          hasFailed[0] = true; // if this does not return
          return state.after(entry);
        });
  }
}
