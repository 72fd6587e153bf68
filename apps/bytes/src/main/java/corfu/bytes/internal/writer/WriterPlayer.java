package corfu.bytes.internal.writer;

import corfu.bytes.Owner;
import corfu.bytes.VersionForgottenException;
import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
 * still fill the gap, and then reads the stream.
 *
 * <p>The map of a state may load pages. So entries are applied on a thread of their own, without
 * the lock. There is one such thread at a time, and nothing else changes the state. Thread-safe.
 */
public final class WriterPlayer {

  private final WriterCluster cluster;
  private final EntryDecoder decoder;
  private final HeadReader reader; // only for the thread that plays
  private final long epoch;

  private final ReentrantLock lock = new ReentrantLock(); // never held during a call
  private final WriterAppends appends;
  private boolean isWorking; // a thread applies entries, or begins to
  private boolean isFenceExpected;
  private final WriterEnd end;
  private Epoch decidedIn = Epoch.NONE; // the epoch in which the following place was told
  private long decidedEnd; // all places below are decided; the state has what was there

  private final WriterState state;

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
    this.state = new WriterState(cluster, state);
    this.epoch = state.writer().epoch() - (isFenced ? 1 : 0);
    this.appends = new WriterAppends(epoch);
    this.end = new WriterEnd(epoch, appends, whenFenced);
    if (isFenced) {
      end.isFencedFromBeginning(state.writer());
    }
  }

  /** Returns the state behind the newest append whose outcome is known. */
  public BytesState state() {
    return state.get();
  }

  /** Returns the same state, unless pages of its map may be trimmed. */
  public Optional<BytesState> wholeState() {
    return state.whole();
  }

  /** Pages of some map of this client were trimmed: the writer finds its own map anew. */
  public void isMapLost() {
    inOrder(then -> state.isLost());
  }

  /** Returns the successor, if the writer knows of one. */
  public Optional<Owner> fencedBy() {
    lock.lock();
    try {
      return end.fencedBy();
    } finally {
      lock.unlock();
    }
  }

  /** Adds a listener. It receives all that follows the returned state. */
  public BytesState listen(StateListener listener) {
    return state.listen(listener);
  }

  /** Removes a listener. */
  public void unlisten(StateListener listener) {
    state.unlisten(listener);
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
      if (end.fencedBy().isPresent()) {
        return CompletableFuture.completedFuture(new WriteOutcome.Fenced(end.fencedBy().get()));
      }
      append = appends.begin(content, payload.remaining());
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
    List<CompletableFuture<WriteOutcome>> all;
    lock.lock();
    try {
      all = appends.futures();
    } finally {
      lock.unlock();
    }
    all.forEach(done -> done.handle((outcome, failure) -> true).join());
  }

  private void ended(
      WriterAppend append, StreamAppend.@Nullable Appended appended, @Nullable Throwable failure) {
    inOrder(
        then -> {
          appends.hasEnded(append);
          if (append.isSettled) {
            return; // the stream told it before
          }
          Optional<Address> doubtful = Optional.empty();
          if (appended != null) {
            append.appended = Optional.of(appended);
          } else if (cause(failure) instanceof AppendOutcomeUnknownException unknown) {
            doubtful = Optional.of(unknown.address());
          }
          Optional<Address> at = doubtful.or(() -> WriterAppends.address(append));
          if (end.fencedBy().isPresent()) {
            end.fence(append, at, then);
          } else if (end.hasLeft()) {
            end.leave(append, at, then);
          } else if (appended != null) {
            appends.awaitTurn(append, appended.in(stream()).value());
          } else if (doubtful.isPresent()) {
            appends.isDoubtful(append, doubtful.get());
          } else {
            appends.fail(append, cause(failure), then);
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

  /** Changes what the lock guards, then completes futures without it. Begins to work if needed. */
  private void inOrder(Step step) {
    List<Runnable> then = new ArrayList<>(1);
    boolean isStart;
    lock.lock();
    try {
      step.run(then);
      isStart = !isWorking && nextWork() != Work.NONE;
      isWorking |= isStart;
    } finally {
      lock.unlock();
    }
    then.forEach(Runnable::run);
    if (isStart) {
      cluster.start(this::work);
    }
  }

  /** The next step of the thread that applies entries. */
  private enum Work {
    FIND_MAP,
    APPLY,
    PLAY,
    NONE
  }

  private Work nextWork() {
    if (end.fencedBy().isPresent()) {
      return Work.NONE;
    }
    if (state.isFindNeeded()) {
      return Work.FIND_MAP;
    }
    return isOneApplicable() ? Work.APPLY : isPlayNeeded() ? Work.PLAY : Work.NONE;
  }

  private Work takeWork() {
    lock.lock();
    try {
      Work next = nextWork();
      isWorking = next != Work.NONE;
      return next;
    } finally {
      lock.unlock();
    }
  }

  /** Works until nothing is left to do. */
  private boolean work() {
    for (Work next = takeWork(); next != Work.NONE; next = takeWork()) {
      try {
        switch (next) {
          case FIND_MAP -> state.tryToFind();
          case APPLY -> applyWaiting();
          case PLAY -> playOn();
          case NONE -> {}
        }
      } catch (VersionForgottenException gone) {
        goOnFromNewest(gone);
      } catch (RuntimeException notNow) {
        inOrder(then -> giveUp(notNow, then));
      }
    }
    return true;
  }

  private boolean isOneApplicable() {
    return appends
        .first()
        .filter(append -> isNext(append) || WriterAppends.place(append, stream()) < place())
        .isPresent();
  }

  private boolean isPlayNeeded() {
    if (end.hasLeft()) {
      return false;
    }
    return appends.isGapFinal() || appends.isAnyDoubtful() || isFenceExpected;
  }

  private long place() {
    return state.get().place();
  }

  private StreamId stream() {
    return state.get().stream();
  }

  /** Applies own entries that have no gap in front of them. */
  private void applyWaiting() {
    prepareWaiting();
    while (true) {
      Optional<WriterAppend> next = nextWaiting();
      if (next.isEmpty()) {
        return;
      }
      WriterAppend append = next.get();
      BytesState.Entry entry = append.entry(stream());
      Step settled =
          then -> {
            appends.remove(entry.place());
            appends.settle(append, WriterAppends.written(entry.address()), then);
          };
      if (entry.place() < place()) {
        inOrder(settled); // the state has it already
      } else {
        advance(entry, append.payloadBytes, settled);
      }
    }
  }

  private Optional<WriterAppend> nextWaiting() {
    lock.lock();
    try {
      return isOneApplicable() ? appends.first() : Optional.empty();
    } finally {
      lock.unlock();
    }
  }

  private void prepareWaiting() {
    List<BytesRecord> next;
    lock.lock();
    try {
      next = appends.waitingRecords();
    } finally {
      lock.unlock();
    }
    if (next.size() > 1) { // one loads its own pages together
      state.prepare(next);
    }
  }

  private boolean isNext(WriterAppend append) {
    StreamAppend.Appended entry = append.appended.orElseThrow();
    long place = entry.in(stream()).value();
    return place == place()
        || (place == decidedEnd && place > place() && entry.epoch().equals(decidedIn));
  }

  /**
   * Applies the next entry of the stream, whoever appended it. Only the working thread calls it,
   * without the lock.
   */
  private void advance(BytesState.Entry entry, int payloadBytes, Step settled) {
    BytesState after = state.advance(entry, payloadBytes);
    inOrder(
        then -> {
          settled.run(then);
          end.noteWriter(after.writer(), then);
        });
  }

  // ------------------------------------------------------------------------------------ playing

  /** Tells the player that another writer has probably taken over. */
  public void expectFence() {
    inOrder(then -> isFenceExpected = true);
  }

  /** The order of the entries is not known now. They may count, or not. */
  private void giveUp(RuntimeException reason, List<Runnable> then) {
    appends.giveUp(reason, then);
    isFenceExpected = false;
  }

  /** The writer's own version cannot be found any more: most often a successor has trimmed it. */
  private void goOnFromNewest(VersionForgottenException gone) {
    long before = place();
    RuntimeException reason = gone;
    try {
      skip();
    } catch (RuntimeException notNow) {
      reason = notNow;
    }
    if (place() == before) {
      RuntimeException unread = reason;
      inOrder(then -> giveUp(unread, then));
    }
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
          applyRead(head, content.get());
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
    BytesState now = state.get();
    return place.value() > now.place() && cluster.isCheckpointedFrom(now.place());
  }

  private BytesState begin() {
    lock.lock();
    try {
      isFenceExpected = false;
      return state.get();
    } finally {
      lock.unlock();
    }
  }

  private boolean isOver() {
    lock.lock();
    try {
      return end.fencedBy().isPresent() || end.hasLeft();
    } finally {
      lock.unlock();
    }
  }

  private void applyRead(HeadRead.Head head, RecordCodec.Decoded content) {
    long place = head.streamAddress().value();
    if (place >= place()) { // else it was one of the writer's own
      var entry = new BytesState.Entry(head.address().value(), place, content);
      advance(entry, head.payloadBytes(), then -> settleRead(entry, then));
    }
    applyWaiting();
  }

  private void settleRead(BytesState.Entry entry, List<Runnable> then) {
    appends
        .takeRead(entry)
        .ifPresent(append -> appends.settle(append, WriterAppends.written(entry.address()), then));
  }

  /** All is applied up to these ends. */
  private void finish(StreamEnds ends, List<Runnable> then) {
    decidedIn = ends.epoch();
    decidedEnd = ends.end(stream()).value();
    appends.giveUpDoubtful(reader.foundBelow(), then);
  }

  /** Entries behind the state are trimmed, so somebody has taken their effect into a checkpoint. */
  private void skip() {
    long losses = state.losses();
    BytesState newest = cluster.newest();
    inOrder(
        then -> {
          if (newest.place() <= place()) {
            return;
          }
          state.skipTo(newest, losses);
          end.streamIsUnread();
          end.noteWriter(newest.writer(), then);
        });
  }
}
