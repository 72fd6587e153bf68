package corfu.objects.tango;

import corfu.objects.tango.TangoRecord.Checkpoint;
import corfu.objects.tango.TangoRecord.Commit;
import corfu.objects.tango.TangoRecord.Decision;
import corfu.objects.tango.TangoRecord.Update;
import corfu.objects.tango.TangoRecord.Write;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Deadline;
import corfu.runtime.DeadlineLock;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Plays one object's stream into its view. Thread-safe: one thread at a time. */
final class TangoView {

  /** So much may be read ahead while a decision is awaited. */
  private static final int MOST_AHEAD = 1 << 12;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(1);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(100);

  private final TangoLog log;
  private final Decisions decisions;
  private final long timeoutNanos;
  private final Predicate<StreamId> isHosted;
  private final StreamId id;
  private final TangoObject object;
  private final LogStream checkpoints;

  private final AtomicLong moved = new AtomicLong(); // entries that were played
  private final DeadlineLock lock;
  private final ArrayDeque<StreamRead> ahead = new ArrayDeque<>(); // read, but not applied
  private @Nullable StreamReader reader; // once it was queried
  private StreamAddress position = StreamAddress.ZERO; // what is before it is in the view
  private Address before = new Address(0); // the same, as a log address
  private @Nullable Throwable broken;

  /**
   * @param timeoutNanos how long a decision is waited for that others should tell
   * @param isHosted of which objects this client has views
   */
  TangoView(
      TangoLog log,
      Decisions decisions,
      long timeoutNanos,
      Predicate<StreamId> isHosted,
      StreamId id,
      TangoObject object) {
    this.log = log;
    this.decisions = decisions;
    this.timeoutNanos = timeoutNanos;
    this.isHosted = isHosted;
    this.id = id;
    this.object = object;
    this.lock = new DeadlineLock("object " + id + " is being played", moved::get);
    this.checkpoints = log.streams().open(log.named(nameOfCheckpoints(id)));
  }

  static StreamId checkpointsOf(StreamId object) {
    return StreamId.named(nameOfCheckpoints(object));
  }

  private static String nameOfCheckpoints(StreamId object) {
    return "corfu.objects.tango/checkpoints/" + object;
  }

  TangoObject object() {
    return object;
  }

