package corfu.bytes.internal.writer;

import corfu.bytes.Owner;
import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Orders the appends of an array's only writer, and applies them to the writer's state.
 *
 * <p>An append that is in the log counts only if no other take-over is in front of it. Each entry
 * has a place in the stream, and the writer knows its own places. As long as these follow each
 * other without a gap, nothing else can be between them, and nobody needs to be asked. A gap is a
 * lost token, or an entry of somebody else. So the writer waits for those of its appends that may
 * still fill the gap, and then reads the stream. Thread-safe.
 */
public final class WriterPlayer {

  private final WriterCluster cluster;
  private final EntryDecoder decoder;
  private final HeadReader reader; // only for the thread that plays
  private final long epoch;
  private final Consumer<Owner> whenFenced;

  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final TreeMap<Long, WriterAppend> inFlight = new TreeMap<>(); // by their tickets
  private final TreeMap<Long, WriterAppend> waiting = new TreeMap<>(); // in the log, by place
  private final Map<Long, WriterAppend> unsettled = new HashMap<>(); // batches by their numbers
  private final List<WriterAppend> doubtful = new ArrayList<>();
  private final List<StateListener> listeners = new ArrayList<>();
  private long nextTicket;
  private boolean isPlaying;
  private boolean isFenceExpected;
  private Optional<Owner> fencedBy;
  private OptionalLong fencedAt = OptionalLong.empty(); // its log address, if that is known
  private boolean isStreamRead = true; // else the state came from another client's checkpoint
  private boolean hasLeft;
  private Epoch decidedIn = Epoch.NONE; // the epoch in which the following place was told
  private long decidedEnd; // all places below are decided; the state has what was there
  private volatile BytesState state;

  /**
   * @param state the state behind the writer's take-over, or a state of its successor
   * @param isFenced whether it is the latter
   * @param reader a reader of the array's stream from there on
   * @param whenFenced receives the successor, once
   */
  public WriterPlayer(
      WriterCluster cluster,
      EntryDecoder decoder,
      HeadReader reader,
      BytesState state,
      boolean isFenced,
      Consumer<Owner> whenFenced) {
    this.cluster = cluster;
    this.decoder = decoder;
    this.reader = reader;
    this.state = state;
    this.epoch = state.writer().epoch() - (isFenced ? 1 : 0);
    this.fencedBy = isFenced ? Optional.of(state.writer().lastHolder()) : Optional.empty();
    this.whenFenced = whenFenced;
  }

  /** Returns the state behind the newest append whose outcome is known. */
  public BytesState state() {
    return state;
  }

  /** Returns the successor, if the writer knows of one. */
  public Optional<Owner> fencedBy() {
    lock.lock();
    try {
      return fencedBy;
    } finally {
      lock.unlock();
    }
  }

  /** Adds a listener. It receives all that follows the returned state. */
  public BytesState listen(StateListener listener) {
    lock.lock();
    try {
      listeners.add(listener);
      return state;
    } finally {
      lock.unlock();
    }
  }

  /** Removes a listener. */
  public void unlisten(StateListener listener) {
    lock.lock();
    try {
      listeners.remove(listener);
    } finally {
      lock.unlock();
    }
  }

  // ---------------------------------------------------------------------------------- appending

  /**
   * Appends an entry.
   *
   * @param content the same as {@code payload}, decoded: a batch, or the writer's leave
   */
  public CompletableFuture<WriteOutcome> append(ByteBuffer payload, RecordCodec.Decoded content) {
    WriterAppend append;
    lock.lock();
    try {
      if (fencedBy.isPresent()) {
        return CompletableFuture.completedFuture(new WriteOutcome.Fenced(fencedBy.get()));
      }
      append = new WriterAppend(nextTicket++, content, payload.remaining());
      inFlight.put(append.ticket, append);
      number(content).ifPresent(number -> unsettled.put(number, append));
    } finally {
      lock.unlock();
    }
    CompletableFuture<StreamAppend.Appended> sent;
    try {
      sent = cluster.append(payload);
    } catch (RuntimeException refused) {
      sent = CompletableFuture.failedFuture(refused);
    }
    var unused = sent.whenComplete((appended, failure) -> ended(append, appended, failure));
    return append.done;
  }

