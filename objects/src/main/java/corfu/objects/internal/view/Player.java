package corfu.objects.internal.view;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ObjectException;
import corfu.objects.UndecodableEntryException;
import corfu.objects.ViewBrokenException;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.client.PendingCalls;
import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.state.PersistentState;
import corfu.objects.internal.state.Pins;
import corfu.objects.internal.state.PlainState;
import corfu.objects.internal.state.State;
import corfu.objects.record.Catalogued;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.CheckpointPart;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Plays an object's stream into a state, entry after entry: from the newest checkpoint that is old
 * enough, or from the beginning. For one thread at a time.
 */
final class Player<T> {

  /** So many entries are soon played. */
  private static final int NEAR = 256;

  private final PlayedObject<T> played;
  private final ObjectContext<T> object;
  private final ObjectType<T> type;
  private final Checkpoints<T> checkpoints;
  private final RecoveryPointFinder<T> recoveryPoints;
  private final UpdateResolver<T> resolver;
  private final EntryDecoder decoder;
  private final PlaybackRange range;
  private final boolean isLive; // the view's own, which tells callers what came of their changes
  private final PlaybackListener listener;
  private final Pins pins;
  private int beyond; // so many of the entries that are played are beyond what was asked for

  private State<T> state;
  private StreamReader reader;
  private long resolved = -1; // all tokens of the stream up to this log address are decided,
  private Epoch resolvedIn = Epoch.NONE; // of those that this epoch had issued
  private Optional<StreamRead.Entry> held = Optional.empty(); // read, but not applied
  private long behindState; // the place in the stream behind what is in it
  private PlainState.Undo undo = PlainState.Undo.BY_REPLAY; // until a change throws
  private StateCondition condition; // of the state
  private long toldBelow; // entries below have been applied, and their callers told

  private Player(
      PlayedObject<T> played,
      PlaybackRange range,
      boolean isLive,
      boolean isUntouched,
      PlaybackListener listener) {
    this.played = played;
    this.object = played.context();
    this.type = object.type();
    this.checkpoints = played.checkpoints();
    this.recoveryPoints = new RecoveryPointFinder<>(played, checkpoints);
    this.resolver = new UpdateResolver<>(played);
    this.decoder = new EntryDecoder(object);
    this.range = range;
    this.isLive = isLive;
    this.listener = listener;
    this.pins = isLive ? object.client().pins() : Pins.of(range.from());
    Checkpoints.Start<T> start =
        isUntouched ? checkpoints.empty() : checkpoints.start(range.from());
    begin(start);
    this.state = newState(start);
    this.reader = object.client().streams().open(object.stream()).reader(start.resume());
    this.condition = conditionAt(start);
  }

  /**
   * The one that keeps a view up to date; reads no further than a checkpoint as yet.
   *
   * @param ends where the stream ended a moment ago; one without entries has no checkpoints
   */
  static <T> Player<T> live(PlayedObject<T> played, StreamEnds ends) {
    StreamId told = Checkpoints.endsOf(played.context().stream());
    boolean isUnsaved = played.isUntouched(ends) || ends.isKnownEmpty(told);
    return new Player<>(played, PlaybackRange.ALL, true, isUnsaved, played.listener());
  }

  /** One that plays up to, not including, this log address. */
  static <T> Player<T> past(PlayedObject<T> played, long before) {
    var range = new PlaybackRange(before, before, Integer.MAX_VALUE);
    return new Player<>(played, range, false, false, PlaybackListener.NONE);
  }

  /**
   * One that plays on from there, up to another log address, but not more than so many entries; its
   * state tells of all snapshots on the way if its type has any.
   */
  static <T> Player<T> beyond(PlayedObject<T> played, long from, long before, int mostBeyond) {
    return new Player<>(
        played, new PlaybackRange(from, before, mostBeyond), false, false, PlaybackListener.NONE);
  }

  /** One that plays up to an entry and carries that out, for who wants to know what comes of it. */
  static <T> Player<T> through(PlayedObject<T> played, Address address, PlaybackListener listener) {
    var range = new PlaybackRange(address.value(), address.value() + 1, Integer.MAX_VALUE);
    return new Player<>(played, range, false, false, listener);
  }

