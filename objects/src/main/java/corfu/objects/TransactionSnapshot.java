package corfu.objects;

import corfu.objects.record.Update;
import corfu.objects.remote.Moment;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.runtime.stream.StreamEnds;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The moment at which a transaction reads, taken when it first reads, and the states of objects
 * then.
 *
 * <p>As the sequencer confirms what was read when the transaction's changes are appended, its
 * beginning need not ask: one that may be tried again begins at what its client knows. Where
 * nothing is to be appended, or where other things are to be read, it asks whether what it has read
 * is of now. For one thread.
 */
final class TransactionSnapshot {

  /** So many objects are asked about in one question. */
  private static final int MOST_CONFIRMED = 64;

  /**
   * Who knows of so many addresses behind what is known of an object asks: a snapshot keeps what is
   * older than that from being forgotten.
   */
  private static final int MOST_BEHIND = 4096;

  private final ObjectClient client;
  private final TransactionOptions options;
  private final Supplier<List<View<?>>> read;
  private final boolean mayForesee; // take what its client knows for the snapshot of now
  private final Set<View<?>> untouched = new HashSet<>(); // of those that servers play
  private final Map<View<?>, State<?>> past = new HashMap<>();

  private @Nullable Horizon snapshot; // once something has been read
  private boolean isForeseen; // the snapshot: nobody has been asked whether it is of now
  private boolean hasForeseen; // it was so once
  private long decidedBelow; // the newest of what was read is below; or an epoch began there
  private long pin = -1;

  /**
   * @param mayForesee whether the transaction is tried again if this turns out not to be of now;
   *     only for {@linkplain #canForesee some}
   * @param read the objects of which something has been read
   */
  TransactionSnapshot(
      ObjectClient client,
      TransactionOptions options,
      boolean mayForesee,
      Supplier<List<View<?>>> read) {
    this.client = client;
    this.options = options;
    this.read = read;
    this.mayForesee = mayForesee;
  }

  /** Whether the end of such a transaction confirms what was read. */
  static boolean canForesee(TransactionOptions options) {
    return options.isolation() == Isolation.STRICT_SERIALIZABLE && !options.isReadOnly();
  }

  /** Reads the state of the snapshot, which many share. */
  @Nullable Object readShared(View<?> view, int operation, @Nullable Object[] arguments)
      throws Throwable {
    try {
      State<?> state = stateOf(view);
      @Nullable Object value = state.read(now().value(), operation, arguments);
      checkEpoch();
      return value;
    } catch (State.TooNewException changed) {
      return pastOf(view, changed).read(State.NOW, operation, arguments);
    }
  }

