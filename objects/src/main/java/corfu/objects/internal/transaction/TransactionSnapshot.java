package corfu.objects.internal.transaction;

import corfu.objects.Isolation;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.internal.client.LogPrefix;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.remoteview.RemoteView;
import corfu.objects.internal.state.Pins;
import corfu.objects.internal.state.State;
import corfu.objects.internal.view.BulkPlayback;
import corfu.objects.internal.view.View;
import corfu.objects.record.Update;
import corfu.objects.remote.StateVersion;
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
 * The snapshot at which a transaction reads, taken at its first read, and the states of objects at
 * that snapshot.
 *
 * <p>The sequencer checks the transaction's reads when the transaction appends its changes. So a
 * transaction that may be retried begins at the states that its client knows, without a request. If
 * it appends nothing, or reads an object that the client knows less of, it asks whether its reads
 * are current. For one thread.
 */
public final class TransactionSnapshot {

  /** The most objects whose streams one request to the sequencer asks about. */
  private static final int MOST_CONFIRMED = 64;

  /**
   * The largest number of log addresses from an object's known state to the highest address that
   * the client knows. If the state is older, the transaction asks for the end of the object's
   * stream before it begins. A snapshot keeps the history behind it from being forgotten, so it
   * must not be too old.
   */
  private static final int MOST_BEHIND = 4096;

  private final ObjectClient client;
  private final TransactionOptions options;
  private final Supplier<List<View<?>>> read;
  private final boolean maySpeculate; // take what its client knows for the snapshot of now
  private final Set<View<?>> untouched = new HashSet<>(); // of those that servers play
  private final Map<View<?>, State<?>> past = new HashMap<>();

  private @Nullable Taken snapshot; // once something has been read
  private boolean hasSpeculated; // the snapshot was speculative once
  private long decidedBelow; // the newest of what was read is below; or an epoch began there
  private long pin = -1;

  /** The snapshot, and how it was taken. */
  private sealed interface Taken {

    LogPrefix prefix();

    /** Returns another prefix, taken the same way. */
    Taken with(LogPrefix other);

    /** The prefix that this client knew, without a request that confirms that it is current. */
    record Speculative(LogPrefix prefix) implements Taken {
      @Override
      public Taken with(LogPrefix other) {
        return new Speculative(other);
      }
    }

    /** The current prefix, as the sequencer replied, or the prefix that the options name. */
    record Confirmed(LogPrefix prefix) implements Taken {
      @Override
      public Taken with(LogPrefix other) {
        return new Confirmed(other);
      }
    }
  }

  /**
   * @param maySpeculate whether the transaction is tried again if this turns out not to be of now;
   *     only for {@linkplain #canSpeculate some}
   * @param read the objects of which something has been read
   */
  TransactionSnapshot(
      ObjectClient client,
      TransactionOptions options,
      boolean maySpeculate,
      Supplier<List<View<?>>> read) {
    this.client = client;
    this.options = options;
    this.read = read;
    this.maySpeculate = maySpeculate;
  }

  /** Returns whether the end of a transaction with these options checks its reads. */
  static boolean canSpeculate(TransactionOptions options) {
    return options.isolation() == Isolation.STRICT_SERIALIZABLE && !options.isReadOnly();
  }

  /** Reads the state of the snapshot, which other readers share. */
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

  /** Returns a copy of the snapshot's state, for this transaction alone. */
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

  /** Asks for the ends of the streams of views that will be read soon, in one request. */
  public void prepare(List<View<?>> views) {
    if (views.isEmpty()) {
      return;
    }
    if (snapshot == null) {
      snapshot = begin(views);
      return;
    }
    LogPrefix begun = snapshot.prefix();
    List<View<?>> behind = views.stream().filter(view -> !view.hasPlayed(begun)).toList();
    if (!behind.isEmpty()) {
      confirm();
      StreamEnds ends = client.streamEnds().ask(behind);
      BulkPlayback.playTo(client, behind, ends);
    }
  }

