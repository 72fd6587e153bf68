package corfu.objects;

import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.remote.Moment;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of a thread (dissertation, section 5.3.3). All that it reads it reads at one
 * address of the log, its snapshot, taken when it first touches an object; what it changes it keeps
 * to itself. When it ends, one entry in the streams of all objects that it changes is appended, if
 * the sequencer finds that nothing of what it read has changed since the snapshot. So what loses is
 * never in the log, and whoever plays the log takes each entry as it is. For one thread.
 */
final class Transaction {

  private final ObjectClient client;
  private final TransactionOptions options;
  private final Map<View<?>, Touched<?>> touched = new LinkedHashMap<>();
  private final List<Update> updates = new ArrayList<>();
  private final Map<StreamId, Written> written = new LinkedHashMap<>();
  private final Set<View<?>> untouched = new HashSet<>(); // of those that servers play
  private final Map<View<?>, State<?>> past = new HashMap<>();

  private @Nullable Horizon snapshot; // once it has read something
  private long decidedBelow; // the newest of what it read is below; or an epoch began there
  private long pin = -1;
  private int depth = 1;
  private boolean isDoomed;

  /** What has been changed of an object. */
  private static final class Written {
    final View<?> view; // the first of those through which it was changed
    final List<Update> updates = new ArrayList<>();
    final Set<Long> keys = new LinkedHashSet<>();
    boolean isWhole;

    Written(View<?> view) {
      this.view = view;
    }

    StreamPart part(StreamId stream) {
      boolean all = isWhole || keys.size() > Keyed.MOST_KEYS;
      return new StreamPart(stream, all ? List.of() : List.copyOf(keys));
    }
  }

  Transaction(ObjectClient client, TransactionOptions options) {
    this.client = client;
    this.options = options;
  }

  TransactionOptions options() {
    return options;
  }

  // --------------------------------------------------------------------------------------- nesting

  void enter() {
    depth++;
  }

  /** One less; tells whether that was the outermost one. */
  boolean leave() {
    depth--;
    return depth == 0;
  }

  /** An inner one was given up: so the outermost one can only be given up, too. */
  void doom() {
    isDoomed = true;
  }

  // ------------------------------------------------------------------------------------ operations

  @Nullable Object invoke(View<?> view, int place, @Nullable Object[] arguments) throws Throwable {
    return invoke(view, () -> touch(view, Optional.empty()), place, arguments);
  }

  /** The same for an object that is read elsewhere. */
  <T> @Nullable Object invoke(RemoteView<T> remote, int place, @Nullable Object[] arguments)
      throws Throwable {
    View<T> view = remote.view();
    Optional<RemoteView<T>> asked =
        untouched.contains(view) ? Optional.empty() : Optional.of(remote);
    return invoke(view, () -> touch(view, asked), place, arguments);
  }

  private @Nullable Object invoke(
      View<?> view, Supplier<Touched<?>> touch, int place, @Nullable Object[] arguments)
      throws Throwable {
    Operation operation = view.operation(place);
    if (operation.kind().changes() && options.isReadOnly()) {
      throw new IllegalStateException(
          "%s changes %s, but the transaction is read-only"
              .formatted(operation.name(), view.name()));
    }
    return switch (operation.kind()) {
      case ACCESSOR -> touch.get().access(place, arguments);
      case MUTATOR_ACCESSOR -> touch.get().change(place, arguments);
      case MUTATOR -> {
        if (client.options().mutatorCall() == MutatorCall.RETURNS_WHEN_CARRIED_OUT) {
          yield touch.get().change(place, arguments);
        }
        add(view, place, arguments, view.update(place, arguments));
        yield null;
      }
      case TRANSACTION, READ_ONLY_TRANSACTION ->
          throw new IllegalArgumentException(operation.name() + " is no operation on a state");
    };
  }

  private <T> Touched<?> touch(View<T> view, Optional<RemoteView<T>> remote) {
    return touched.computeIfAbsent(view, first -> new Touched<>(this, view, remote));
  }

  void add(View<?> view, int place, @Nullable Object[] arguments, Update update) {
    Written of = add(view, update);
    List<Long> keys = view.part(place, arguments).keys();
    of.isWhole |= keys.isEmpty();
    of.keys.addAll(keys);
  }

  private Written add(View<?> view, Update update) {
    updates.add(update);
    Written of = written.computeIfAbsent(view.stream(), stream -> new Written(view));
    of.updates.add(update);
    return of;
  }

  /** Makes an object what it was at this log address; nothing of it is read for that. */
  void restore(View<?> view, Update restoration) {
    if (options.isReadOnly()) {
      throw new IllegalStateException(
          "rolling back changes %s, but the transaction is read-only".formatted(view.name()));
    }
    add(view, restoration).isWhole = true;
  }

