package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.Update;
import corfu.objects.remote.Moment;
import corfu.objects.remote.Refusal;
import corfu.objects.remote.ViewAnswer;
import corfu.objects.remote.ViewAnswer.Seen;
import corfu.objects.remote.ViewCall;
import corfu.objects.serial.Input;
import corfu.objects.serial.SerializationException;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuException;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An object that a server plays for clients. Whoever wants its state of now first catches up, once
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
  private final Map<String, Integer> places = new HashMap<>();
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
    for (int i = 0; i < view.type().operations().size(); i++) {
      places.put(view.operation(i).name(), i);
    }
    view.attend(
        new Witness() {
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
      if (call.moment() instanceof Moment.Snapshot snapshot) {
        window.wants(snapshot.before());
      }
    }
    CaughtUp now = calls.stream().allMatch(HostedObject::isOfNow) ? askToRead() : ask();
    view.playTo(now.ends());
    size.isPlayed(view.playedTo(Horizon.of(now.ends())).state());
    settled = now;
    return now;
  }

  private static boolean isOfNow(ViewCall call) {
    return call.moment() instanceof Moment.Now;
  }

  private CaughtUp ask() {
    long decidedBelow = view.client().decidedBelow();
    return new CaughtUp(view.client().tails().ask(view), decidedBelow);
  }

  private CaughtUp askToRead() {
    long decidedBelow = view.client().decidedBelow();
    return new CaughtUp(view.client().tails().askToRead(view), decidedBelow);
  }

  /**
   * Whether a call may need no catching up: it is about the past, all of which was decided before
   * the view was caught up with last, or a state of then is kept.
   */
  public boolean isAtHand(ViewCall call) {
    return decidedMomentOf(call).filter(then -> isSettled(then) || isKept(then)).isPresent();
  }

  private boolean isSettled(Horizon then) {
    CaughtUp last = settled;
    return last != null && then.before() <= last.decidedBelow();
  }

  private boolean isKept(Horizon then) {
    return past.kept(then.before()).isPresent();
  }

  private static Optional<Horizon> decidedMomentOf(ViewCall call) {
    return call.moment() instanceof Moment.Snapshot moment
            && moment.isDecided()
            && !call.operation().equals(Restoration.OPERATION)
        ? Optional.of(new Horizon(moment.epoch(), moment.began(), moment.before(), true))
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
      if (view.marks().isWorthOne()) {
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
    Optional<Horizon> moment = decidedMomentOf(call);
    if (moment.isEmpty()) {
      return Optional.empty();
    }
    Horizon then = moment.get();
    Optional<State<T>> kept = past.kept(then.before());
    CaughtUp last = settled;
    try {
      if (kept.isPresent()) {
        return Optional.of(call(kept.get(), then, called(call), call));
      }
      if (last != null && isSettled(then)) {
        State<T> played = view.playedTo(Horizon.of(last.ends())).state();
        return Optional.of(call(played, then, called(call), call));
      }
      return Optional.empty();
    } catch (RefusedException no) {
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
      return switch (call.moment()) {
        case Moment.Now now when call.operation().equals(CheckpointWriter.OPERATION) ->
            answers.returned(CheckpointWriter.write(view).value(), Seen.NOTHING);
        case Moment.Now now when call.operation().equals(LogValues.FORGOTTEN) -> forgotten(call);
        case Moment.Now now -> answerNow(caughtUp.ends(), call);
        case Moment.Snapshot snapshot when call.operation().equals(Restoration.OPERATION) ->
            restoration(snapshot);
        case Moment.Snapshot snapshot -> answerAt(snapshot, caughtUp, call);
        case Moment.ResultOf(long address, CallId made) -> result(address, made);
      };
    } catch (RuntimeException failure) {
      return failed(failure);
    } finally {
      scope.end();
    }
  }

  /** What is answered where an object could not be played. */
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

  /** An operation that is called, with its arguments. */
  private static final class Called {
    final int place;
    final @Nullable Object[] arguments;

    Called(int place, @Nullable Object[] arguments) {
      this.place = place;
      this.arguments = arguments;
    }
  }

  private static final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RefusedException(String why) {
      super(why, null, false, false);
    }
  }

  private Called called(ViewCall call) {
    Integer place = places.get(call.operation());
    if (place == null || isTransaction(view.operation(place))) {
      throw new RefusedException(
          "%s has no operation %s here; is the host's class an older one?"
              .formatted(view.type().name(), call.operation()));
    }
    Update update =
        new Update(view.stream(), call.operation(), call.serializer(), call.arguments());
    try {
      return new Called(
          place, view.wording().argumentsOf(update, new Address(0), Optional.empty()));
    } catch (UndecodableEntryException arguments) {
      throw new RefusedException(String.valueOf(arguments.getMessage()));
    }
  }

  private static boolean isTransaction(Operation operation) {
    return switch (operation.kind()) {
      case ACCESSOR, MUTATOR, MUTATOR_ACCESSOR -> false;
      case TRANSACTION, READ_ONLY_TRANSACTION -> true;
    };
  }

  /** A client did not find a value where it was told that it is. */
  private ViewAnswer forgotten(ViewCall call) {
    @Nullable Object[] told = view.serializer().read(new Input(call.arguments()));
    if (told.length == 2 && told[0] instanceof Long anchor && told[1] instanceof Long before) {
      view.forgotten(anchor, before);
    }
    return answers.returned(null, Seen.NOTHING);
  }

  /** What would make the object what it was then; its caller writes it. */
  private ViewAnswer restoration(Moment.Snapshot moment) {
    try {
      view.client().decide(view.name(), new Address(moment.before()));
    } catch (IllegalArgumentException beyond) {
      return new ViewAnswer.BeyondEnd(String.valueOf(beyond.getMessage()));
    }
    ByteBuffer arguments = Restoration.of(view, new Address(moment.before())).arguments();
    byte[] bytes = new byte[arguments.remaining()];
    arguments.get(bytes);
    return answers.returned(bytes, Seen.NOTHING);
  }

  private ViewAnswer answerNow(StreamEnds caughtUp, ViewCall call) {
    Called called;
    try {
      called = called(call);
      if (view.operation(called.place).kind().changes()) {
        throw new RefusedException(call.operation() + " changes the object, and is no accessor");
      }
    } catch (RefusedException no) {
      return new ViewAnswer.Refused(Refusal.UNKNOWN_OPERATION, String.valueOf(no.getMessage()));
    }
    Horizon wanted = Horizon.of(caughtUp);
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
        wanted = Horizon.of(view.client().tails().ask(view));
      } catch (CorfuException notNow) {
        return failed(notNow);
      } catch (Throwable failure) {
        return answers.threw(failure, Seen.NOTHING);
      }
    }
  }

  private ViewAnswer answerAt(Moment.Snapshot moment, CaughtUp caughtUp, ViewCall call) {
    Horizon wanted =
        new Horizon(moment.epoch(), moment.began(), moment.before(), moment.isDecided());
    Called called;
    View.Played<T> played;
    try {
      called = called(call);
      played = moment.isDecided() ? playedBehind(wanted, caughtUp.ends()) : view.playedTo(wanted);
    } catch (RefusedException no) {
      return new ViewAnswer.Refused(Refusal.UNKNOWN_OPERATION, String.valueOf(no.getMessage()));
    } catch (IllegalArgumentException beyond) {
      return new ViewAnswer.BeyondEnd(String.valueOf(beyond.getMessage()));
    }
    Optional<Horizon> seen = wanted.in(played.horizon());
    if (seen.isEmpty()) {
      return over(wanted, played.horizon());
    }
    try {
      return call(played.state(), seen.get(), called, call);
    } catch (State.TooNewException changed) {
      if (!moment.isWorthPlaying() && view.type().snapshots().isEmpty()) {
        return new ViewAnswer.Changed(changed.newest());
      }
    }
    return answerFromPast(wanted, caughtUp, called, call);
  }

  /** Plays it once more, to the snapshot and perhaps a little further. */
  private ViewAnswer answerFromPast(
      Horizon wanted, CaughtUp caughtUp, Called called, ViewCall call) {
    boolean isTold = wanted.isDecided() && wanted.before() <= caughtUp.ends().tail().value();
    CaughtUp last = isTold ? caughtUp : ask();
    Optional<Horizon> then = wanted.in(Horizon.of(last.ends()));
    if (then.isEmpty()) {
      return over(wanted, Horizon.of(last.ends()));
    }
    try {
      State<T> state = past.at(then.get(), last.decidedBelow(), last.ends());
      return call(state, then.get(), called, call);
    } catch (State.TooNewException e) {
      throw new IllegalStateException("a state of the past has changed", e);
    }
  }

  private static ViewAnswer over(Horizon wanted, Horizon later) {
    return new ViewAnswer.Over(
        "the layout has changed from epoch %s to epoch %s since the snapshot at address %d"
                .formatted(wanted.epoch(), later.epoch(), wanted.before())
            + " was taken, and entries may have appeared below; try again");
  }

  /** A state that holds all below an address that is decided, and perhaps more. */
  private View.Played<T> playedBehind(Horizon wanted, StreamEnds caughtUp) {
    view.client().decide(view.name(), new Address(wanted.before()));
    View.Played<T> played = view.playedTo(Horizon.of(caughtUp));
    if (played.horizon().before() < wanted.before()) {
      played = view.playedTo(Horizon.of(view.client().tails().ask(view)));
    }
    if (played.horizon().before() < wanted.before()) {
      throw new IllegalStateException(
          "the log reaches to %d, but its end is said to be %d"
              .formatted(wanted.before(), played.horizon().before()));
    }
    return played;
  }

  /** Calls an operation on the state of a snapshot, with the transaction's own changes in it. */
  private ViewAnswer call(State<T> state, Horizon at, Called called, ViewCall call)
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

  private T ownState(State<T> state, Horizon at, ViewCall call) throws State.TooNewException {
    T own = state.fork(at.before());
    for (ViewCall.Change change : call.before()) {
      Update update =
          new Update(view.stream(), change.operation(), call.serializer(), change.arguments());
      own = Pending.carriedOut(view, own, update, new Address(at.before()));
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
