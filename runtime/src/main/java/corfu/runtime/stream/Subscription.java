package corfu.runtime.stream;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import corfu.runtime.CorruptEntryException;
import corfu.runtime.LogEntry;
import corfu.runtime.NoSpaceException;
import corfu.runtime.QuotaExceededException;
import corfu.runtime.StreamAccess;
import corfu.runtime.UnavailableException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The delivery of a stream to a {@link Subscriber}. A pushed entry is delivered at once if its
 * backpointers or stream address show that no entry is missing before it. Otherwise the missing
 * ones may only be late; after a moment the stream is read from the log.
 *
 * <p>Thread-safe. The subscriber itself may use it.
 */
public final class Subscription implements AutoCloseable {

  /** The most entries to keep while an earlier one is missing, or the subscriber is busy. */
  private static final int MOST_PENDING = 256;

  /**
   * The number of reads of a damaged entry, one per look; the damage may have happened in transit.
   */
  private static final int LOOKS_AT_DAMAGED = 10;

  private final Subscriptions owner;
  private final StreamId stream;
  private final Subscriber subscriber;

  private final ReentrantLock lock = new ReentrantLock();
  private State state = State.ACTIVE;
  private boolean isAtWork; // running, or waiting for a thread
  private long position;
  private long knownUpTo = -1; // log address: no undelivered entry of the stream is at or below it
  private final TreeMap<Long, Pushed> pending = new TreeMap<>(); // by log address
  private Optional<StreamAccess.Ends> goal = Optional.empty();
  private boolean mustLook; // an entry is missing, up to the goal or wherever the stream ends
  private boolean isWaiting; // for an entry that may only be late
  private int damagedInARow; // looks that found a damaged entry, and nothing before it
  private Optional<RuntimeException> failure = Optional.empty(); // the reason for the close
  private StreamPosition lastEnd = StreamPosition.START;

  private enum State {
    ACTIVE,
    PAUSED,
    CLOSED
  }

  private record Pushed(StreamHeader header, LogEntry.Data entry) {}

  /** The next step of the work. */
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

  /**
   * Returns the place of the next entry, or one before it, at which another subscription can
   * continue.
   */
  public StreamAddress position() {
    lock.lock();
    try {
      return new StreamAddress(position);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pauses the delivery until {@link #resume}. An entry that is being delivered is not affected.
   */
  public void pause() {
    become(State.ACTIVE, State.PAUSED);
  }

  /** Continues where the delivery was paused. */
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
   * Ends the delivery. An entry that is being delivered is not affected; {@link
   * Subscriber#onClosed} is called last. Does not wait for that.
   */
  @Override
  public void close() {
    end(Optional.empty());
  }

  /** Ends the subscription because of a failure. */
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

  // ------------------------------------------------------------------------------------------ news

  /** Receives an entry that a unit has pushed. */
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

  /** Receives the stream's end of a moment ago. */
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

  /** Looks for an entry that is still missing after the wait, and may be more than late. */
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

  /** Returns whether no entry is between this one and the delivered ones. */
  private boolean isLinked(Pushed pushed) {
    StreamHeader header = pushed.header();
    Backpointers previous = header.previous();
    return header.streamAddress() == position
        || (!previous.isEmpty() && previous.at(0) <= knownUpTo);
  }

  // -------------------------------------------------------------------------------------- delivery

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

  /** Reads missing entries from the log. Returns false if that must be done later. */
  private boolean look(Optional<StreamAccess.Ends> goalThen, List<LogEntry.Data> pushed) {
    try {
      StreamAccess.Ends to = goalThen.orElseGet(() -> owner.endsOf(List.of(stream)));
      owner.cache().keepAll(new ArrayList<>(pushed)); // it leads to earlier entries
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
    } catch (UnavailableException | NoSpaceException | QuotaExceededException later) {
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

  /** Leaves the look to the next check of the stream's end. */
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

  /**
   * Records that the end was reached. Addresses that an older epoch issued in vain may be issued
   * again, so they are not passed.
   */
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

  /** Calls the subscriber. Returns false if it has thrown an exception. */
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

  /** Reports the end to the subscriber. An exception from here has no receiver. */
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