  /** The same for views that servers play: of those that are as they were made, nobody is asked. */
  public void prepareRemote(List<View<?>> views) {
    if (views.isEmpty()) {
      return;
    }
    StreamEnds ends = snapshot == null ? ends(views) : client.streamEnds().ask(views);
    if (snapshot == null) {
      snapshot = taken(ends);
    }
    for (View<?> view : views) {
      if (view.isUntouched(ends)) {
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
    Taken begun = snapshot == null ? begin(view) : snapshotFor(view, snapshot);
    View.Played<T> played = view.playedTo(begun.prefix());
    LogPrefix prefix = stillIn(begun.prefix(), played.prefix());
    snapshot = begun.with(prefix);
    decidedBelow = Math.max(decidedBelow, played.state().newestBelow(prefix.before()) + 1);
    return played.state();
  }

  /**
   * A state that has been read may have in it what a later epoch has issued below the snapshot,
   * where its view is being played there. This client has met that epoch before.
   */
  private void checkEpoch() {
    LogPrefix met = client.streamEnds().met();
    if (snapshot != null && snapshot.prefix().epoch().isBefore(met.epoch())) {
      snapshot = snapshot.with(stillIn(snapshot.prefix(), met));
    }
  }

  /** Takes the snapshot: what the client knows, if that will do. */
  private Taken begin(View<?> view) {
    Optional<Address> known = maySpeculate ? view.playedBefore() : Optional.empty();
    if (known.isEmpty() || client.streamEnds().highest() - known.get().value() > MOST_BEHIND) {
      return begin(List.of(view));
    }
    pin(known.get().value());
    Epoch newest = client.streamEnds().met().epoch();
    Optional<LogPrefix> assumed = view.known().filter(prefix -> prefix.epoch().equals(newest));
    hasSpeculated = assumed.isPresent();
    assumed.ifPresent(prefix -> decidedBelow = prefix.began());
    return assumed.<Taken>map(Taken.Speculative::new).orElseGet(() -> begin(List.of(view)));
  }

  /** One of now if this view does not know as much. */
  private Taken snapshotFor(View<?> view, Taken begun) {
    return switch (begun) {
      case Taken.Confirmed confirmed -> confirmed;
      case Taken.Speculative assumed ->
          isKnownOf(view, assumed.prefix()) ? assumed : confirm(assumed);
    };
  }

  private static boolean isKnownOf(View<?> view, LogPrefix prefix) {
    return view.hasPlayed(prefix) || view.known().filter(known -> known.covers(prefix)).isPresent();
  }

  /**
   * A snapshot of now that has in it what the one so far has of all that was read.
   *
   * @throws TransactionAbortedException if there is none
   */
  private Taken confirm(Taken.Speculative assumed) {
    LogPrefix begun = assumed.prefix();
    List<View<?>> all = read.get();
    if (all.isEmpty()) {
      return assumed; // it is as good as any
    }
    if (all.size() > MOST_CONFIRMED) {
      throw new TransactionAbortedException(
          "a transaction over %,d objects began at what its client knew of them; try again"
              .formatted(all.size()));
    }
    StreamEnds ends = client.streamEnds().ask(all);
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
    Taken now = new Taken.Confirmed(LogPrefix.of(ends));
    snapshot = now;
    return now;
  }

  /**
   * Confirms that the transaction has read a state of a moment within the transaction. Asks if that
   * is not known.
   *
   * @throws TransactionAbortedException if not
   */
  void confirm() {
    if (snapshot instanceof Taken.Speculative assumed) {
      var unused = confirm(assumed);
    }
  }

  /** Returns whether the transaction has begun at the states that its client knew. */
  boolean hasSpeculated() {
    return hasSpeculated;
  }

  /** Takes the snapshot, and plays the views up to it. */
  private Taken begin(List<View<?>> views) {
    StreamEnds ends = ends(views);
    BulkPlayback.playTo(client, views, ends);
    return taken(ends);
  }

  /** Pins the snapshot, and returns the ends of the streams as the transaction begins. */
  private StreamEnds ends(List<View<?>> views) {
    pin(views.getFirst());
    return client.streamEnds().ask(views);
  }

  /** Nothing that was there at the snapshot is forgotten meanwhile. */
  private void pin(View<?> first) {
    if (pin < 0) {
      pin(options.at().map(Address::value).orElseGet(client.streamEnds()::highest));
    }
    options.at().ifPresent(address -> client.decide(first.name(), address));
  }

  private void pin(long address) {
    pin = address;
    pins().add(address);
  }

  /** Returns the current snapshot, or the one that the options name. */
  private Taken taken(StreamEnds ends) {
    LogPrefix now = LogPrefix.of(ends);
    decidedBelow = now.began();
    return new Taken.Confirmed(
        options.at().map(address -> now.decidedAt(address.value())).orElse(now));
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
          .readAt(
              StateVersion.Snapshot.decided(options.at().get()), operation, arguments, List.of())
          .map(RemoteView.Read::value);
    }
    confirm();
    Taken taken = snapshot == null ? taken(ends(List.of(view))) : snapshot;
    snapshot = taken;
    LogPrefix begun = taken.prefix();
    StateVersion.Snapshot version =
        new StateVersion.Snapshot(
            begun.epoch(), begun.began(), begun.before(), begun.isDecided(), options.isReadOnly());
    Optional<RemoteView.Read> answer = remote.readAt(version, operation, arguments, changes);
    if (answer.isEmpty()) {
      return Optional.empty();
    }
    RemoteView.Read came = answer.get();
    snapshot =
        taken.with(new LogPrefix(came.epoch(), came.began(), begun.before(), begun.isDecided()));
    decidedBelow = Math.max(decidedBelow, came.newest() + 1);
    return Optional.of(came.value());
  }

  /** Returns the same snapshot as a prefix in a later epoch, if the entries are the same there. */
  private static LogPrefix stillIn(LogPrefix snapshot, LogPrefix later) {
    return snapshot.in(later).orElseThrow(() -> changed(snapshot, later.epoch()));
  }

  private static TransactionAbortedException changed(LogPrefix snapshot, Epoch now) {
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
    StreamEnds ends = client.streamEnds().ask(view);
    Taken begun = snapshot == null ? begin(List.of(view)) : snapshot;
    LogPrefix now = stillIn(begun.prefix(), LogPrefix.of(ends));
    snapshot = begun.with(now);
    return view.at(now.before(), ends);
  }

  /** Returns the condition that these parts have not changed since the snapshot. */
  Optional<Condition> unchanged(List<StreamPart> parts) {
    return snapshot == null || parts.isEmpty()
        ? Optional.empty()
        : Optional.of(new Condition(snapshot.prefix().before(), parts));
  }

  AsOf asOf() {
    return snapshot == null ? AsOf.DECIDED : new AsOf(snapshot.prefix().epoch(), decidedBelow);
  }

  /** Returns the snapshot's address, for messages about updates that are not in the log yet. */
  Address now() {
    return new Address(snapshot == null ? 0 : snapshot.prefix().before());
  }

  /** Releases the pinned history, and the states that it played only for this transaction. */
  void close() {
    untouched.forEach(View::drop);
    if (pin >= 0) {
      pins().remove(pin);
      pin = -1;
    }
  }
}