  /** Waits until the outcomes of all appends so far are known. */
  public void awaitAppends() {
    List<CompletableFuture<WriteOutcome>> all = new ArrayList<>();
    lock.lock();
    try {
      inFlight.values().forEach(append -> all.add(append.done));
      waiting.values().forEach(append -> all.add(append.done));
      doubtful.forEach(append -> all.add(append.done));
    } finally {
      lock.unlock();
    }
    all.forEach(done -> done.handle((outcome, failure) -> true).join());
  }

  private Optional<Long> number(RecordCodec.Decoded content) {
    return content.record() instanceof BytesRecord.Batch batch && batch.epoch() == epoch
        ? Optional.of(batch.sequence())
        : Optional.empty();
  }

  private void ended(
      WriterAppend append, StreamAppend.@Nullable Appended appended, @Nullable Throwable failure) {
    inOrder(
        then -> {
          inFlight.remove(append.ticket);
          if (append.isSettled) {
            return; // the stream told it before
          }
          if (appended != null) {
            append.appended = Optional.of(appended);
          }
          if (fencedBy.isPresent()) {
            endFenced(append, Optional.ofNullable(appended).map(entry -> entry.address()), then);
          } else if (hasLeft) {
            endLeft(append, then);
          } else if (appended != null) {
            append.laterFrom = nextTicket;
            waiting.put(appended.in(state.stream()).value(), append);
            applyWaiting(then);
          } else if (cause(failure) instanceof AppendOutcomeUnknownException unknown) {
            append.doubtful = Optional.of(unknown.address());
            doubtful.add(append);
          } else {
            fail(append, cause(failure), then);
          }
        });
  }

  private static RuntimeException cause(@Nullable Throwable failure) {
    Throwable cause =
        failure instanceof CompletionException && failure.getCause() != null
            ? failure.getCause()
            : failure;
    return cause instanceof RuntimeException known ? known : new IllegalStateException(cause);
  }

  @FunctionalInterface
  private interface Step {
    void run(List<Runnable> then);
  }

  /** Changes the player's state, then completes futures without the lock, and plays if needed. */
  private void inOrder(Step step) {
    List<Runnable> then = new ArrayList<>(1);
    boolean isPlayNeeded;
    lock.lock();
    try {
      step.run(then);
      isPlayNeeded = isPlayNeeded();
      isPlaying |= isPlayNeeded;
    } finally {
      lock.unlock();
    }
    then.forEach(Runnable::run);
    if (isPlayNeeded) {
      cluster.start(this::play);
    }
  }

  private boolean isPlayNeeded() {
    if (isPlaying || fencedBy.isPresent() || hasLeft) {
      return false;
    }
    boolean isGapFinal =
        !waiting.isEmpty()
            && (inFlight.isEmpty()
                || inFlight.firstKey() >= waiting.firstEntry().getValue().laterFrom);
    return isGapFinal || !doubtful.isEmpty() || isFenceExpected;
  }

  private void applyWaiting(List<Runnable> then) {
    while (!waiting.isEmpty()) {
      WriterAppend append = waiting.firstEntry().getValue();
      BytesState.Entry entry = append.entry(state.stream());
      if (isNext(append)) {
        apply(entry, append.payloadBytes, then);
      } else if (entry.place() >= state.place()) {
        return;
      }
      waiting.remove(entry.place());
      settle(append, written(entry.address()), then);
    }
  }

  private boolean isNext(WriterAppend append) {
    StreamAppend.Appended entry = append.appended.orElseThrow();
    long place = entry.in(state.stream()).value();
    return place == state.place()
        || (place == decidedEnd && place > state.place() && entry.epoch().equals(decidedIn));
  }