  State<T> state() {
    return state;
  }

  /**
   * Returns the log address below which the state has all entries of the stream. This is the
   * address of the next entry, but at most the end of the player's range. Beyond the range
   * addresses may be undecided, so another epoch may still issue one below the next entry.
   */
  long reaches() {
    return held.map(entry -> Math.min(entry.address().value(), range.before()))
        .orElse(range.before());
  }

  private void begin(Checkpoints.Start<T> start) {
    behindState = start.resume().value();
    resolver.begin(start.before() > 0);
    if (isLive) {
      played.tracker().began(start);
    }
  }

  /** A state from no checkpoint is not newer than any question for the stream's end. */
  private StateCondition conditionAt(Checkpoints.Start<T> start) {
    return isLive && start.before() > 0
        ? new StateCondition.AtCheckpoint()
        : new StateCondition.Usable();
  }

  /** Whether there is little left to play up to there. */
  boolean isNear(StreamEnds ends) {
    return !(condition instanceof StateCondition.Lost)
        && ends.end(object.stream()).value() - reader.position().value() <= NEAR;
  }

  private State<T> newState(Checkpoints.Start<T> start) {
    long newest = start.before() - 1;
    if (isLive) {
      played.beginsAt(start.anchor());
    }
    return type.snapshots()
        .<State<T>>map(
            snapshots ->
                new PersistentState<>(
                    type, snapshots, object.serializer(), pins, start.state(), newest))
        .orElseGet(
            () ->
                new PlainState<>(
                    type,
                    object.serializer(),
                    object.client()::deadline,
                    start.state(),
                    newest,
                    undo));
  }

  /**
   * Plays up to where the stream ended.
   *
   * @return where that was; a later moment where the state begins at a checkpoint, which may be
   *     newer than the question
   */
  StreamEnds playTo(StreamEnds ends) {
    StreamEnds to = endsBehindCheckpoint(ends);
    if (condition instanceof StateCondition.Broken broken) {
      to = goAround(broken, to);
    }
    var unused = playOwn();
    boolean isOfNow = to.epoch().equals(resolvedIn);
    long newest = to.newest(object.stream());
    if (isLive && condition.isUsable() && isOfNow && newest > resolved) {
      object.client().streams().awaitOwn(new Address(newest)); // sooner here than in the log
      unused = playOwn();
    }
    boolean isEmpty = played.isUntouched(to) && behindState == 0;
    if (!condition.isUsable() || (!isOfNow && !isEmpty) || newest > resolved) {
      try {
        to = playOn(to);
      } catch (State.StartOverException halfDone) {
        undo = PlainState.Undo.BY_COPY;
        lose();
        to = playGuarded(to);
      }
      long before = to.epoch().equals(resolvedIn) ? resolved : -1;
      resolved = Math.max(before, to.newest(object.stream()));
      resolvedIn = to.epoch();
    }
    return to;
  }

  /**
   * Plays the entries that this client has appended itself, as far as no entries of other clients
   * are between them. It stops at an entry whose address was issued in an epoch other than that of
   * the view's log prefix.
   *
   * @return the log address below which all is played then, or -1 if none was, or the state is lost
   * @throws UndecodableEntryException if an entry can't be decoded; the state is lost then
   */
  long playOwn() {
    long before = -1;
    while (isLive && condition.isUsable() && held.isEmpty()) {
      OwnEntries.@Nullable Own own = played.own().takeFrom(reader.position());
      if (own == null
          || !played.isOfItsEpoch(own.epoch())
          || !reader.passOver(own.at(), own.address())) {
        return before;
      }
      object.client().streamEnds().reached(own.address().value() + 1);
      try {
        apply(own.address(), own.at(), own.record());
      } catch (State.StartOverException halfDone) {
        undo = PlainState.Undo.BY_COPY;
        lose();
        return -1;
      } catch (HistoryTrimmedException forgotten) {
        renew(); // from a checkpoint that has what is missing, if there is one
        return -1;
      } catch (UndecodableEntryException inDoubt) {
        lose(); // the reader has passed it; begin anew, and meet it there
        throw inDoubt;
      }
      behindState = own.at().value() + 1;
      resolved = own.address().value();
      before = resolved + 1;
    }
    return before;
  }

