package corfu.bytes;

import corfu.bytes.internal.checkpoint.CheckpointPace;
import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.record.BatchData;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.writer.StateListener;
import corfu.bytes.internal.writer.WriterCluster;
import corfu.bytes.internal.writer.WriterPlayer;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Subscription;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * The only writer of an array, such as the server of a disk. A take-over is one entry, and begins a
 * writer epoch. Behind it, no change of an earlier writer has an effect, even if that writer was
 * only paused and its requests arrive later. Changes of {@link VersionedBytes} have no effect
 * either, until the writer {@linkplain #release leaves}.
 *
 * <p>The writer asks nobody to read its own newest version, and reads none of its entries. It may
 * load pages of the map that an append changes, on a thread of its own; the append ends behind
 * that. Each append is one entry, whatever the number of its changes. Thread-safe.
 *
 * <pre>{@code
 * ArrayWriter writer = ArrayWriter.takeOver(store.open(id), owner);
 * writer.append(List.of(new RangeChange.Write(0, block), new RangeChange.Punch(4096, 4096)), note)
 *     .thenAccept(
 *         outcome -> {
 *           switch (outcome) {
 *             case WriteOutcome.Written written -> ...
 *             case WriteOutcome.Fenced fenced -> ... // another writer has taken over
 *           }
 *         });
 * }</pre>
 */
public final class ArrayWriter {

  /** The most changes of one append. */
  public static final int MAX_CHANGES = RecordCodec.MAX_CHANGES;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final VersionedBytes array;
  private final BytesStore store;
  private final WriterPlayer player;
  private final long epoch;
  private final StreamAddress fencesFrom; // the place of the next take-over among all of them
  private final AtomicLong nextNumber = new AtomicLong();
  private final AtomicBoolean isClosed = new AtomicBoolean();

  private final ReentrantLock lock = new ReentrantLock();
  private final List<Consumer<Owner>> receivers = new ArrayList<>();
  private Optional<Subscription> subscription = Optional.empty();

  /**
   * @param isFenced whether the state is of another writer, which took over later
   */
  private ArrayWriter(
      VersionedBytes array, BytesState state, boolean isFenced, StreamAddress fencesFrom) {
    this.array = array;
    this.store = array.store();
    this.fencesFrom = fencesFrom;
    LogStream stream = store.streams().open(array.id());
    this.player =
        new WriterPlayer(
            new Cluster(stream),
            store.decoder(),
            stream.heads(new StreamAddress(state.place()), EntryDecoder.HEAD_BYTES),
            state,
            isFenced,
            this::hasBeenFenced);
    this.epoch = state.writer().epoch() - (isFenced ? 1 : 0);
    player.listen(new CheckpointTimes());
  }

  /**
   * Makes a client the only writer of an array. Later requests of an earlier writer have no effect.
   * Plays the array; waits for the in-flight appends of the earlier writer, until the hole timeout
   * at most. If another writer takes over meanwhile, this one may be fenced from the beginning.
   *
   * @param array an array that all clients change by writers only
   * @param owner a description of the writer for people and other clients, at most 255 bytes
   */
  public static ArrayWriter takeOver(VersionedBytes array, ByteBuffer owner) {
    BytesStore store = array.store();
    ByteBuffer payload = RecordCodec.encode(NO_NOTE, new BytesRecord.TakeOver(owner));
    StreamId fences = fencesOf(array.id());
    StreamAppend.Appended fence = store.streams().append(List.of(array.id(), fences), payload);
    Address version = array.appended(fence, payload);
    BytesState newest = array.newestState(); // the player has the state then
    BytesState state = stateAt(array, version).orElse(newest);
    boolean isTrimmed = state.writer().since() != fence.address().value();
    if (isTrimmed && state.writer().since() < fence.address().value()) {
      throw new IllegalStateException(
          "version %s of the byte array of stream %s does not include its take-over at %s, but %s"
              .formatted(state.version(), array.id(), fence.address(), state.writer()));
    }
    ArrayWriter writer = new ArrayWriter(array, state, isTrimmed, fence.in(fences).plus(1));
    if (!isTrimmed) {
      array.isWrittenBy(writer.player);
    }
    if (!newest.version().equals(version)) {
      writer.player.expectFence(); // it may be one already
    }
    return writer;
  }

  /** Returns a version, or nothing if another writer has taken over and freed its space already. */
  private static Optional<BytesState> stateAt(VersionedBytes array, Address version) {
    try {
      return Optional.of(array.stateAt(version));
    } catch (VersionForgottenException freed) {
      return Optional.empty();
    }
  }

  /** Returns the array's writer, if it has one; asks for the newest version. */
  public static Optional<Owner> owner(VersionedBytes array) {
    return array.newest().writer();
  }

  /** The stream of an array's take-overs alone, which a writer follows at no cost. */
  private static StreamId fencesOf(StreamId array) {
    return StreamId.named(BytesStore.nameOfFences(array));
  }

  /** Returns the array. */
  public VersionedBytes array() {
    return array;
  }

  /** Returns the number of take-overs of the array up to this writer's. */
  public long epoch() {
    return epoch;
  }

  /**
   * Appends changes as one entry: other clients see all of them, or none. Returns at once, unless
   * too much is in flight: it reads nothing. The order of appends that are in flight together is
   * undefined.
   *
   * @param changes 1 to {@link #MAX_CHANGES} changes, each made behind the one before. Their data
   *     is copied once, before this returns; at most {@link BytesOptions#maxEntryBytes} together.
   * @param note at most 255 bytes that the version keeps
   * @return the outcome, once the entry is durable, its order is known, and {@link #view} includes
   *     it. The future is completed on a thread that may block, but later appends wait for it. It
   *     fails as those of {@link corfu.runtime.Log} do: after an {@link
   *     corfu.runtime.AppendOutcomeUnknownException}, later versions may have the changes.
   * @throws IllegalStateException if this writer was {@linkplain #release released}
   */
  public CompletableFuture<WriteOutcome> append(List<RangeChange> changes, ByteBuffer note) {
    return appendData(new BatchData(changes.stream().map(ArrayWriter::data).toList()), note);
  }

  private static BatchData.Change data(RangeChange change) {
    return switch (change) {
      case RangeChange.Write(long offset, ByteBuffer data) ->
          new BatchData.Change.Write(offset, data);
      case RangeChange.Punch(long offset, long length) ->
          new BatchData.Change.Punch(offset, length);
      case RangeChange.Resize(long size) -> new BatchData.Change.Resize(size);
    };
  }

  /** Appends changes, moves among them. */
  CompletableFuture<WriteOutcome> appendData(BatchData data, ByteBuffer note) {
    int most = store.options().maxEntryBytes();
    if (data.bytes() > most) {
      throw new IllegalArgumentException(
          "the changes of one append have at most %d bytes of data, not %d: append several times"
              .formatted(most, data.bytes()));
    }
    if (isClosed.get()) {
      throw new IllegalStateException(
          "the writer of epoch %d of the byte array of stream %s was released: take over again"
              .formatted(epoch(), array.id()));
    }
    RecordCodec.EncodedBatch batch =
        RecordCodec.encode(note, epoch(), nextNumber.getAndIncrement(), data);
    return player.append(batch.payload(), batch.decoded());
  }

  /**
   * Returns the newest version: it includes every append that has ended. Asks nobody. A fenced
   * writer returns the version at which it was fenced, or a later one.
   */
  public BytesView view() {
    return store.view(player.state(), array.origin());
  }

  // ------------------------------------------------------------------------------------- fencing

  /** Returns the writer that has taken over, if this one has heard of it. */
  public Optional<Owner> fencedBy() {
    return player.fencedBy();
  }

  /**
   * Calls a receiver once, when this writer learns that another one has taken over. The cluster
   * pushes this. If the push gets lost, the next append tells.
   *
   * @param receiver the receiver, called on any thread, perhaps before this returns; it must not
   *     block
   */
  public void onFenced(Consumer<Owner> receiver) {
    Optional<Owner> known;
    lock.lock();
    try {
      known = player.fencedBy();
      if (known.isEmpty()) {
        receivers.add(receiver);
        if (subscription.isEmpty() && !isClosed.get()) {
          subscription = Optional.of(subscribe());
        }
      }
    } finally {
      lock.unlock();
    }
    known.ifPresent(receiver);
  }

  private Subscription subscribe() {
    return store
        .streams()
        .open(fencesOf(array.id()))
        .subscribe(fencesFrom, (StreamRead.Entry entry) -> player.expectFence());
  }

  private void hasBeenFenced(Owner by) {
    List<Consumer<Owner>> told;
    lock.lock();
    try {
      told = List.copyOf(receivers);
      receivers.clear();
    } finally {
      lock.unlock();
    }
    end();
    told.forEach(receiver -> receiver.accept(by));
  }

  private void end() {
    array.isNotWrittenBy(player);
    Optional<Subscription> open;
    lock.lock();
    try {
      open = subscription;
      subscription = Optional.empty();
    } finally {
      lock.unlock();
    }
    open.ifPresent(Subscription::close);
  }

  /**
   * Leaves the array without a writer. Waits for the appends in flight, and writes a checkpoint, so
   * that the next start is quick. Does nothing if another writer has taken over, or if it was
   * called before.
   */
  public void release() {
    if (!isClosed.compareAndSet(false, true)) {
      return;
    }
    player.awaitAppends();
    BytesRecord leave = new BytesRecord.GiveUp(epoch());
    var content = new RecordCodec.Decoded(NO_NOTE, leave);
    WriteOutcome outcome;
    try {
      outcome = join(player.append(RecordCodec.encode(NO_NOTE, leave), content));
    } finally {
      end(); // it appends nothing more, whether the log has its leave or not
    }
    if (outcome instanceof WriteOutcome.Written) {
      writeCheckpoint(player.state());
    }
  }

  private boolean writeCheckpoint(BytesState state) {
    return store
        .maps()
        .onState(
            state,
            array.origin(),
            whole -> {
              store.writeCheckpoint(whole);
              return true;
            },
            found -> {});
  }

  private static <T> T join(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  /** Returns whether this writer has left, or is fenced as far as it knows. */
  boolean isOver() {
    return isClosed.get() || player.fencedBy().isPresent();
  }

  /** Returns the player of the writer's states. */
  WriterPlayer player() {
    return player;
  }

  /** Writes a checkpoint in the background when it is worth its size. */
  private final class CheckpointTimes implements StateListener {

    private final CheckpointPace pace = new CheckpointPace(store.options().checkpointsFrom());
    private final AtomicBoolean isBusy = new AtomicBoolean();

    @Override
    public void onApplied(
        BytesState before, BytesState.Entry entry, BytesState after, int payloadBytes) {
      pace.add(payloadBytes);
      if (!isBusy.get() && pace.takeDue(() -> store.checkpoints().size(after).changed())) {
        isBusy.set(true);
        store.start(() -> write(after));
      }
    }

    private boolean write(BytesState state) {
      try {
        return writeCheckpoint(state);
      } catch (CorfuException | VersionForgottenException later) {
        return false; // it only saves time; the next one may succeed
      } finally {
        isBusy.set(false);
      }
    }

    @Override
    public void onSkipped() {
      pace.restart();
    }
  }

  private final class Cluster implements WriterCluster {

    private final LogStream stream;

    Cluster(LogStream stream) {
      this.stream = stream;
    }

    @Override
    public CompletableFuture<StreamAppend.Appended> append(ByteBuffer payload) {
      return stream
          .appendAsync(payload)
          .whenComplete(
              (appended, failure) -> {
                if (appended != null) {
                  store.hasAppended(appended.address());
                }
              });
    }

    @Override
    public StreamEnds ends() {
      return store.end(array.id());
    }

    @Override
    public boolean isCheckpointedFrom(long place) {
      Checkpoints.Found found = store.checkpoints().newest(array.id(), Long.MAX_VALUE, place + 1);
      return found.checkpoint().isPresent() || found.isForgotten();
    }

    @Override
    public BytesState newest() {
      return array.newestState();
    }

    @Override
    public BytesState again(BytesState lost) {
      return store.maps().again(lost, array.origin());
    }

    @Override
    public <T> T withMaps(Supplier<T> call) {
      return store.maps().withMaps(array.id(), call);
    }

    @Override
    public void start(Supplier<Boolean> task) {
      store.start(task);
    }
  }
}
