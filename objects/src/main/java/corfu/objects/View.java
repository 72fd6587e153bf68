package corfu.objects;

import corfu.objects.record.CallId;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.DeadlineLock;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of an object: its state, and how far the object's stream has been played into it.
 * Plays when somebody needs a newer state; one thread at a time, while others read. Thread-safe.
 *
 * @param <T> the object's type
 */
final class View<T> {

  /** So often a value that stays in the log is replaced and forgotten while it is being read. */
  static final int OVERTAKEN_MOST = 10;

  private final ObjectClient client;
  private final String name;
  private final StreamId stream;
  private final ObjectType<T> type;
  private final Serializer serializer;
  private final Wording wording;
  private final TypeCheck typeCheck = new TypeCheck(this);
  private final LogValues values = new LogValues(this);

  private final OwnEntries own = new OwnEntries();
  private final Marks<T> marks;
  private final AtomicLong moved = new AtomicLong(); // entries that players have played
  private final DeadlineLock playing;
  private @Nullable Player<T> player; // once it has been opened
  private volatile @Nullable Played<T> played;
  private volatile long begins; // of what is below, it was loaded from a checkpoint
  private volatile long forgotten = -1; // values at this address may have been in the state,
  private volatile long renewable; // and who reads at this one can do with a state made anew
  private volatile Witness witness = Witness.NONE;

  /** A state, and what is in it at least. */
  record Played<T>(State<T> state, Horizon horizon) {}

  View(
      ObjectClient client,
      String name,
      StreamId stream,
      ObjectType<T> type,
      Serializer serializer) {
    this.client = client;
    this.name = name;
    this.stream = stream;
    this.type = type;
    this.serializer = serializer;
    this.wording = new Wording(name, stream, type, serializer);
    this.marks = new Marks<>(this);
    this.playing = new DeadlineLock("object " + name + " is being played", moved::get);
  }

  ObjectClient client() {
    return client;
  }

  /** What messages call it. */
  String name() {
    return name;
  }

  StreamId stream() {
    return stream;
  }

  ObjectType<T> type() {
    return type;
  }

  Serializer serializer() {
    return serializer;
  }

  Snapshots<T> snapshots() {
    return type.snapshots().orElseGet(() -> new WholeState<>(serializer));
  }

  Marks<T> marks() {
    return marks;
  }

  /** Those that stay in the log. */
  LogValues values() {
    return values;
  }

  Operation operation(int place) {
    return type.operations().get(place);
  }

  // ------------------------------------------------------------------------------- what users do

  /** Reads what is there at a moment within this call. */
  @Nullable Object read(int operation, @Nullable Object[] arguments) throws Throwable {
    return read(client.tails().askToRead(this), operation, arguments);
  }

  /** Reads what was there when the stream ended here, or later. */
  @Nullable Object read(StreamEnds ends, int operation, @Nullable Object[] arguments)
      throws Throwable {
    StreamEnds to = ends;
    int tries = 1;
    while (true) {
      playTo(to);
      Played<T> now = played;
      try {
        if (now != null && now.horizon.covers(Horizon.of(to))) {
          return now.state.read(State.NOW, operation, arguments);
        }
      } catch (State.TooNewException beingMadeAnew) {
        awaitPlaying();
      } catch (HistoryTrimmedException overtaken) {
        if (tries++ == OVERTAKEN_MOST) {
          throw overtaken;
        }
        to = client.tails().ask(this);
      }
    }
  }

  /**
   * Reads what this client happens to know, which may be old, and tells since when; asks only if it
   * knows nothing.
   */
  Known readKnown(int operation, @Nullable Object[] arguments) throws Throwable {
    while (true) {
      Played<T> now = played;
      if (now == null || isOutdated()) {
        catchUp();
        continue;
      }
      try {
        @Nullable Object value = now.state.read(State.NOW, operation, arguments);
        long newest = now.state.newestBelow(now.horizon.before());
        return new Known(value, now.horizon, Math.max(now.horizon.began(), newest + 1));
      } catch (State.TooNewException beingMadeAnew) {
        awaitPlaying();
      }
    }
  }

  /** Whoever is playing is through with it, within the time of the call. */
  void awaitPlaying() {
    playing.lock(client.deadline());
    try {
      return;
    } finally {
      playing.unlock();
    }
  }