  /** A state of the transaction's own. */
  <T> T fork(View<T> view) {
    try {
      State<T> state = stateOf(view);
      T own = state.fork(now().value());
      checkEpoch();
      return own;
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
      confirm();
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

  /** Whether it is one that servers play, and is as it was made: then it is read here. */
  boolean isUntouched(View<?> view) {
    return untouched.contains(view);
  }

  private <T> State<T> stateOf(View<T> view) {
    Horizon begun = snapshot == null ? begin(view) : snapshotFor(view, snapshot);
    View.Played<T> played = view.playedTo(begun);
    snapshot = stillIn(begun, played.horizon());
    decidedBelow = Math.max(decidedBelow, played.state().newestBelow(snapshot.before()) + 1);
    return played.state();
  }

  /**
   * A state that has been read may have in it what a later epoch has issued below the snapshot,
   * where its view is being played there. This client has met that epoch before.
   */
  private void checkEpoch() {
    Horizon met = client.tails().met();
    if (snapshot != null && snapshot.epoch().isBefore(met.epoch())) {
      snapshot = stillIn(snapshot, met);
    }
  }

  /** Takes the snapshot: what the client knows, if that will do. */
  private Horizon begin(View<?> view) {
    Optional<Address> known = mayForesee ? view.playedBefore() : Optional.empty();
    if (known.isEmpty() || client.tails().highest() - known.get().value() > MOST_BEHIND) {
      return begin(List.of(view));
    }
    pin(known.get().value());
    Epoch newest = client.tails().met().epoch();
    Optional<Horizon> foreseen = view.known().filter(horizon -> horizon.epoch().equals(newest));
    hasForeseen = foreseen.isPresent();
    isForeseen = hasForeseen;
    foreseen.ifPresent(horizon -> decidedBelow = horizon.began());
    return foreseen.orElseGet(() -> begin(List.of(view)));
  }

  /** One of now if this view does not know as much. */
  private Horizon snapshotFor(View<?> view, Horizon begun) {
    boolean isKnown =
        !isForeseen
            || view.hasPlayed(begun)
            || view.known().filter(known -> known.covers(begun)).isPresent();
    return isKnown ? begun : confirmed(begun);
  }

  /**
   * A snapshot of now that has in it what the one so far has of all that was read.
   *
   * @throws TransactionAbortedException if there is none
   */
  private Horizon confirmed(Horizon begun) {
    List<View<?>> all = read.get();
    if (all.isEmpty()) {
      return begun; // it is as good as any
    }
    if (all.size() > MOST_CONFIRMED) {
      throw new TransactionAbortedException(
          "a transaction over %,d objects began at what its client knew of them; try again"
              .formatted(all.size()));
    }
    StreamEnds ends = client.tails().ask(all);
    if (!ends.epoch().equals(begun.epoch()) || begun.before() < ends.began().value()) {
      throw changed(begun, ends.epoch()); // of what was before it an epoch may know no more
    }
    for (View<?> view : all) {
      long newest = ends.newest(view.stream());
      if (newest >= begun.before()) {
        throw new TransactionAbortedException(
            new TransactionAbortedException.Conflict(
                view.stream(), view.name(), Optional.empty(), new Address(newest)));
      }
    }
    isForeseen = false;
    Horizon now = Horizon.of(ends);
    snapshot = now;
    return now;
  }

  /**
   * What it has read was so at a moment within it; asks if that is not known.
   *
   * @throws TransactionAbortedException if not
   */
  void confirm() {
    if (isForeseen && snapshot != null) {
      var unused = confirmed(snapshot);
    }
  }

  /** Whether it has begun at what its client knew. */
  boolean hasForeseen() {
    return hasForeseen;
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
      pin(options.at().map(Address::value).orElseGet(client.tails()::highest));
    }
    options.at().ifPresent(address -> client.decide(first.name(), address));
  }

  private void pin(long address) {
    pin = address;
    pins().add(address);
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
      RemoteView<?> remote, int operation, @Nullable Object[] arguments, List<Update> changes)
      throws Throwable {
    View<?> view = remote.view();
    if (snapshot == null && options.at().isPresent()) {
      pin(view);
      return remote
          .readAt(Moment.Snapshot.decided(options.at().get()), operation, arguments, List.of())
          .map(RemoteView.Read::value);
    }
    confirm();
    Horizon begun = snapshot == null ? taken(ends(List.of(view))) : snapshot;
    snapshot = begun;
    Moment.Snapshot moment =
        new Moment.Snapshot(
            begun.epoch(), begun.began(), begun.before(), begun.isDecided(), options.isReadOnly());
    Optional<RemoteView.Read> answer = remote.readAt(moment, operation, arguments, changes);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    RemoteView.Read came = answer.get();
    snapshot = new Horizon(came.epoch(), came.began(), begun.before(), begun.isDecided());
    decidedBelow = Math.max(decidedBelow, came.newest() + 1);
    return Optional.of(came.value());
  }

  /** The snapshot in another epoch's terms, if it is the same there. */
  private static Horizon stillIn(Horizon snapshot, Horizon later) {
    return snapshot.in(later).orElseThrow(() -> changed(snapshot, later.epoch()));
  }

  private static TransactionAbortedException changed(Horizon snapshot, Epoch now) {
    return new TransactionAbortedException(
        "the layout has changed from epoch %s to epoch %s since this transaction's"
                .formatted(snapshot.epoch(), now)
            + " snapshot at address %d, and entries may have appeared below; try again"
                .formatted(snapshot.before()));
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

  /** From where on nothing of this must have changed. */
  Optional<Condition> unchanged(List<StreamPart> parts) {
    return snapshot == null || parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new Condition(snapshot.before(), parts));
  }

  AsOf asOf() {
    return snapshot == null ? AsOf.DECIDED : new AsOf(snapshot.epoch(), decidedBelow);
  }

  /** For messages about what is not in the log yet: the snapshot's address. */
  Address now() {
    return new Address(snapshot == null ? 0 : snapshot.before());
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