  private static WriteOutcome written(long at) {
    return new WriteOutcome.Written(new Address(at + 1));
  }

  private void settle(WriterAppend append, WriteOutcome outcome, List<Runnable> then) {
    forget(append);
    then.add(() -> append.done.complete(outcome));
  }

  private void fail(WriterAppend append, RuntimeException failure, List<Runnable> then) {
    forget(append);
    then.add(() -> append.done.completeExceptionally(failure));
  }

  private void forget(WriterAppend append) {
    append.isSettled = true;
    number(append.content).ifPresent(unsettled::remove);
  }

  /** Applies the next entry of the stream, whoever appended it. */
  private void apply(BytesState.Entry entry, int payloadBytes, List<Runnable> then) {
    BytesState before = state;
    BytesState after = before.after(entry);
    state = after;
    listeners.forEach(listener -> listener.onApplied(before, entry, after, payloadBytes));
    if (!after.writer().isHeldIn(epoch)) {
      end(after.writer(), then);
    }
  }

  /** The writer is the array's writer no longer: nothing behind this has an effect. */
  private void end(WriterMark mark, List<Runnable> then) {
    if (mark.epoch() == epoch) {
      hasLeft = true;
      List.copyOf(waiting.values()).forEach(append -> endLeft(append, then));
      doubtful.forEach(append -> endLeft(append, then));
      waiting.clear();
      doubtful.clear();
      return;
    }
    Owner successor = mark.lastHolder();
    fencedBy = Optional.of(successor);
    fencedAt =
        mark.isHeld() && mark.epoch() == epoch + 1
            ? OptionalLong.of(mark.since())
            : OptionalLong.empty();
    for (WriterAppend append : List.copyOf(waiting.values())) {
      endFenced(append, append.appended.map(StreamAppend.Appended::address), then);
    }
    doubtful.forEach(append -> endFenced(append, append.doubtful, then));
    waiting.clear();
    doubtful.clear();
    then.add(() -> whenFenced.accept(successor));
  }

  /** Ends the writer's leave, or an append beside it. */
  private void endLeft(WriterAppend append, List<Runnable> then) {
    long leftAt = state.writer().since();
    boolean isBefore = append.appended.map(entry -> entry.address().value() < leftAt).orElse(false);
    if (append.content.record() instanceof BytesRecord.GiveUp) {
      settle(append, written(leftAt), then);
    } else if (isBefore) {
      settle(append, written(append.entry(state.stream()).address()), then);
    } else {
      fail(append, new IllegalStateException("the writer was released; take over again"), then);
    }
  }

  /**
   * Ends an append that no state has: its entry does not exist, or is behind the take-over, or
   * somebody has trimmed what tells.
   */
  private void endFenced(WriterAppend append, Optional<Address> at, List<Runnable> then) {
    if (isStreamRead || at.isEmpty() || at.get().value() > fencedAt.orElse(Long.MAX_VALUE)) {
      settle(append, new WriteOutcome.Fenced(fencedBy.orElseThrow()), then);
    } else if (fencedAt.isPresent() && append.appended.isPresent()) {
      settle(append, written(at.get().value()), then);
    } else {
      fail(append, new AppendOutcomeUnknownException(at.get(), "the stream is trimmed"), then);
    }
  }

  // ------------------------------------------------------------------------------------ playing

  /** Tells the player that another writer has probably taken over. */
  public void expectFence() {
    inOrder(then -> isFenceExpected = true);
  }

  private boolean play() {
    Optional<RuntimeException> failure = Optional.empty();
    try {
      playOn();
    } catch (RuntimeException notNow) {
      failure = Optional.of(notNow);
    }
    Optional<RuntimeException> failed = failure;
    inOrder(
        then -> {
          isPlaying = false;
          failed.ifPresent(reason -> giveUp(reason, then));
        });
    return failure.isEmpty();
  }