  /** Appends a change; returns when it is durable. */
  void write(int operation, @Nullable Object[] arguments) {
    write(operation, arguments, Guard.NONE);
  }

  /** The same, unless something that it relies on has changed. */
  void write(int operation, @Nullable Object[] arguments, Guard guard) {
    var unused = append(client.calls().next(), operation, arguments, guard);
  }

  /** Appends a change, and waits for what comes of it. */
  @Nullable Object change(int operation, @Nullable Object[] arguments) throws Throwable {
    return change(operation, arguments, Guard.NONE);
  }

  /** The same, unless something that it relies on has changed. */
  @Nullable Object change(int operation, @Nullable Object[] arguments, Guard guard)
      throws Throwable {
    return AwaitedChange.of(this, operation, arguments, guard);
  }

  /** What is below this log address was loaded from a checkpoint. */
  long begins() {
    return begins;
  }

  /** Appends a change; tells where it is. */
  Address append(CallId call, int operation, @Nullable Object[] arguments, Guard guard) {
    return typeCheck.change(guard, unless -> appendIf(call, operation, arguments, unless));
  }

  private Address appendIf(CallId call, int operation, @Nullable Object[] arguments, Guard guard) {
    StreamPart writes = part(operation, arguments);
    Update update = wording.update(operation, arguments);
    Updates record = client.record(call, List.of(update));
    StreamAppend outcome =
        client.append(
            record,
            List.of(writes),
            guard.condition(),
            guard.asOf(),
            appended -> appended(appended, record));
    return switch (outcome) {
      case StreamAppend.Appended appended -> {
        typeCheck.enterCatalogue();
        yield appended.address();
      }
      case StreamAppend.Conflict conflict -> throw new Guard.ChangedException(conflict);
    };
  }

  /** This client has appended an entry that changes the object, or was told of a conflict. */
  void appended(StreamAppend outcome, Updates record) {
    typeCheck.appended(outcome);
    if (played != null && outcome instanceof StreamAppend.Appended appended) {
      own.add(
          new OwnEntries.Own(appended.in(stream), appended.address(), appended.epoch(), record));
    }
  }

  /** It is a part of another object, so nobody looks for it in the catalogue. */
  View<T> asPart() {
    typeCheck.isPart();
    return this;
  }

  /** Whether the object is of the view's type. */
  TypeCheck typeCheck() {
    return typeCheck;
  }

  /** How its changes are said in the log. */
  Wording wording() {
    return wording;
  }

  OwnEntries own() {
    return own;
  }

  /** Whether the view's horizon is of this epoch. */
  boolean isOfItsEpoch(Epoch epoch) {
    Played<T> now = played;
    return now != null && now.horizon.epoch().equals(epoch);
  }

  /** Plays what this client has appended, as far as that goes on where the view is. */
  void playOwn() {
    playing.lock(client.deadline());
    try {
      if (player != null && played != null) {
        long before = player.playOwn();
        Played<T> now = played; // it may have lost the state
        if (now != null) {
          played = new Played<>(now.state, now.horizon.atLeast(before));
        }
      }
    } finally {
      playing.unlock();
    }
  }

  /** How far the state goes by what this client knows and has appended; empty: there is none. */
  Optional<Horizon> known() {
    if (!playing.isHeldByCurrentThread() && playing.tryLock()) {
      try {
        playOwn();
      } catch (RuntimeException itWillBeMetAgain) {
        return Optional.empty(); // by who asks, and plays on from here
      } finally {
        playing.unlock();
      }
    }
    Played<T> now = played;
    return now == null || isOutdated() ? Optional.empty() : Optional.of(now.horizon);
  }

  /** The change as the log will have it, unless the object is of another type. */
  Update update(int operation, @Nullable Object[] arguments) {
    typeCheck.beforeChange();
    return wording.update(operation, arguments);
  }

  /** What the operation reads or changes. */
  StreamPart part(int operation, @Nullable Object[] arguments) {
    return Keyed.part(stream, operation(operation), arguments);
  }

  // ------------------------------------------------------------------------------------- playing

