package corfu.bytes;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.extent.PageLostException;
import corfu.bytes.internal.record.BatchData;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.space.EntryRests;
import corfu.bytes.internal.space.LiveBytes;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamAddress;
import corfu.runtime.CorfuException;
import corfu.runtime.EntryPart;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Frees the log's space that overwritten bytes of an array take, beside the array's writer. Entries
 * of which neither the newest version nor a pinned one needs a byte are trimmed. If the others take
 * more than twice the bytes that are needed of them, the rests of the sparsest entries move
 * together into new entries. So an array of constant size keeps a constant log.
 *
 * <p>Versions that are not pinned are given up. Entries before the newest pinned version stay: see
 * {@link ArrayHistory#reclaim}. A client that still plays the array from an old state goes on from
 * a checkpoint, which is written before the first trim.
 *
 * <p>{@link #start} works in the background, in small steps; {@link #step} makes one step.
 * Thread-safe.
 */
public final class SpaceReclaimer implements AutoCloseable {

  /** The multiple of the needed bytes from which on rests are moved. */
  private static final int SPARSE_FACTOR = 2;

  /** One part of the needed bytes: a checkpoint is worthwhile if so much can be trimmed. */
  private static final int CHECKPOINT_PART = 4;

  /**
   * The number of checkpoints after which those of pinned versions are written again: so their
   * stream can be trimmed, and readers find them near its end.
   */
  private static final int CHECKPOINTS_TOGETHER = 64;

  private static final int TRIMMED_TOGETHER = 4_096;
  private static final int MOVED_TOGETHER = 64;
  private static final int MOST_UNMOVABLE = 4_096;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final ArrayWriter writer;
  private final BytesStore store;
  private final ReclaimOptions options;
  private final Optional<VersionKeeper> keeper; // knows the pins, if this one does not
  private final AtomicBoolean isStarted = new AtomicBoolean();
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private final ReentrantLock stepping = new ReentrantLock(); // one step at a time

  // guarded by stepping
  private final Map<Address, StreamAddress> pinCheckpoints = new HashMap<>(); // their places
  private int checkpointsUntilAllAreWritten = CHECKPOINTS_TOGETHER;
  private final Set<Long> unmovable = new HashSet<>(); // entries
  private long checkpointedBefore; // entries below are in a checkpoint
  private BytesState followedFrom;
  private boolean isFollowing;

  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private TreeSet<Address> pins = new TreeSet<>();
  private LiveBytes liveBytes = new LiveBytes();

  private SpaceReclaimer(
      ArrayWriter writer,
      ReclaimOptions options,
      List<Address> pinnedVersions,
      Optional<VersionKeeper> keeper) {
    this.writer = writer;
    this.keeper = keeper;
    this.store = writer.array().store();
    this.options = options;
    this.followedFrom = writer.player().state();
    pins.addAll(pinnedVersions);
  }

  /**
   * Returns a reclaimer of the space of a writer's array.
   *
   * @param pinnedVersions the versions that stay readable, beside the newest one: those of
   *     snapshots, and of arrays that have this one as their origin, or have copied ranges from it
   */
  public static SpaceReclaimer of(
      ArrayWriter writer, ReclaimOptions options, List<Address> pinnedVersions) {
    return new SpaceReclaimer(writer, options, pinnedVersions, Optional.empty());
  }

  /**
   * Returns a reclaimer of the space of a writer's array, of which others may pin versions.
   *
   * @param keeper is asked before anything is given up
   */
  public static SpaceReclaimer of(
      ArrayWriter writer, ReclaimOptions options, VersionKeeper keeper) {
    return new SpaceReclaimer(
        writer, options, keeper.giveUpBefore(Address.ZERO), Optional.of(keeper));
  }

  // ------------------------------------------------------------------------------------- pinning

  /** Pins the newest version, and returns it: what it needs stays from now on. */
  public BytesView pinNewest() {
    lock.lock();
    try {
      BytesView view = writer.view();
      pins.add(view.version());
      return view;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Pins these versions, and no others. A version that was not pinned before may be gone already.
   */
  public void pin(List<Address> versions) {
    lock.lock();
    try {
      pins = new TreeSet<>(versions);
    } finally {
      lock.unlock();
    }
  }

  /** Returns the log address from which on entries may be trimmed. */
  private long pinnedBelow() {
    return pins.isEmpty() ? 0 : pins.last().value();
  }

  /**
   * The space of an array.
   *
   * @param entries the number of entries that are not trimmed
   * @param storedBytes the bytes of their payloads, and 64 for each
   * @param neededBytes the bytes of them that the newest version needs
   */
  public record Space(long entries, long storedBytes, long neededBytes) {}

  /** Returns the space of the array; empty as long as not all of its entries are counted. */
  public Optional<Space> space() {
    LiveBytes live = current();
    LiveBytes.Space space = live.space();
    return live.isComplete()
        ? Optional.of(new Space(space.entries(), space.storedBytes(), space.liveBytes()))
        : Optional.empty();
  }

  private LiveBytes current() {
    lock.lock();
    try {
      return liveBytes;
    } finally {
      lock.unlock();
    }
  }

  // ------------------------------------------------------------------------------------ stepping

  /** Works in the background until it is closed, or the writer is fenced. */
  public void start() {
    if (isStarted.compareAndSet(false, true)) {
      store.world().work("corfu-bytes-reclaim", this::run);
    }
  }

  private void run() {
    while (!isOver()) {
      boolean isUrgent = false;
      try {
        isUrgent = step() && isTooLarge();
      } catch (CorfuException | VersionForgottenException later) {
        // the next step tries again
      } catch (IllegalStateException released) {
        if (!isOver()) {
          throw released;
        }
      }
      if (!isUrgent) {
        store.world().pause(options.interval());
      }
    }
    unfollow();
  }

  private boolean isOver() {
    return isClosed.get() || writer.isOver();
  }

  private boolean isTooLarge() {
    LiveBytes.Space space = current().space();
    return space.storedBytes() > (SPARSE_FACTOR + 0.5) * space.liveBytes() + options.slackBytes();
  }

  /**
   * Makes one step: trims up to 4,096 entries, and moves rests into one entry. The first step reads
   * the heads of all entries.
   *
   * @return whether it has trimmed or moved anything
   */
  public boolean step() {
    stepping.lock();
    try {
      if (isOver()) {
        return false;
      }
      LiveBytes live = counted();
      if (live.isOutdated()) {
        return false;
      }
      boolean hasTrimmed = trim(live); // first, as the rest needs space
      boolean hasCheckpointed = checkpointIfWorthwhile(live);
      boolean hasMoved = isSparse(live) && move(live);
      return hasCheckpointed || hasTrimmed || hasMoved;
    } finally {
      stepping.unlock();
    }
  }

  private LiveBytes counted() {
    LiveBytes live = current();
    if (live.isOutdated()) {
      writer.player().unlisten(live);
      live = new LiveBytes();
      isFollowing = false;
      checkpointedBefore = 0;
      unmovable.clear();
    }
    if (!isFollowing) {
      followedFrom = writer.player().listen(live);
      isFollowing = true;
      lock.lock();
      try {
        liveBytes = live;
      } finally {
        lock.unlock();
      }
    }
    if (!live.isComplete() && !live.isOutdated()) {
      try {
        count(live);
      } catch (PageLostException lost) {
        live.onSkipped(); // it begins anew, from a state that has its pages
      }
    }
    return live;
  }

  private void count(LiveBytes live) {
    LiveBytes.Earlier earlier = live.earlier();
    HeadReader reader =
        store
            .streams()
            .open(writer.array().id())
            .heads(StreamAddress.ZERO, EntryDecoder.HEAD_BYTES);
    StreamEnds ends = store.end(writer.array().id());
    reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case HeadRead.Head head when head.streamAddress().value() < followedFrom.place() ->
            earlier.add(head.address().value(), head.payloadBytes());
        case HeadRead.Trimmed trimmed -> {}
        case HeadRead end -> {
          earlier.complete(followedFrom);
          return;
        }
      }
    }
  }

  /**
   * Writes checkpoints if enough can be trimmed behind them: of pinned versions first, so that
   * entries behind those may be trimmed, and then of the newest one, from which readers go on.
   */
  private boolean checkpointIfWorthwhile(LiveBytes live) {
    List<Address> kept = pinnedVersions();
    long pinned = kept.isEmpty() ? 0 : kept.getLast().value();
    long from = areKept(kept) ? Math.max(checkpointedBefore, pinned) : pinned;
    long worthwhile = live.space().liveBytes() / CHECKPOINT_PART;
    if (live.deadBytes(from) < Math.max(options.slackBytes(), worthwhile)) {
      return false;
    }
    BytesState state = writer.player().state();
    kept = giveUpBefore(state.version());
    boolean areAllWritten = --checkpointsUntilAllAreWritten < 0;
    if (areAllWritten) {
      checkpointsUntilAllAreWritten = CHECKPOINTS_TOGETHER;
      pinCheckpoints.clear();
    }
    pinCheckpoints.keySet().retainAll(kept);
    for (Address version : kept) {
      if (!pinCheckpoints.containsKey(version)) {
        pinCheckpoints.put(version, writeFloor(writer.array().stateAt(version), version));
      }
    }
    StreamAddress newest = writeFloor(state, state.version());
    checkpointedBefore = state.before();
    if (isStillWriter()) {
      StreamAddress oldest =
          pinCheckpoints.values().stream().min(StreamAddress::compareTo).orElse(newest);
      store.checkpoints().trim(state.stream(), oldest.compareTo(newest) < 0 ? oldest : newest);
    }
    return true;
  }

  private StreamAddress writeFloor(BytesState state, Address version) {
    return store
        .maps()
        .onState(
            state,
            writer.array().origin(),
            whole -> store.writeFloor(whole, version).first(),
            found -> {});
  }

  /**
   * Returns whether nobody had taken over when the last checkpoint was written. Then all before it
   * are of this writer or of earlier ones, and none is of a pinned version of a successor.
   */
  private boolean isStillWriter() {
    return append(new BatchData(List.of(new BatchData.Change.Punch(0, 0))));
  }

  /** Returns whether checkpoints have these versions, whatever entries follow. */
  private boolean areKept(List<Address> versions) {
    return pinCheckpoints.keySet().containsAll(versions);
  }

  private List<Address> pinnedVersions() {
    lock.lock();
    try {
      return List.copyOf(pins);
    } finally {
      lock.unlock();
    }
  }

  private long pinned() {
    lock.lock();
    try {
      return pinnedBelow();
    } finally {
      lock.unlock();
    }
  }

  private boolean trim(LiveBytes live) {
    List<Long> dead = live.dead(pinned(), checkpointedBefore, TRIMMED_TOGETHER);
    if (dead.isEmpty()) {
      return false;
    }
    // A version that is pinned later includes what this one has overwritten.
    List<Address> kept = giveUpBefore(writer.player().state().version());
    long pinned = kept.isEmpty() ? 0 : kept.getLast().value();
    dead.removeIf(address -> address < pinned);
    store.log().trim(dead.stream().map(Address::new).toList());
    live.trimmed(dead);
    return !dead.isEmpty();
  }

  /** Gives up the versions before one that are not pinned; returns the others, ascending. */
  private List<Address> giveUpBefore(Address version) {
    keeper.ifPresent(all -> pin(all.giveUpBefore(version)));
    return pinnedVersions();
  }

  private boolean isSparse(LiveBytes live) {
    LiveBytes.Space space = live.space();
    return space.storedBytes() > SPARSE_FACTOR * space.liveBytes() + options.slackBytes();
  }

  // -------------------------------------------------------------------------------------- moving

  /** Moves the live rests of the sparsest entries together. */
  private boolean move(LiveBytes live) {
    int most = Math.min(options.moveBytes(), store.options().maxEntryBytes());
    BytesView view = writer.view();
    List<BatchData.Change> moves = new ArrayList<>();
    List<Extent> rests = new ArrayList<>();
    long bytes = 0;
    for (LiveBytes.Sparse entry : live.sparsest(pinned(), MOVED_TOGETHER)) {
      boolean isWorthwhile = entry.stored() > SPARSE_FACTOR * (long) entry.live();
      boolean fits = bytes + entry.live() <= most;
      if (isWorthwhile && fits && !unmovable.contains(entry.address())) {
        List<Extent> found = rests(view, entry);
        // The view may be older than the count, and need more of the entry.
        long foundBytes = found.stream().mapToLong(Extent::length).sum();
        if (bytes + foundBytes <= most && rests.size() + found.size() <= RecordCodec.MAX_CHANGES) {
          rests.addAll(found);
          bytes += foundBytes;
        }
      }
    }
    List<EntryPart> parts =
        rests.isEmpty()
            ? List.of()
            : store.log().readParts(rests.stream().map(SpaceReclaimer::range).toList());
    for (int i = 0; i < parts.size(); i++) {
      Extent rest = rests.get(i);
      if (parts.get(i) instanceof EntryPart.Data data
          && data.bytes().remaining() == rest.length()) {
        moves.add(
            new BatchData.Change.Move(
                rest.offset(), data.bytes(), rest.address(), rest.position()));
      }
    }
    return !moves.isEmpty() && append(new BatchData(moves));
  }

  private static PayloadRange range(Extent extent) {
    return new PayloadRange(
        extent.address(), Math.toIntExact(extent.position()), Math.toIntExact(extent.length()));
  }

  private boolean append(BatchData moves) {
    try {
      return writer.appendData(moves, NO_NOTE).join() instanceof WriteOutcome.Written;
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /**
   * Returns the extents of a version that lie in an entry. The entry itself tells where they may
   * be. Others may lie elsewhere, because a range was copied; then the entry is left alone.
   */
  private List<Extent> rests(BytesView view, LiveBytes.Sparse entry) {
    List<Extent> distinct =
        new EntryRests(
                store.log(),
                store.decoder(),
                (offset, length) -> view.extents(offset, length, offset))
            .of(entry.address());
    if (distinct.stream().mapToLong(Extent::length).sum() < entry.live()) {
      if (unmovable.size() == MOST_UNMOVABLE) {
        unmovable.clear();
      }
      unmovable.add(entry.address());
    }
    return distinct;
  }

  private void unfollow() {
    writer.player().unlisten(current());
  }

  /** Stops. Bytes that are overwritten from now on are counted by the next reclaimer. */
  @Override
  public void close() {
    if (isClosed.compareAndSet(false, true) && !isStarted.get()) {
      unfollow();
    }
  }
}
