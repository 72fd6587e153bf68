package corfu.objects.internal.hosted;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ObjectException;
import corfu.objects.UndecodableEntryException;
import corfu.objects.internal.checkpoint.CheckpointWriter;
import corfu.objects.internal.client.LogPrefix;
import corfu.objects.internal.client.RestoringUpdate;
import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.state.State;
import corfu.objects.internal.value.LogValues;
import corfu.objects.internal.view.PastOutcome;
import corfu.objects.internal.view.PastStates;
import corfu.objects.internal.view.PlaybackListener;
import corfu.objects.internal.view.Restoration;
import corfu.objects.internal.view.UncommittedUpdates;
import corfu.objects.internal.view.View;
import corfu.objects.record.CallId;
import corfu.objects.record.Update;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.StateVersion;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewAnswer.Seen;
import corfu.objects.remote.ViewCall;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.ValueInput;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuException;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object that a server plays for clients. Calls that need its current state first catch up, once
 * for any number of calls. Thread-safe: one thread plays, while others read.
 *
 * @param <T> the object's type
 */
public final class HostedObject<T> {

  private static final Logger LOG = LoggerFactory.getLogger(HostedObject.class);

  private final View<T> view;
  private final SnapshotWindow window;
  private final HostedSize<T> size;
  private final HostedResults results = new HostedResults();
  private final HostedAnswers answers;
  private final HostedOperations operations;
  private final AtomicLong progress = new AtomicLong();

  private final PastStates<T> past;

  /** How far the view was when it had been caught up with last. */
  private volatile @Nullable CaughtUp settled;

  HostedObject(View<T> view, SnapshotWindow window, long bytesMax, int resultBytesMax) {
    this.view = view;
    this.window = window;
    this.past = new PastStates<>(view);
    this.size = new HostedSize<>(view, bytesMax);
    this.answers = new HostedAnswers(view, resultBytesMax);
    this.operations = new HostedOperations(view.context());
    view.listen(
        new PlaybackListener() {
          @Override
          public void fetched() {
            progress.incrementAndGet();
          }

          @Override
          public void meets(State<?> state, int payloadBytes) {
            progress.incrementAndGet();
            size.grows(state, payloadBytes);
          }

          @Override
          public void carriedOut(CallId call, Address address, Outcome outcome) {
            results.add(call, answers.of(outcome));
          }
        });
  }

  /**
   * How far it was when calls were made ready.
   *
   * @param ends where its stream ended, asked for after they had come; where all of them are about
   *     now, without what was under way
   * @param decidedBelow all below this log address was decided before that
   */
  public record CaughtUp(StreamEnds ends, long decidedBelow) {}

  /** Whose stream it is. */
  public StreamId stream() {
    return view.stream();
  }

  /** As what it is hosted, for people. */
  public String typeName() {
    return view.type().name();
  }

  // --------------------------------------------------------------------------------- keeping up

  /**
   * Plays all that was complete when this was called.
   *
   * @param calls which are answered next
   * @return how far that was
   * @throws CorfuException if the log can't be read
   * @throws ObjectException if what is in it can't be played
   * @throws HostedTooLargeException if the object is larger than it may be
   */
  public CaughtUp catchUp(Collection<ViewCall> calls) {
    CallScope call = view.client().call();
    try {
      return caughtUp(calls);
    } finally {
      call.end();
    }
  }

  private CaughtUp caughtUp(Collection<ViewCall> calls) {
    window.expire();
    for (ViewCall call : calls) {
      if (call.version() instanceof StateVersion.Snapshot snapshot) {
        window.wants(snapshot.before());
      }
    }
    CaughtUp now = calls.stream().allMatch(HostedObject::isOfNow) ? askToRead() : ask();
    view.playTo(now.ends());
    size.isPlayed(view.playedTo(LogPrefix.of(now.ends())).state());
    settled = now;
    return now;
  }

  private static boolean isOfNow(ViewCall call) {
    return call.version() instanceof StateVersion.Now;
  }

  private CaughtUp ask() {
    long decidedBelow = view.client().decidedBelow();
    return new CaughtUp(view.client().streamEnds().ask(view), decidedBelow);
  }