  /** Plays the stream as far as it went when its end was asked for; nothing if that is done. */
  void playTo(StreamEnds ends) {
    Horizon wanted = Horizon.of(ends);
    if (hasPlayed(wanted)) {
      return;
    }
    client.tails().meets(ends);
    playing.lock(client.deadline());
    try {
      if (!hasPlayed(wanted)) {
        if (player != null && isOutdated()) {
          forgotten = -1;
          player.renew();
        }
        Player<T> opened = open(ends);
        Horizon reached = Horizon.of(opened.playTo(ends));
        State<T> made = opened.state();
        if (made.newest() >= 0) {
          typeCheck.isPlayed();
        }
        played = new Played<>(made, reached.atLeast(made.newest() + 1)); // own ones may be later
      }
    } finally {
      playing.unlock();
    }
  }

  /**
   * The same for whoever happens to know where the stream ends, if that is near, and nobody is
   * playing. What goes wrong is left to those who need it.
   */
  void playIfNear(StreamEnds ends) {
    boolean isPlayed = hasPlayed(Horizon.of(ends));
    if (isPlayed || playing.isHeldByCurrentThread() || !playing.tryLock()) { // playing may ask, too
      return;
    }
    try {
      if (player != null && player.isNear(ends)) {
        playTo(ends);
      }
    } catch (RuntimeException itWillBeMetAgain) {
      // by the first who plays on from here
    } finally {
      playing.unlock();
    }
  }

  boolean hasPlayed(Horizon wanted) {
    Played<T> now = played;
    return now != null && now.horizon.covers(wanted) && !isOutdated();
  }

  /**
   * Values that a state of this address may have are not there any more.
   *
   * @param before the newest checkpoint's log address: transactions that read an earlier state keep
   *     that until they end
   */
  void forgotten(long anchor, long before) {
    if (anchor >= begins) {
      renewable = before;
      forgotten = anchor;
    }
  }

  /** The state has been made of what is forgotten now, and is made anew before it is read again. */
  private boolean isOutdated() {
    return forgotten >= begins && client.pins().lowest() >= renewable;
  }

  private Player<T> open(StreamEnds ends) {
    Player<T> opened = player;
    if (opened == null) {
      opened = Player.live(this, ends);
      player = opened;
    }
    return opened;
  }

  /**
   * The state as it was at this log address, and will be.
   *
   * @throws IllegalArgumentException if the log does not reach there
   */
  State<T> at(Address before) {
    CallScope call = client.call();
    try {
      client.decide(name, before);
      return at(before.value(), client.tails().ask(this));
    } finally {
      call.end();
    }
  }

  /** The state as it was at this log address, when the stream ended here. */
  State<T> at(long before, StreamEnds ends) {
    client.past().add(before);
    try {
      Player<T> past = Player.past(this, before);
      StreamEnds unused = past.playTo(ends);
      return past.state();
    } finally {
      client.past().remove(before);
    }
  }

  /** A player has played one more entry: a call that plays many gets more time for them. */
  void movedOne() {
    if (moved.incrementAndGet() % Deadline.ENTRIES == 0) {
      client.deadline().renew();
    }
  }

  /** From now on somebody is told what the view's player does; to be called before it plays. */
  void attend(Witness attending) {
    witness = attending;
  }

  Witness witness() {
    return witness;
  }

  /**
   * Lets go of the state; whoever needs it next begins anew. Not while anybody waits for a call. It
   * is kept if somebody plays it for longer than the call has time.
   */
  void drop() {
    if (!playing.tryLock(client.deadline())) {
      return;
    }
    try {
      player = null;
      played = null;
    } finally {
      playing.unlock();
    }
  }

  /** A state that is equal now, and goes its own way. */
  T fork(T original) {
    return snapshots().fork(original);
  }

  /** The player begins at a state whose values stay at this log address. */
  void beginsAt(long anchor) {
    begins = anchor;
  }

  /** The state can't be used any more, and is being made anew. */
  void lost() {
    played = null;
  }

  /** A state that holds all that who sees so far does. */
  Played<T> playedTo(Horizon wanted) {
    while (true) {
      Played<T> now = played;
      if (now != null && now.horizon.covers(wanted) && !isOutdated()) {
        return now;
      }
      playTo(client.tails().ask(this));
    }
  }

  /** Plays all that was complete when this was called. */
  void catchUp() {
    playTo(client.tails().ask(this));
  }

  /** The state, if there is one, holds all below it, as far as the newest epoch it knows of. */
  Optional<Address> playedBefore() {
    return Optional.ofNullable(played).map(now -> new Address(now.horizon.before()));
  }

  @Override
  public String toString() {
    return name + " as " + type.name();
  }
}
