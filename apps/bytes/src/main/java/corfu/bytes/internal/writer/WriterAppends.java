package corfu.bytes.internal.writer;

import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * The appends of a writer whose outcomes are not known. Futures are completed by tasks, which the
 * caller runs without its lock. Guarded by the lock of the player.
 */
final class WriterAppends {

  private final long epoch;
  private final TreeMap<Long, WriterAppend> inFlight = new TreeMap<>(); // by their tickets
  private final TreeMap<Long, WriterAppend> waiting = new TreeMap<>(); // in the log, by place
  private final Map<Long, WriterAppend> unsettled = new HashMap<>(); // batches by their numbers
  private final List<WriterAppend> doubtful = new ArrayList<>();
  private long nextTicket;

  WriterAppends(long epoch) {
    this.epoch = epoch;
  }

  /** Begins an append. */
  WriterAppend begin(RecordCodec.Decoded content, int payloadBytes) {
    var append = new WriterAppend(nextTicket++, content, payloadBytes);
    inFlight.put(append.ticket, append);
    number(content).ifPresent(number -> unsettled.put(number, append));
    return append;
  }

  private Optional<Long> number(RecordCodec.Decoded content) {
    return content.record() instanceof BytesRecord.Batch batch && batch.epoch() == epoch
        ? Optional.of(batch.sequence())
        : Optional.empty();
  }

  /** Returns the futures of all appends. */
  List<CompletableFuture<WriteOutcome>> futures() {
    List<CompletableFuture<WriteOutcome>> all = new ArrayList<>();
    inFlight.values().forEach(append -> all.add(append.done));
    waiting.values().forEach(append -> all.add(append.done));
    doubtful.forEach(append -> all.add(append.done));
    return all;
  }

  /** The append's request has ended. */
  void hasEnded(WriterAppend append) {
    inFlight.remove(append.ticket);
  }

  /** The entry of an append is in the log, and waits for its turn. */
  void awaitTurn(WriterAppend append, long place) {
    append.laterFrom = nextTicket;
    waiting.put(place, append);
  }

  /** The entry of an append may be at this address. */
  void isDoubtful(WriterAppend append, Address at) {
    append.doubtful = Optional.of(at);
    doubtful.add(append);
  }

  boolean isAnyDoubtful() {
    return !doubtful.isEmpty();
  }

  /** Returns the first of the appends in the log. */
  Optional<WriterAppend> first() {
    return Optional.ofNullable(waiting.firstEntry()).map(Map.Entry::getValue);
  }

  /** Returns whether no append in flight can fill the gap in front of the first in the log. */
  boolean isGapFinal() {
    return !waiting.isEmpty()
        && (inFlight.isEmpty() || inFlight.firstKey() >= waiting.firstEntry().getValue().laterFrom);
  }

  /** Returns the records that are in the log. */
  List<BytesRecord> waitingRecords() {
    return waiting.values().stream().map(append -> append.content.record()).toList();
  }

  /** Removes the append at a place of the log, which the state has. */
  void remove(long place) {
    waiting.remove(place);
  }

  /** Removes and returns the append of an entry that was read, if it is one of this writer. */
  Optional<WriterAppend> takeRead(BytesState.Entry entry) {
    Optional<WriterAppend> here = Optional.ofNullable(waiting.remove(entry.place()));
    Optional<WriterAppend> own = // a leave has no number
        number(entry.content())
            .flatMap(number -> Optional.ofNullable(unsettled.get(number)))
            .or(() -> here);
    own.ifPresent(doubtful::remove);
    return own;
  }

  /** Removes and returns the appends whose entries may exist. */
  List<WriterAppend> takeDoubtful() {
    List<WriterAppend> taken = List.copyOf(doubtful);
    doubtful.clear();
    return taken;
  }

  /** Removes and returns the appends in the log. */
  List<WriterAppend> takeWaiting() {
    List<WriterAppend> taken = List.copyOf(waiting.values());
    waiting.clear();
    return taken;
  }

  /** Ends an append. */
  void settle(WriterAppend append, WriteOutcome outcome, List<Runnable> then) {
    forget(append);
    then.add(() -> append.done.complete(outcome));
  }

  /** Ends an append with a failure. */
  void fail(WriterAppend append, RuntimeException failure, List<Runnable> then) {
    forget(append);
    then.add(() -> append.done.completeExceptionally(failure));
  }

  private void forget(WriterAppend append) {
    append.isSettled = true;
    number(append.content).ifPresent(unsettled::remove);
  }

  /** The order of the entries is not known now. They may count, or not. */
  void giveUp(RuntimeException reason, List<Runnable> then) {
    for (WriterAppend append : takeWaiting()) {
      fail(append, unknown(append.appended.orElseThrow().address(), reason), then);
    }
    for (WriterAppend append : takeDoubtful()) {
      fail(append, unknown(append.doubtful.orElseThrow(), reason), then);
    }
  }

  private static RuntimeException unknown(Address address, RuntimeException reason) {
    return new AppendOutcomeUnknownException(
        address, "the entries in front of it could not be read: " + reason.getMessage());
  }

  /** The stream was read up to its end, and has none of the appends whose entries may exist. */
  void giveUpDoubtful(Address decidedBelow, List<Runnable> then) {
    for (WriterAppend append : takeDoubtful()) {
      Address address = append.doubtful.orElseThrow();
      fail(
          append,
          address.compareTo(decidedBelow) < 0
              ? new UnavailableException(
                  "the append to address %s was lost; nothing was changed".formatted(address))
              : new AppendOutcomeUnknownException(address, "no server has told"),
          then);
    }
  }

  /** Returns the outcome of an append whose entry has an effect. */
  static WriteOutcome written(long address) {
    return new WriteOutcome.Written(new Address(address + 1));
  }

  /** Returns where an append's entry is, if it is in the log. */
  static Optional<Address> address(WriterAppend append) {
    return append.appended.map(StreamAppend.Appended::address);
  }

  /** Returns the place of an append that is in the log. */
  static long place(WriterAppend append, StreamId stream) {
    return append.appended.orElseThrow().in(stream).value();
  }
}