  private CaughtUp askToRead() {
    long decidedBelow = view.client().decidedBelow();
    return new CaughtUp(view.client().streamEnds().askToRead(view), decidedBelow);
  }

  /**
   * Whether a call may need no catching up: it is about the past, all of which was decided before
   * the view was caught up with last, or a state of then is kept.
   */
  public boolean isAtHand(ViewCall call) {
    return decidedMomentOf(call).filter(then -> isSettled(then) || isKept(then)).isPresent();
  }

  private boolean isSettled(LogPrefix then) {
    CaughtUp last = settled;
    return last != null && then.before() <= last.decidedBelow();
  }

  private boolean isKept(LogPrefix then) {
    return past.kept(then.before()).isPresent();
  }

  private static Optional<LogPrefix> decidedMomentOf(ViewCall call) {
    return call.version() instanceof StateVersion.Snapshot version
            && version.isDecided()
            && !call.operation().equals(RestoringUpdate.OPERATION)
        ? Optional.of(new LogPrefix(version.epoch(), version.began(), version.before(), true))
        : Optional.empty();
  }

  /** A number that grows as long as playing it gets on. */
  public long progress() {
    return progress.get();
  }

  /**
   * How large it is, as checkpoints have it, with the states of the past that are kept; looks
   * through all of it now and then.
   */
  public long bytes() {
    return size.bytes() * (1L + past.count());
  }

  /** Nobody will ask for it any more: leaves a checkpoint behind, if one is worth its while. */
  public void leave() {
    try {
      if (view.tracker().isWorthOne()) {
        var unused = CheckpointWriter.writeIfFirst(view, CheckpointWriter.Pace.FAST);
      }
    } catch (CorfuException | ObjectException | SerializationException notNow) {
      LOG.info("no checkpoint of object {} as it is let go: {}", view.name(), notNow.getMessage());
    } finally {
      view.drop();
    }
  }

  // ----------------------------------------------------------------------------------- answering

  /**
   * Makes a call that is {@linkplain #isAtHand at hand}; empty: the state of then is not there, or
   * no more.
   */
  public Optional<ViewAnswer> answerAtHand(ViewCall call) {
    Optional<LogPrefix> version = decidedMomentOf(call);
    if (version.isEmpty()) {
      return Optional.empty();
    }
    LogPrefix then = version.get();
    Optional<State<T>> kept = past.kept(then.before());
    CaughtUp last = settled;
    try {
      if (kept.isPresent()) {
        return Optional.of(call(kept.get(), then, operations.called(call), call));
      }
      if (last != null && isSettled(then)) {
        State<T> played = view.playedTo(LogPrefix.of(last.ends())).state();
        return Optional.of(call(played, then, operations.called(call), call));
      }
      return Optional.empty();
    } catch (HostedOperations.RefusedException no) {
      return Optional.of(
          new ViewAnswer.Refused(Refusal.UNKNOWN_OPERATION, String.valueOf(no.getMessage())));
    } catch (State.TooNewException changedSince) {
      return Optional.empty();
    } catch (RuntimeException failure) {
      return Optional.of(failed(failure));
    }
  }

  /**
   * Makes a call.
   *
   * @param caughtUp how far it has been played since the call came
   */
  public ViewAnswer answer(CaughtUp caughtUp, ViewCall call) {
    CallScope scope = view.client().call();
    try {
      return switch (call.version()) {
        case StateVersion.Now now when call.operation().equals(CheckpointWriter.OPERATION) ->
            answers.returned(CheckpointWriter.write(view).value(), Seen.NOTHING);
        case StateVersion.Now now when call.operation().equals(LogValues.FORGOTTEN) ->
            forgotten(call);
        case StateVersion.Now now -> answerNow(caughtUp.ends(), call);
        case StateVersion.Snapshot snapshot
            when call.operation().equals(RestoringUpdate.OPERATION) ->
            restoration(snapshot);
        case StateVersion.Snapshot snapshot -> answerAt(snapshot, caughtUp, call);
        case StateVersion.ResultOf(long address, CallId made) -> result(address, made);
      };
    } catch (RuntimeException failure) {
      return failed(failure);
    } finally {
      scope.end();
    }
  }