  List<Update> updatesOf(StreamId stream) {
    @Nullable Written of = written.get(stream);
    return of == null ? List.of() : of.updates;
  }

  /** Whether a key of an object, or all of it, has been changed here. */
  boolean hasChanged(StreamId stream, long key) {
    @Nullable Written of = written.get(stream);
    return of != null && (of.isWhole || of.keys.contains(key));
  }

  /** For messages about what is not in the log yet: the snapshot's address. */
  Address now() {
    return new Address(snapshot == null ? 0 : snapshot.before());
  }

  // ------------------------------------------------------------------------------------- snapshots

  /** Reads the state of the snapshot, which many share. */
  @Nullable Object readShared(View<?> view, int operation, @Nullable Object[] arguments)
      throws Throwable {
    try {
      State<?> state = stateOf(view);
      return state.read(now().value(), operation, arguments);
    } catch (State.TooNewException changed) {
      return pastOf(view, changed).read(State.NOW, operation, arguments);
    }
  }

  /** A state of the transaction's own. */
  <T> T fork(View<T> view) {
    try {
      State<T> state = stateOf(view);
      return state.fork(now().value());
    } catch (State.TooNewException changed) {
      try {
        return pastOf(view, changed).fork(State.NOW);
      } catch (State.TooNewException e) {
        throw new IllegalStateException("a state of the past has changed", e);
      }
    }
  }

  /** These will be read soon: asks for the ends of all their streams together. */
  void prepare(List<View<?>> views) {
    if (views.isEmpty()) {
      return;
    }
    if (snapshot == null) {
      snapshot = begin(views);
      return;
    }
    Horizon begun = snapshot;
    List<View<?>> behind = views.stream().filter(view -> !view.hasPlayed(begun)).toList();
    if (!behind.isEmpty()) {
      StreamEnds ends = client.tails().ask(behind);
      Opening.playTo(client, behind, ends);
    }
  }

  /** The same for views that servers play: of those that are as they were made, nobody is asked. */
  void prepareRemote(List<View<?>> views) {
    if (views.isEmpty()) {
      return;
    }
    StreamEnds ends = snapshot == null ? ends(views) : client.tails().ask(views);
    if (snapshot == null) {
      snapshot = taken(ends);
    }
    for (View<?> view : views) {
      if (Player.isUntouched(view, ends)) {
        view.playTo(ends);
        untouched.add(view);
      }
    }
  }

  private <T> State<T> stateOf(View<T> view) {
    Horizon begun = snapshot == null ? begin(List.of(view)) : snapshot;
    View.Played<T> played = view.playedTo(begun);
    snapshot = stillIn(begun, played.horizon());
    decidedBelow = Math.max(decidedBelow, played.state().newestBelow(snapshot.before()) + 1);
    return played.state();
  }

  /** Takes the snapshot, with the views played up to there. */
  private Horizon begin(List<View<?>> views) {
    StreamEnds ends = ends(views);
    Opening.playTo(client, views, ends);
    return taken(ends);
  }

  /** Where the log ends as the transaction begins. */
  private StreamEnds ends(List<View<?>> views) {
    pin(views.getFirst());
    return client.tails().ask(views);
  }

  /** Nothing that was there at the snapshot is forgotten meanwhile. */
  private void pin(View<?> first) {
    if (pin < 0) {
      pin = options.at().map(Address::value).orElseGet(client.tails()::highest);
      pins().add(pin);
    }
    options.at().ifPresent(address -> client.decide(first.name(), address));
  }

  /** The snapshot of now, or the one that was asked for. */
  private Horizon taken(StreamEnds ends) {
    Horizon now = Horizon.of(ends);
    decidedBelow = now.began();
    return options.at().map(address -> now.decidedAt(address.value())).orElse(now);
  }

  /**
   * Reads the state of the snapshot, with the transaction's own changes of the object in it, at a
   * host. Nobody needs to be asked for the epoch of one that is of the past, and so decided.
   *
   * @return empty: no host has answered
   */
  Optional<RemoteView.Value> readRemotely(
      RemoteView<?> remote, int operation, @Nullable Object[] arguments) throws Throwable {
    View<?> view = remote.view();
    if (snapshot == null && options.at().isPresent()) {
      pin(view);
      return remote
          .readAt(Moment.Snapshot.decided(options.at().get()), operation, arguments, List.of())
          .map(RemoteView.Read::value);
    }
    Horizon begun = snapshot == null ? taken(ends(List.of(view))) : snapshot;
    snapshot = begun;
    Moment.Snapshot moment =
        new Moment.Snapshot(
            begun.epoch(), begun.began(), begun.before(), begun.isDecided(), options.isReadOnly());
    Optional<RemoteView.Read> read =
        remote.readAt(moment, operation, arguments, updatesOf(view.stream()));
    if (read.isEmpty()) {
      return Optional.empty();
    }
    RemoteView.Read came = read.get();
    snapshot = new Horizon(came.epoch(), came.began(), begun.before(), begun.isDecided());
    decidedBelow = Math.max(decidedBelow, came.newest() + 1);
    return Optional.of(came.value());
  }

