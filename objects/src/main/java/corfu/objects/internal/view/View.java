package corfu.objects.internal.view;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.internal.checkpoint.CheckpointTracker;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.client.LogPrefix;
import corfu.objects.internal.client.ObjectClient;
import corfu.objects.internal.client.ObjectContext;
import corfu.objects.internal.state.State;
import corfu.objects.internal.value.LogValues;
import corfu.objects.record.CallId;
import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamId;
import corfu.runtime.CallScope;
import corfu.runtime.Deadline;
import corfu.runtime.DeadlineLock;
import corfu.runtime.stream.StreamEnds;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A client's view of an object: its state, and how far the object's stream has been played into it.
 * Plays when somebody needs a newer state; one thread at a time, while others read. Thread-safe.
 *
 * @param <T> the object's type
 */
public final class View<T> implements PlayedObject<T> {

  /** So often a value that stays in the log is replaced and forgotten while it is being read. */
  public static final int OVERTAKEN_MOST = 10;

  private final ObjectContext<T> context;
  private final ObjectClient client;
  private final StreamId stream;
  private final LogValues values;
  private final TypeCheck typeCheck;
  private final OwnEntries own = new OwnEntries();
  private final ChangeAppender changes;
  private final CheckpointTracker<T> tracker;
  private final AtomicLong moved = new AtomicLong(); // entries that players have played
  private final DeadlineLock playing;
  private @Nullable Player<T> player; // once it has been opened
  private volatile @Nullable Played<T> played;
  private volatile long begins; // of what is below, it was loaded from a checkpoint
  private volatile long forgotten = -1; // values at this address may have been in the state,
  private volatile long renewable; // and who reads at this one can do with a state made anew
  private volatile PlaybackListener listener = PlaybackListener.NONE;

  /** A state, and what is in it at least. */
  public record Played<T>(State<T> state, LogPrefix prefix) {}

  public View(ObjectContext<T> context) {
    this.context = context;
    this.client = context.client();
    this.stream = context.stream();
    this.values = new LogValues(context, this::checkpoints, this::forgotten);
    this.typeCheck = new TypeCheck(context, this, this::checkpoints);
    this.changes = new ChangeAppender(context, typeCheck, own, () -> played != null);
    this.tracker = new CheckpointTracker<>(this);
    this.playing = new DeadlineLock("object " + context.name() + " is being played", moved::get);
  }

  @Override
  public ObjectContext<T> context() {
    return context;
  }

  public ObjectClient client() {
    return client;
  }

  /** Returns the name of the object in messages. */
  public String name() {
    return context.name();
  }

  @Override
  public StreamId stream() {
    return stream;
  }

  public ObjectType<T> type() {
    return context.type();
  }

  public Serializer serializer() {
    return context.serializer();
  }

  @Override
  public CheckpointTracker<T> tracker() {
    return tracker;
  }

  @Override
  public LogValues values() {
    return values;
  }

  @Override
  public Checkpoints<T> checkpoints() {
    return new Checkpoints<>(context, values, listener::fetched);
  }

  @Override
  public Optional<StateCopy<T>> copyAt(CallId checkpoint, Marking mark) {
    return tracker.copyAt(checkpoint, mark);
  }

  public Operation operation(int place) {
    return context.operation(place);
  }

  // ------------------------------------------------------------------------------- what users do

  /** Reads what is there at a moment within this call. */
  public @Nullable Object read(int operation, @Nullable Object[] arguments) throws Throwable {
    return read(client.streamEnds().askToRead(this), operation, arguments);
  }

  /** Reads what was there when the stream ended here, or later. */
  public @Nullable Object read(StreamEnds ends, int operation, @Nullable Object[] arguments)
      throws Throwable {
    StreamEnds to = ends;
    int tries = 1;
    while (true) {
      playTo(to);
      Played<T> now = played;
      try {
        if (now != null && now.prefix.covers(LogPrefix.of(to))) {
          return now.state.read(State.NOW, operation, arguments);
        }
      } catch (State.TooNewException beingMadeAnew) {
        awaitPlaying();
      } catch (HistoryTrimmedException overtaken) {
        if (tries++ == OVERTAKEN_MOST) {
          throw overtaken;
        }
        to = client.streamEnds().ask(this);
      }
    }
  }

  /**
   * Reads what this client happens to know, which may be old, and tells since when; asks only if it
   * knows nothing.
   */
  public StaleRead readStale(int operation, @Nullable Object[] arguments) throws Throwable {
    while (true) {
      Played<T> now = played;
      if (now == null || isOutdated()) {
        catchUp();
        continue;
      }
      try {
        @Nullable Object value = now.state.read(State.NOW, operation, arguments);
        long newest = now.state.newestBelow(now.prefix.before());
        return new StaleRead(value, now.prefix, Math.max(now.prefix.began(), newest + 1));
      } catch (State.TooNewException beingMadeAnew) {
        awaitPlaying();
      }
    }
  }

