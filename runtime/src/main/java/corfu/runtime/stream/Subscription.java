package corfu.runtime.stream;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.LogEntry;
import corfu.runtime.NoSpaceException;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A stream that is being given to a {@link Subscriber}. Entries that log units tell of are given at
 * once where it is certain that nothing is between them and the last one, which their backpointers
 * or stream addresses say. Where it is not, the others may only be late; after a moment the stream
 * is read from the log.
 *
 * <p>Thread-safe. May be used from within the subscriber.
 */
public final class Subscription implements AutoCloseable {

  /** Entries that are kept while one before them is missing, or the subscriber is busy. */
  private static final int MOST_PENDING = 256;

  /** An entry may have been damaged on its way: so often it is read again, once a look. */
  private static final int LOOKS_AT_DAMAGED = 10;

  private final Subscriptions owner;
  private final StreamId stream;
  private final Subscriber subscriber;

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.ACTIVE;
  private boolean isAtWork; // or its turn will come
  private long position;
  private long knownUpTo = -1; // the stream has nothing that was not given up to this log address
  private final TreeMap<Long, Pushed> pending = new TreeMap<>(); // by log address
  private Optional<StreamAccess.Ends> goal = Optional.empty();
  private boolean mustLook; // something is missing, up to the goal or wherever the stream ends
  private boolean isWaiting; // for what may only be late
  private int damagedInARow; // looks that found a damaged entry, and nothing before it
  private Optional<RuntimeException> failure = Optional.empty(); // why it was closed
  private StreamPosition lastEnd = StreamPosition.START;

  private enum State {
    ACTIVE,
    PAUSED,
    CLOSED
  }

  private record Pushed(StreamHeader header, LogEntry.Data entry) {}

  /** What is to be done now. */
  private sealed interface Step {
    record Give(Pushed pushed) implements Step {}

    record Look(Optional<StreamAccess.Ends> goal, List<LogEntry.Data> pushed) implements Step {}

    enum Other implements Step {
      REST,
      END
    }
  }

  Subscription(Subscriptions owner, StreamId stream, StreamAddress from, Subscriber subscriber) {
    this.owner = owner;
    this.stream = stream;
    this.subscriber = subscriber;
    this.position = from.value();
  }

  public StreamId stream() {
    return stream;
  }

  /** The place of the entry that comes next, or before it: where another subscription goes on. */
  public StreamAddress position() {
    lock.lock();
    try {
      return new StreamAddress(position);
    } finally {
      lock.unlock();
    }
  }

  /** Nothing is given any more, but for an entry that is being given, until it is resumed. */
  public void pause() {
    become(State.ACTIVE, State.PAUSED);
  }

  /** Goes on where it was paused. */
  public void resume() {
    become(State.PAUSED, State.ACTIVE);
  }

  private void become(State from, State to) {
    lock.lock();
    try {
      if (state != from) {
        return;
      }
      state = to;
      forgetPending();
    } finally {
      lock.unlock();
    }
    owner.changed(this);
  }

  /**
   * Nothing is given any more, but for an entry that is being given; {@link Subscriber#onClosed} is
   * called last. Does not wait for that.
   */
  @Override
  public void close() {
    end(Optional.empty());
  }

  /** It cannot go on. */
  void fail(RuntimeException reason) {
    end(Optional.of(reason));
  }