  /** The snapshot in another epoch's terms, if it is the same there. */
  private static Horizon stillIn(Horizon snapshot, Horizon later) {
    return snapshot
        .in(later)
        .orElseThrow(
            () ->
                new TransactionAbortedException(
                    "the layout has changed from epoch %s to epoch %s since this transaction's"
                            .formatted(snapshot.epoch(), later.epoch())
                        + " snapshot at address %d, and entries may have appeared below; try again"
                            .formatted(snapshot.before())));
  }

  private Pins pins() {
    return options.at().isPresent() ? client.past() : client.pins();
  }

  /**
   * The object has changed since the snapshot, and its state of then is not kept. A transaction
   * that may write would lose anyway; one that only reads plays the object's stream once more.
   */
  @SuppressWarnings("unchecked") // each view has a state of its own type
  private <T> State<T> pastOf(View<T> view, State.TooNewException changed) {
    if (!options.isReadOnly()) {
      throw new TransactionAbortedException(
          new TransactionAbortedException.Conflict(
              view.stream(), view.name(), Optional.empty(), new Address(changed.newest())));
    }
    return (State<T>) past.computeIfAbsent(view, this::playedOnceMore);
  }

  private State<?> playedOnceMore(View<?> view) {
    StreamEnds ends = client.tails().ask(view);
    Horizon now = stillIn(snapshot == null ? begin(List.of(view)) : snapshot, Horizon.of(ends));
    snapshot = now;
    return view.at(now.before(), ends);
  }

  // ------------------------------------------------------------------------------------------- end

  /**
   * Makes all changes, or none.
   *
   * @throws TransactionAbortedException if none
   */
  void commit() {
    if (isDoomed) {
      throw new TransactionAbortedException(
          "a transaction inside of this one was given up, so all of it is");
    }
    if (updates.isEmpty()) {
      return; // all that it read was so at its snapshot
    }
    List<StreamPart> writes = new ArrayList<>();
    written.forEach((stream, of) -> writes.add(of.part(stream)));
    Updates record = client.record(client.calls().next(), updates);
    StreamAppend outcome =
        client.append(
            record,
            writes,
            condition(writes),
            asOf(),
            told -> written.values().forEach(of -> of.view.appended(told, record)));
    if (outcome instanceof StreamAppend.Conflict conflict) {
      throw new TransactionAbortedException(explained(conflict));
    }
    written.values().forEach(of -> of.view.enterCatalogue());
  }

  private Optional<Condition> condition(List<StreamPart> writes) {
    if (snapshot == null) {
      return Optional.empty(); // it has read nothing
    }
    List<StreamPart> unchanged =
        switch (options.isolation()) {
          case STRICT_SERIALIZABLE ->
              touched.values().stream().flatMap(each -> each.read().stream()).toList();
          case SNAPSHOT -> writes;
        };
    return unchanged.isEmpty()
        ? Optional.empty()
        : Optional.of(new Condition(snapshot.before(), unchanged));
  }

  private AsOf asOf() {
    return snapshot == null ? AsOf.DECIDED : new AsOf(snapshot.epoch(), decidedBelow);
  }

  private TransactionAbortedException.Conflict explained(StreamAppend.Conflict conflict) {
    StreamId stream = conflict.stream();
    String name = stream.toString();
    Optional<String> key = Optional.empty();
    for (Touched<?> each : touched.values()) {
      if (each.view().stream().equals(stream)) {
        name = each.view().name();
        OptionalLong hash = conflict.key();
        key = hash.isPresent() ? each.keyOf(hash.getAsLong()) : Optional.empty();
      }
    }
    @Nullable Written of = written.get(stream);
    return new TransactionAbortedException.Conflict(
        stream, of == null ? name : of.view.name(), key, conflict.address());
  }

  /** Lets go of what it kept others from forgetting, and of what it played for once. */
  void close() {
    untouched.forEach(View::drop);
    if (pin >= 0) {
      pins().remove(pin);
      pin = -1;
    }
  }
}