  /** The order of the entries is not known now. They may count, or not. */
  private void giveUp(RuntimeException reason, List<Runnable> then) {
    waiting
        .values()
        .forEach(
            append -> {
              Address address = append.appended.orElseThrow().address();
              fail(append, unknown(address, reason), then);
            });
    waiting.clear();
    doubtful.forEach(append -> fail(append, unknown(append.doubtful.orElseThrow(), reason), then));
    doubtful.clear();
    isFenceExpected = false;
  }

  private static RuntimeException unknown(Address address, RuntimeException reason) {
    return new AppendOutcomeUnknownException(
        address, "the entries in front of it could not be read: " + reason.getMessage());
  }

  private void playOn() {
    BytesState from = begin();
    reader.skipTo(new StreamAddress(from.place()), from.version());
    StreamEnds ends = cluster.ends();
    reader.sync(ends);
    while (!isOver()) {
      switch (reader.readNext()) {
        case HeadRead.Head head -> {
          Optional<RecordCodec.Decoded> content = decoder.decode(head);
          if (content.isEmpty() || isTrimmedBefore(head.streamAddress())) {
            skip();
            return;
          }
          inOrder(then -> applyRead(head, content.get(), then));
        }
        case HeadRead.Trimmed trimmed -> {
          skip();
          return;
        }
        case HeadRead.Absent end -> {
          if (isTrimmedBefore(ends.end(from.stream()))) {
            skip();
          } else {
            inOrder(then -> finish(ends, then));
          }
          return;
        }
      }
    }
  }

  /** A place without an entry was never written, or its entry is trimmed: perhaps a take-over. */
  private boolean isTrimmedBefore(StreamAddress place) {
    BytesState now = state;
    return place.value() > now.place() && cluster.isCheckpointedFrom(now.place());
  }

  private BytesState begin() {
    lock.lock();
    try {
      isFenceExpected = false;
      return state;
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return fencedBy.isPresent() || hasLeft;
    } finally {
      lock.unlock();
    }
  }

  private void applyRead(HeadRead.Head head, RecordCodec.Decoded content, List<Runnable> then) {
    long place = head.streamAddress().value();
    if (place < state.place() || fencedBy.isPresent() || hasLeft) {
      return; // it completed meanwhile, and its turn has come
    }
    Optional<WriterAppend> here = Optional.ofNullable(waiting.remove(place));
    Optional<WriterAppend> own = // a leave has no number
        number(content)
            .flatMap(number -> Optional.ofNullable(unsettled.get(number)))
            .or(() -> here);
    own.ifPresent(doubtful::remove);
    apply(new BytesState.Entry(head.address().value(), place, content), head.payloadBytes(), then);
    own.ifPresent(append -> settle(append, written(head.address().value()), then));
    applyWaiting(then);
  }

  /** All is applied up to these ends. */
  private void finish(StreamEnds ends, List<Runnable> then) {
    decidedIn = ends.epoch();
    decidedEnd = ends.end(state.stream()).value();
    long decidedBelow = reader.foundBelow().value();
    for (WriterAppend append : List.copyOf(doubtful)) {
      Address address = append.doubtful.orElseThrow();
      fail(
          append,
          address.value() < decidedBelow
              ? new UnavailableException(
                  "the append to address %s was lost; nothing was changed".formatted(address))
              : new AppendOutcomeUnknownException(address, "no server has told"),
          then);
    }
    doubtful.clear();
    applyWaiting(then);
  }

  /** Entries behind the state are trimmed, so somebody has taken their effect into a checkpoint. */
  private void skip() {
    BytesState newest = cluster.newest();
    inOrder(
        then -> {
          if (newest.place() <= state.place()) {
            return;
          }
          state = newest;
          isStreamRead = false;
          listeners.forEach(StateListener::onSkipped);
          if (!newest.writer().isHeldIn(epoch)) {
            end(newest.writer(), then);
            return;
          }
          applyWaiting(then);
        });
  }
}