  private void end(Optional<RuntimeException> reason) {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return;
      }
      state = State.CLOSED;
      failure = reason;
      forgetPending();
      toWork();
    } finally {
      lock.unlock();
    }
    owner.changed(this);
  }

  private void forgetPending() {
    pending.values().forEach(this::leaves);
    pending.clear();
    goal = Optional.empty();
  }

  private void leaves(Pushed pushed) {
    owner.kept(-weight(pushed.entry()));
  }

  private static long weight(LogEntry.Data entry) {
    return 256L + entry.payload().remaining();
  }

  private void toWork() {
    if (!isAtWork) {
      isAtWork = true;
      owner.start(this::work);
    }
  }

  // ---------------------------------------------------------------------------- what is heard

  /** A unit has told of an entry. */
  void pushed(StreamHeader header, LogEntry.Data entry) {
    lock.lock();
    try {
      if (state != State.ACTIVE || header.streamAddress() < position) {
        return;
      }
      if (pending.size() >= MOST_PENDING || !owner.hasRoomFor(weight(entry))) {
        mustLook = true;
        goal = Optional.empty(); // it may be before this entry
      } else {
        if (pending.put(entry.address().value(), new Pushed(header, entry)) == null) {
          owner.kept(weight(entry));
        }
      }
      toWork();
    } finally {
      lock.unlock();
    }
  }

  /** The stream ended there a moment ago. */
  void endedAt(StreamAccess.Ends ends) {
    StreamPosition end = ends.ends().getFirst();
    Backpointers last = end.previous();
    lock.lock();
    try {
      boolean isKnown =
          end.streamAddress() <= position
              || end.equals(lastEnd)
              || (!last.isEmpty() && last.at(0) <= knownUpTo);
      if (state == State.ACTIVE && (mustLook || !isKnown)) {
        mustLook = true;
        goal = Optional.of(ends);
        toWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What may only have been late is missing. */
  private void hasWaited() {
    lock.lock();
    try {
      isWaiting = false;
      if (state == State.ACTIVE && !pending.isEmpty()) {
        if (!isLinked(pending.firstEntry().getValue())) {
          mustLook = true;
          goal = Optional.empty();
        }
        toWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Whether nothing is between the entry and what has been given. */
  private boolean isLinked(Pushed pushed) {
    StreamHeader header = pushed.header();
    Backpointers previous = header.previous();
    return header.streamAddress() == position
        || (!previous.isEmpty() && previous.at(0) <= knownUpTo);
  }

  // ----------------------------------------------------------------------------- what is given

  private void work() {
    while (true) {
      switch (next()) {
        case Step.Give(Pushed(StreamHeader header, LogEntry.Data entry)) ->
            give(
                new StreamRead.Entry(
                    new StreamAddress(header.streamAddress()), entry.address(), entry.payload()));
        case Step.Look(var to, var pushed) -> {
          if (!look(to, pushed)) {
            lookLater();
            return;
          }
        }
        case Step.Other.REST -> {
          return;
        }
        case Step.Other.END -> {
          tellTheEnd();
          return;
        }
      }
    }
  }

  private Step next() {
    lock.lock();
    try {
      if (state == State.CLOSED) {
        return Step.Other.END;
      }
      while (!pending.isEmpty()) {
        Map.Entry<Long, Pushed> first = pending.firstEntry();
        boolean isOld = first.getValue().header().streamAddress() < position;
        if (!isOld && !isLinked(first.getValue())) {
          break;
        }
        pending.remove(first.getKey());
        leaves(first.getValue());
        if (!isOld) {
          return new Step.Give(first.getValue());
        }
      }
      if (state == State.ACTIVE && mustLook) {
        mustLook = false;
        Optional<StreamAccess.Ends> to = goal;
        goal = Optional.empty();
        return new Step.Look(to, pending.values().stream().map(Pushed::entry).toList());
      }
      if (!pending.isEmpty() && !isWaiting) {
        isWaiting = true;
        owner.later(this::hasWaited);
      }
      isAtWork = false;
      return Step.Other.REST;
    } finally {
      lock.unlock();
    }
  }

  /** Reads from the log what is missing. False if that has to be done later. */
  private boolean look(Optional<StreamAccess.Ends> goalThen, List<LogEntry.Data> pushed) {
    try {
      StreamAccess.Ends to = goalThen.orElseGet(() -> owner.endsOf(List.of(stream)));
      owner.cache().keepAll(new ArrayList<>(pushed)); // it leads to those before
      StreamReader reader = owner.reader(stream, position(), knownUpTo() + 1);
      var unused = reader.sync(to, to.ends().getFirst());
      while (isActive()) {
        switch (reader.readNext()) {
          case StreamRead.Entry entry -> give(entry);
          case StreamRead.Trimmed(StreamAddress before) -> giveTrimmed(before);
          case StreamRead.Absent absent -> {
            hasReached(to.ends().getFirst(), reader.decidedBelow());
            return true;
          }
        }
      }
      mustLookAgain();
      return true;
    } catch (UnavailableException | NoSpaceException later) {
      return false;
    } catch (CorruptEntryException damaged) {
      if (damagedInARow() < LOOKS_AT_DAMAGED) {
        return false;
      }
      fail(damaged);
      return true;
    } catch (RuntimeException failure) {
      fail(failure);
      return true;
    }
  }

  boolean isClosed() {
    lock.lock();
    try {
      return state == State.CLOSED;
    } finally {
      lock.unlock();
    }
  }

  private long knownUpTo() {
    lock.lock();
    try {
      return knownUpTo;
    } finally {
      lock.unlock();
    }
  }

  boolean isActive() {
    lock.lock();
    try {
      return state == State.ACTIVE;
    } finally {
      lock.unlock();
    }
  }

  private void mustLookAgain() {
    lock.lock();
    try {
      mustLook = true;
    } finally {
      lock.unlock();
    }
  }

  private int damagedInARow() {
    lock.lock();
    try {
      return ++damagedInARow;
    } finally {
      lock.unlock();
    }
  }

  /** When the stream's end is looked at the next time. */
  private void lookLater() {
    lock.lock();
    try {
      mustLook = true;
      isAtWork = false;
      if (state == State.CLOSED) {
        toWork();
      }
    } finally {
      lock.unlock();
    }
  }

  /** Addresses that an older epoch had issued in vain may be issued again: they are not passed. */
  private void hasReached(StreamPosition end, long decidedBelow) {
    Backpointers last = end.previous();
    lock.lock();
    try {
      if (last.isEmpty() || last.at(0) < decidedBelow) {
        lastEnd = end;
        knownUpTo = last.isEmpty() ? knownUpTo : Math.max(knownUpTo, last.at(0));
      }
    } finally {
      lock.unlock();
    }
  }

  private void give(StreamRead.Entry entry) {
    if (tell(() -> subscriber.onEntry(entry))) {
      advance(entry.streamAddress().value() + 1, entry.address().value());
    }
  }

  private void giveTrimmed(StreamAddress before) {
    if (tell(() -> subscriber.onTrimmed(before))) {
      advance(before.value(), -1);
    }
  }

  private void advance(long streamAddress, long logAddress) {
    lock.lock();
    try {
      damagedInARow = 0;
      position = Math.max(position, streamAddress);
      knownUpTo = Math.max(knownUpTo, logAddress);
    } finally {
      lock.unlock();
    }
  }

  /** Calls the subscriber; false if it has thrown something. */
  private boolean tell(Runnable call) {
    try {
      call.run();
      return true;
    } catch (RuntimeException thrown) {
      fail(thrown);
      return false;
    } catch (Error thrown) {
      fail(new IllegalStateException("the subscriber failed: " + thrown, thrown));
      return false;
    }
  }

  /** Nobody is left to be told of what is thrown here. */
  private void tellTheEnd() {
    try {
      failed().ifPresent(subscriber::onError);
    } finally {
      subscriber.onClosed();
    }
  }

  private Optional<RuntimeException> failed() {
    lock.lock();
    try {
      return failure;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String toString() {
    return "subscription of stream " + stream + " at " + position();
  }
}