  private StreamEnds playGuarded(StreamEnds ends) {
    try {
      return playOn(ends);
    } catch (State.StartOverException again) {
      throw new IllegalStateException("a guarded state undoes what throws", again);
    }
  }

  /** Begins anew where it is now, as something of the state is not there any more. */
  void renew() {
    if (!(condition instanceof StateCondition.Lost)) {
      lose();
    }
  }

  private void lose() {
    if (condition.isUsable()) {
      condition =
          new StateCondition.Lost(); // a broken one stays broken: its entry has to be passed
    }
    toldBelow = Math.max(toldBelow, state.newest() + 1);
    if (isLive) {
      played.lost();
    }
  }

  /**
   * Asks for the stream's end again after a start at a checkpoint: all changes in the checkpoint
   * must have happened before the client asks.
   */
  private StreamEnds endsBehindCheckpoint(StreamEnds ends) {
    if (!(condition instanceof StateCondition.AtCheckpoint)) {
      return ends;
    }
    condition = new StateCondition.Usable();
    return object.client().streamEnds().ask(played);
  }

  private StreamEnds startOver(StreamEnds ends) {
    return startAt(checkpoints.start(range.from()), ends);
  }

  private StreamEnds startAt(Checkpoints.Start<T> start, StreamEnds ends) {
    beyond = 0;
    begin(start);
    state = newState(start);
    reader = object.client().streams().open(object.stream()).reader(start.resume());
    resolved = -1;
    held = Optional.empty();
    condition = conditionAt(start);
    return endsBehindCheckpoint(ends);
  }

  private StreamEnds playOn(StreamEnds ends) throws State.StartOverException {
    StreamEnds to = condition.isUsable() ? ends : startOver(ends);
    StreamAddress unused = reader.sync(to);
    while (true) {
      StreamRead next = held.isPresent() ? held.get() : reader.readNext();
      switch (next) {
        case StreamRead.Entry entry -> {
          held = Optional.of(entry);
          if (isUnwanted(entry.address().value())) {
            return to;
          }
          try {
            meet(entry);
          } catch (HistoryTrimmedException forgotten) {
            if (condition.isUsable()) {
              throw forgotten;
            }
            to = goOnBehind(entry.streamAddress(), to);
            unused = reader.sync(to);
            continue;
          } catch (UndecodableEntryException | ViewBrokenException stuck) {
            to = goAround(entry.address(), entry.streamAddress(), stuck, to);
            unused = reader.sync(to);
            continue;
          }
          behindState = entry.streamAddress().value() + 1;
          beyond += entry.address().value() >= range.from() ? 1 : 0;
          held = Optional.empty();
        }
        case StreamRead.Trimmed trimmed -> {
          to = goOnBehind(trimmed.before(), to);
          unused = reader.sync(to);
        }
        case StreamRead.Absent end -> {
          return to;
        }
      }
    }
  }

  /**
   * Goes on behind an entry that can't be carried out, if there is a state that does not need it.
   */
  private StreamEnds goAround(
      Address address, StreamAddress place, ObjectException stuck, StreamEnds ends) {
    Optional<Checkpoints.Start<T>> start =
        resolver.isOfAnotherType()
            ? Optional.empty()
            : recoveryPoints.behind(address, place, ends, range.from());
    if (start.isEmpty()) {
      throw stuck;
    }
    lose();
    condition = new StateCondition.Lost();
    return startAt(start.get(), ends);
  }

  private StreamEnds goAround(StateCondition.Broken entry, StreamEnds ends) {
    var stuck =
        new ViewBrokenException(
            "object %s can't be used any more here since the entry at address %s: open it again, or"
                    .formatted(object.name(), entry.address())
                + " roll it back to that address or below",
            entry.error());
    return goAround(entry.address(), entry.place(), stuck, ends);
  }

  private boolean isUnwanted(long address) {
    return address >= range.before() || (address >= range.from() && beyond >= range.mostBeyond());
  }