  /** Returns the answer to a call if the object could not be played. */
  public static ViewAnswer failed(RuntimeException failure) {
    String why = String.valueOf(failure.getMessage());
    return switch (failure) {
      case HistoryTrimmedException forgotten -> new ViewAnswer.Forgotten(why);
      case UndecodableEntryException entry ->
          new ViewAnswer.Undecodable(entry.address().value(), why);
      case HostedTooLargeException large -> new ViewAnswer.Refused(Refusal.OBJECT_TOO_LARGE, why);
      case EntryTooLargeException large -> new ViewAnswer.Refused(Refusal.RESULT_TOO_LARGE, why);
      case CorfuException e -> new ViewAnswer.Refused(Refusal.NOT_NOW, why);
      case ObjectException e -> new ViewAnswer.Refused(Refusal.NOT_NOW, why);
      default -> {
        LOG.error("a call on a hosted view failed", failure);
        yield new ViewAnswer.Refused(Refusal.NOT_NOW, failure.toString());
      }
    };
  }

  /** A client did not find a value where it was told that it is. */
  private ViewAnswer forgotten(ViewCall call) {
    @Nullable Object[] told = view.serializer().read(new ValueInput(call.arguments()));
    if (told.length == 2 && told[0] instanceof Long anchor && told[1] instanceof Long before) {
      view.forgotten(anchor, before);
    }
    return answers.returned(null, Seen.NOTHING);
  }

  /**
   * Returns the arguments of an update that restores the object to an earlier version; the caller
   * writes the update.
   */
  private ViewAnswer restoration(StateVersion.Snapshot version) {
    try {
      view.client().decide(view.name(), new Address(version.before()));
    } catch (IllegalArgumentException beyond) {
      return new ViewAnswer.BeyondEnd(String.valueOf(beyond.getMessage()));
    }
    ByteBuffer arguments = Restoration.of(view, new Address(version.before())).arguments();
    byte[] bytes = new byte[arguments.remaining()];
    arguments.get(bytes);
    return answers.returned(bytes, Seen.NOTHING);
  }

  private ViewAnswer answerNow(StreamEnds caughtUp, ViewCall call) {
    HostedOperations.Called called;
    try {
      called = operations.called(call);
      if (view.operation(called.place).kind().changes()) {
        throw new HostedOperations.RefusedException(
            call.operation() + " changes the object, and is no accessor");
      }
    } catch (HostedOperations.RefusedException no) {
      return new ViewAnswer.Refused(Refusal.UNKNOWN_OPERATION, String.valueOf(no.getMessage()));
    }
    LogPrefix wanted = LogPrefix.of(caughtUp);
    int tries = 1;
    while (true) {
      View.Played<T> played = view.playedTo(wanted);
      try {
        Object value = played.state().read(State.NOW, called.place, called.arguments);
        return answers.returned(value, Seen.NOTHING);
      } catch (State.TooNewException beingMadeAnew) {
        view.awaitPlaying();
      } catch (HistoryTrimmedException overtaken) {
        if (tries++ == View.OVERTAKEN_MOST) {
          return failed(overtaken);
        }
        wanted = LogPrefix.of(view.client().streamEnds().ask(view));
      } catch (CorfuException notNow) {
        return failed(notNow);
      } catch (Throwable failure) {
        return answers.threw(failure, Seen.NOTHING);
      }
    }
  }

  private ViewAnswer answerAt(StateVersion.Snapshot version, CaughtUp caughtUp, ViewCall call) {
    LogPrefix wanted =
        new LogPrefix(version.epoch(), version.began(), version.before(), version.isDecided());
    HostedOperations.Called called;
    View.Played<T> played;
    try {
      called = operations.called(call);
      played = version.isDecided() ? playedBehind(wanted, caughtUp.ends()) : view.playedTo(wanted);
    } catch (HostedOperations.RefusedException no) {
      return new ViewAnswer.Refused(Refusal.UNKNOWN_OPERATION, String.valueOf(no.getMessage()));
    } catch (IllegalArgumentException beyond) {
      return new ViewAnswer.BeyondEnd(String.valueOf(beyond.getMessage()));
    }
    Optional<LogPrefix> seen = wanted.in(played.prefix());
    if (seen.isEmpty()) {
      return over(wanted, played.prefix());
    }
    try {
      return call(played.state(), seen.get(), called, call);
    } catch (State.TooNewException changed) {
      if (!version.isWorthPlaying() && view.type().snapshots().isEmpty()) {
        return new ViewAnswer.Changed(changed.newest());
      }
    }
    return answerFromPast(wanted, caughtUp, called, call);
  }