  /**
   * Plays all that was complete when this was called, and lets somebody read the view.
   *
   * @param limit nothing from this log address on
   */
  <R extends @Nullable Object> R query(Optional<Address> limit, Supplier<R> read) {
    StreamEnds ends = log.streams().ends(List.of(id));
    lock.lock(log.deadline());
    try {
      play(ends, limit);
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** Lets somebody read the view as it is. */
  <R extends @Nullable Object> R look(Supplier<R> read) {
    lock.lock(log.deadline());
    try {
      return read.get();
    } finally {
      lock.unlock();
    }
  }

  /** Where the view is; for readers. */
  StreamAddress position() {
    return position;
  }

  /** Saves the view as it is now. */
  Address checkpoint() {
    return query(
        Optional.empty(),
        () -> {
          var record = new Checkpoint(log.nextCall(), before, position, object.save());
          Address unused = log.append(record, List.of(checkpoints.id()));
          return before;
        });
  }

  /** Trims what a checkpoint has that is no newer than the limit. */
  Optional<Address> forget(Address limit) {
    Optional<Saved> kept = newestCheckpoint(Optional.of(limit));
    kept.ifPresent(
        saved -> {
          log.streams().open(id).trim(saved.checkpoint.resume());
          checkpoints.trim(saved.at);
        });
    return kept.map(saved -> saved.checkpoint.before());
  }

  private record Saved(StreamAddress at, Checkpoint checkpoint) {}

  private Optional<Saved> newestCheckpoint(Optional<Address> limit) {
    Optional<Saved> newest = Optional.empty();
    for (StreamRead read : checkpoints.read(StreamAddress.ZERO, checkpoints.tail())) {
      if (read instanceof StreamRead.Entry entry
          && TangoLog.record(checkpoints.id(), entry) instanceof Checkpoint checkpoint
          && limit.filter(it -> it.compareTo(checkpoint.before()) < 0).isEmpty()
          && newest
              .filter(it -> it.checkpoint.before().compareTo(checkpoint.before()) > 0)
              .isEmpty()) {
        newest = Optional.of(new Saved(entry.streamAddress(), checkpoint));
      }
    }
    return newest;
  }

  // ------------------------------------------------------------------------------------- playing

  private void play(StreamEnds ends, Optional<Address> limit) {
    if (broken != null) {
      throw new IllegalStateException(
          "the view of object %s failed in an upcall; register a new one".formatted(id), broken);
    }
    if (limit.filter(it -> it.compareTo(before) < 0).isPresent()) {
      throw new IllegalStateException(
          "the view of object %s has all before address %s, which is behind address %s: register"
                  .formatted(id, before, limit.get())
              + " a new one to see the past");
    }
    StreamReader playing = reader;
    if (playing == null) {
      playing = start(limit);
      reader = playing;
    }
    StreamAddress unused = playing.sync(ends);
    while (true) {
      StreamRead next = ahead.isEmpty() ? playing.readNext() : ahead.remove();
      switch (next) {
        case StreamRead.Entry entry -> {
          if (limit.filter(it -> it.compareTo(entry.address()) <= 0).isPresent()) {
            ahead.addFirst(entry);
            return;
          }
          meet(entry, playing);
          if (moved.incrementAndGet() % Deadline.ENTRIES == 0) {
            log.deadline().renew();
          }
        }
        case StreamRead.Trimmed trimmed -> {
          playing = goOnBehind(trimmed, limit);
          reader = playing;
          unused = playing.sync();
        }
        case StreamRead.Absent end -> {
          return;
        }
      }
    }
  }

  private StreamReader start(Optional<Address> limit) {
    newestCheckpoint(limit).ifPresent(saved -> load(saved.checkpoint));
    return log.streams().open(id).reader(position);
  }

  private void load(Checkpoint checkpoint) {
    guarded(() -> object.load(checkpoint.state()));
    position = checkpoint.resume();
    before = checkpoint.before();
  }

  /** Somebody has forgotten what was about to be played: a checkpoint has it. */
  private StreamReader goOnBehind(StreamRead.Trimmed trimmed, Optional<Address> limit) {
    Saved saved =
        newestCheckpoint(limit)
            .filter(it -> it.checkpoint.resume().compareTo(trimmed.before()) >= 0)
            .orElseThrow(
                () ->
                    new ForgottenHistoryException(
                        "what object %s was before place %s of its stream has been forgotten, and"
                                .formatted(id, trimmed.before())
                            + " no checkpoint leads "
                            + limit.map(it -> "to address " + it).orElse("to what it is now")));
    load(saved.checkpoint);
    ahead.clear();
    return log.streams().open(id).reader(position);
  }

  private void meet(StreamRead.Entry entry, StreamReader playing) {
    TangoRecord record = TangoLog.record(id, entry);
    switch (record) {
      case Update update -> apply(update.payload(), entry.address());
      case Commit commit -> {
        boolean holds;
        try {
          holds = isCommitted(entry, commit, playing);
        } catch (RuntimeException notDecided) {
          ahead.addFirst(entry); // it is met again
          throw notDecided;
        }
        if (holds) {
          for (Write write : commit.writes()) {
            if (write.object().equals(id)) {
              apply(write.payload(), entry.address());
            }
          }
        }
      }
      case Decision decision -> decisions.learn(decision);
      case Checkpoint checkpoint ->
          throw new IllegalStateException(
              "the entry at address %s of object %s is a checkpoint: is this an object's stream?"
                  .formatted(entry.address(), id));
    }
    position = new StreamAddress(entry.streamAddress().value() + 1);
    before = new Address(entry.address().value() + 1);
  }

  private void apply(ByteBuffer update, Address address) {
    guarded(() -> object.apply(update.asReadOnlyBuffer(), address));
  }

  /** An upcall that fails may have changed half of the view. */
  private void guarded(Runnable upcall) {
    try {
      upcall.run();
    } catch (RuntimeException | Error failure) {
      broken = failure;
      throw failure;
    }
  }

  // ------------------------------------------------------------------------------------ decisions

  private boolean isCommitted(StreamRead.Entry entry, Commit commit, StreamReader playing) {
    Address at = entry.address();
    Optional<Boolean> known = decisions.known(at);
    if (known.isPresent()) {
      return known.get();
    }
    boolean isHere = commit.reads().stream().allMatch(read -> isHosted.test(read.object()));
    if (isHere || !commit.isAwaited()) {
      boolean holds = decisions.decide(at, commit);
      if (commit.isAwaited()) {
        decisions.expect(at, commit, holds);
      }
      return holds;
    }
    if (!isToldAhead(at, playing)) {
      decisions.tell(at, commit, decisions.decide(at, commit));
    }
    return decisions.decide(at, commit);
  }

  /** Waits for the decision record; false: nobody has told in time. */
  private boolean isToldAhead(Address commit, StreamReader playing) {
    long since = log.world().nanoTime();
    Duration pause = FIRST_PAUSE;
    for (StreamRead read : ahead) {
      learn(read);
    }
    while (decisions.known(commit).isEmpty()) {
      StreamRead next = playing.readNext();
      if (!(next instanceof StreamRead.Absent)) {
        ahead.add(next);
        learn(next);
        if (next instanceof StreamRead.Trimmed || ahead.size() >= MOST_AHEAD) {
          return false;
        }
        continue;
      }
      if (log.world().nanoTime() - since >= timeoutNanos) {
        return false;
      }
      log.world().pause(Duration.ofNanos(log.deadline().remainingNanos(pause)));
      pause =
          pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0
              ? pause.multipliedBy(2)
              : LONGEST_PAUSE;
      StreamAddress unused = playing.sync();
    }
    return true;
  }

  private void learn(StreamRead read) {
    if (read instanceof StreamRead.Entry entry
        && TangoLog.record(id, entry) instanceof Decision decision) {
      decisions.learn(decision);
    }
  }
}