  private void meet(StreamRead.Entry entry) throws State.StartOverException {
    played.movedOne();
    listener.meets(state, entry.payload().remaining());
    Optional<ObjectRecord> record = decoder.decode(entry, resolver.isOfType());
    if (record.isEmpty()) {
      return;
    }
    switch (record.get()) {
      case Updates updates -> {
        if (!object.isCatalogue()) { // its changes are records of another kind
          apply(entry.address(), entry.streamAddress(), updates);
        }
      }
      case CheckpointMark mark -> {
        if (isLive) {
          played.tracker().met(mark, entry.address(), entry.streamAddress(), state);
        }
      }
      case CheckpointEnd end -> {
        if (isLive) {
          played.tracker().ended(end);
        }
      }
      case CheckpointPart part -> throw decoder.notAnObjects(entry);
      case Catalogued named -> {
        if (!object.isCatalogue()) {
          throw decoder.notAnObjects(entry);
        }
        apply(entry.address(), entry.streamAddress(), resolver.of(named));
      }
    }
  }

  /** Somebody has trimmed what we were about to read: a checkpoint has it. */
  private StreamEnds goOnBehind(StreamAddress trimmed, StreamEnds ends) {
    Checkpoints.Start<T> start = checkpoints.start(range.from());
    if (start.resume().value() <= behindState) {
      throw new HistoryTrimmedException(
          "the history of object %s before place %s of its stream has been forgotten (%s), and no"
                  .formatted(object.name(), trimmed, checkpoints.history())
              + " checkpoint of a %s is left that leads to %s"
                  .formatted(
                      type.stateName(),
                      range.from() == Long.MAX_VALUE ? "now" : "address " + range.from()));
    }
    lose();
    return startOver(ends);
  }

  private void apply(Address address, StreamAddress place, Updates record)
      throws State.StartOverException {
    List<ResolvedUpdate> all = resolver.of(address, record);
    List<Outcome> outcomes = new ArrayList<>(1);
    begin(address);
    boolean isSeen = true;
    try {
      for (ResolvedUpdate step : all) {
        outcomes.add(carryOut(step));
      }
    } catch (CorfuException | HistoryTrimmedException notRead) {
      isSeen = false;
      throw notRead;
    } catch (Error error) {
      condition = new StateCondition.Broken(address, place, error);
      throw new ViewBrokenException(
          "the entry at address %s of object %s could not be applied: %s"
              .formatted(address, object.name(), error),
          error);
    } finally {
      if (isSeen) {
        state.endEntry();
      } else {
        state.abandonEntry();
        lose();
      }
    }
    if (isLive) {
      played.tracker().played(record);
    }
    if (outcomes.size() == 1 && record.updates().size() == 1) {
      listener.carriedOut(record.call(), address, outcomes.getFirst());
    }
    if (isLive && address.value() >= toldBelow) {
      for (int i = 0; i < outcomes.size(); i++) {
        tell(record, all.get(i).update(), address, outcomes.get(i));
      }
    }
  }

  /** The reader may have passed the entry: what is not applied is met again from the beginning. */
  private void begin(Address address) {
    try {
      state.beginEntry(address.value());
    } catch (CorfuException inUse) {
      lose();
      throw inUse;
    }
  }

  @SuppressWarnings("unchecked") // what is restored is a state of the view's type
  private Outcome carryOut(ResolvedUpdate step) throws State.StartOverException {
    return switch (step) {
      case ResolvedUpdate.Call call -> state.apply(call.operation, call.arguments);
      case ResolvedUpdate.Restore restored -> {
        state.replace((T) restored.state());
        yield Outcome.returned(null);
      }
      case ResolvedUpdate.Refuse refused -> Outcome.threw(refused.why());
    };
  }

  private void tell(Updates record, Update update, Address address, Outcome outcome) {
    PendingCalls calls = object.client().calls();
    boolean isAwaited = calls.done(record.call(), object, outcome);
    Throwable failure = outcome.failure();
    if (failure != null && !isAwaited && calls.isOwn(record.call())) {
      object
          .client()
          .options()
          .onFailure()
          .failed(object.name(), update.operation(), address, failure);
    }
  }
}