  /** Waits, within the time of the call, until the thread that plays the object is done. */
  public void awaitPlaying() {
    playing.lock(client.deadline());
    try {
      return;
    } finally {
      playing.unlock();
    }
  }

  /** Returns the log address below which the state was loaded from a checkpoint. */
  long begins() {
    return begins;
  }

  /** Marks the view as a part of another object, so nobody looks for it in the catalogue. */
  public View<T> asPart() {
    typeCheck.isPart();
    return this;
  }

  /** Returns the way to change the object. */
  public ChangeAppender changes() {
    return changes;
  }

  @Override
  public TypeCheck typeCheck() {
    return typeCheck;
  }

  @Override
  public OwnEntries own() {
    return own;
  }

  @Override
  public boolean isOfItsEpoch(Epoch epoch) {
    Played<T> now = played;
    return now != null && now.prefix.epoch().equals(epoch);
  }

  /** Plays what this client has appended, as far as that goes on where the view is. */
  void playOwn() {
    playing.lock(client.deadline());
    try {
      if (player != null && played != null) {
        long before = player.playOwn();
        Played<T> now = played; // it may have lost the state
        if (now != null) {
          played = new Played<>(now.state, now.prefix.atLeast(before));
        }
      }
    } finally {
      playing.unlock();
    }
  }

  /** How far the state goes by what this client knows and has appended; empty: there is none. */
  public Optional<LogPrefix> known() {
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
    return now == null || isOutdated() ? Optional.empty() : Optional.of(now.prefix);
  }

  // ------------------------------------------------------------------------------------- playing

  /** Plays the stream as far as it went when its end was asked for; nothing if that is done. */
  public void playTo(StreamEnds ends) {
    LogPrefix wanted = LogPrefix.of(ends);
    if (hasPlayed(wanted)) {
      return;
    }
    client.streamEnds().meets(ends);
    playing.lock(client.deadline());
    try {
      if (!hasPlayed(wanted)) {
        if (player != null && isOutdated()) {
          forgotten = -1;
          player.renew();
        }
        Player<T> opened = open(ends);
        LogPrefix reached = LogPrefix.of(opened.playTo(ends));
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

  @Override
  public void playIfNear(StreamEnds ends) {
    boolean isPlayed = hasPlayed(LogPrefix.of(ends));
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

  public boolean hasPlayed(LogPrefix wanted) {
    Played<T> now = played;
    return now != null && now.prefix.covers(wanted) && !isOutdated();
  }

  /**
   * Values that a state of this address may have are not there any more.
   *
   * @param before the newest checkpoint's log address: transactions that read an earlier state keep
   *     that until they end
   */
  public void forgotten(long anchor, long before) {
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

  @Override
  public State<T> at(Address before) {
    CallScope call = client.call();
    try {
      client.decide(context.name(), before);
      return at(before.value(), client.streamEnds().ask(this));
    } finally {
      call.end();
    }
  }

  /** The state as it was at this log address, when the stream ended here. */
  public State<T> at(long before, StreamEnds ends) {
    client.past().add(before);
    try {
      Player<T> past = Player.past(this, before);
      StreamEnds unused = past.playTo(ends);
      return past.state();
    } finally {
      client.past().remove(before);
    }
  }

  @Override
  public void movedOne() {
    if (moved.incrementAndGet() % Deadline.ENTRIES == 0) {
      client.deadline().renew();
    }
  }

  /** From now on somebody is told what the view's player does; to be called before it plays. */
  public void listen(PlaybackListener listening) {
    listener = listening;
  }

  @Override
  public PlaybackListener listener() {
    return listener;
  }

  /**
   * Lets go of the state; whoever needs it next begins anew. Not while anybody waits for a call. It
   * is kept if somebody plays it for longer than the call has time.
   */
  public void drop() {
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

  @Override
  public void beginsAt(long anchor) {
    begins = anchor;
  }

  @Override
  public void lost() {
    played = null;
  }

  /** A state that holds all that who sees so far does. */
  public Played<T> playedTo(LogPrefix wanted) {
    while (true) {
      Played<T> now = played;
      if (now != null && now.prefix.covers(wanted) && !isOutdated()) {
        return now;
      }
      playTo(client.streamEnds().ask(this));
    }
  }

  @Override
  public void catchUp() {
    playTo(client.streamEnds().ask(this));
  }

  @Override
  public Optional<Address> playedBefore() {
    return Optional.ofNullable(played).map(now -> new Address(now.prefix.before()));
  }

  @Override
  public String toString() {
    return context.toString();
  }
}