  /** Plays it once more, to the snapshot and perhaps a little further. */
  private ViewAnswer answerFromPast(
      LogPrefix wanted, CaughtUp caughtUp, HostedOperations.Called called, ViewCall call) {
    boolean isTold = wanted.isDecided() && wanted.before() <= caughtUp.ends().tail().value();
    CaughtUp last = isTold ? caughtUp : ask();
    Optional<LogPrefix> then = wanted.in(LogPrefix.of(last.ends()));
    if (then.isEmpty()) {
      return over(wanted, LogPrefix.of(last.ends()));
    }
    try {
      State<T> state = past.at(then.get(), last.decidedBelow(), last.ends());
      return call(state, then.get(), called, call);
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
  }

  private static ViewAnswer over(LogPrefix wanted, LogPrefix later) {
    return new ViewAnswer.Over(
        "the layout has changed from epoch %s to epoch %s since the snapshot at address %d"
                .formatted(wanted.epoch(), later.epoch(), wanted.before())
            + " was taken, and entries may have appeared below; try again");
  }

  /** A state that holds all below an address that is decided, and perhaps more. */
  private View.Played<T> playedBehind(LogPrefix wanted, StreamEnds caughtUp) {
    view.client().decide(view.name(), new Address(wanted.before()));
    View.Played<T> played = view.playedTo(LogPrefix.of(caughtUp));
    if (played.prefix().before() < wanted.before()) {
      played = view.playedTo(LogPrefix.of(view.client().streamEnds().ask(view)));
    }
    if (played.prefix().before() < wanted.before()) {
      throw new IllegalStateException(
          "the log reaches to %d, but its end is said to be %d"
              .formatted(wanted.before(), played.prefix().before()));
    }
    return played;
  }

  /** Calls an operation on the state of a snapshot, with the transaction's own changes in it. */
  private ViewAnswer call(
      State<T> state, LogPrefix at, HostedOperations.Called called, ViewCall call)
      throws State.TooNewException {
    Seen seen = new Seen(at.epoch(), at.began(), state.newestBelow(at.before()));
    Operation operation = view.operation(called.place);
    boolean isShared = call.before().isEmpty() && !operation.kind().changes();
    T own = isShared ? null : ownState(state, at, call);
    try {
      return answers.returned(
          own == null
              ? state.read(at.before(), called.place, called.arguments)
              : view.type().apply(own, called.place, called.arguments),
          seen);
    } catch (State.TooNewException changed) {
      throw changed;
    } catch (CorfuException | HistoryTrimmedException notRead) {
      return failed(notRead);
    } catch (Throwable failure) {
      return answers.threw(failure, seen);
    }
  }

  private T ownState(State<T> state, LogPrefix at, ViewCall call) throws State.TooNewException {
    T own = state.fork(at.before());
    for (ViewCall.Change change : call.before()) {
      Update update =
          new Update(view.stream(), change.operation(), call.serializer(), change.arguments());
      own = UncommittedUpdates.carriedOut(view, own, update, new Address(at.before()));
    }
    return own;
  }

  private ViewAnswer result(long address, CallId call) {
    Optional<ViewAnswer> kept = results.of(call);
    if (kept.isPresent()) {
      return kept.get();
    }
    try {
      return PastOutcome.of(view, call, new Address(address))
          .map(answers::of)
          .orElseGet(
              () ->
                  new ViewAnswer.NotKnown(
                      "playing the object up to there did not meet the change"));
    } catch (HistoryTrimmedException forgotten) {
      return new ViewAnswer.NotKnown(String.valueOf(forgotten.getMessage()));
    }
  }
}
