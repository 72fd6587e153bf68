package corfu.bytes.internal.writer;

import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.StreamAppend;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An append of a writer until its outcome is known. Guarded by the lock of its player. */
final class WriterAppend {

  final CompletableFuture<WriteOutcome> done = new CompletableFuture<>();
  final long ticket; // ascends in the order in which the appends began
  final RecordCodec.Decoded content;
  final int payloadBytes;

  /** The entry, once it is in the log; it may still be behind another writer's. */
  Optional<StreamAppend.Appended> appended = Optional.empty();

  /** Appends from this ticket on began after this one was in the log. */
  long laterFrom;

  /** The place of the entry, if it exists: nobody has told yet. */
  Optional<Address> doubtful = Optional.empty();

  /** Whether the outcome is known. The future is completed soon. */
  boolean isSettled;

  WriterAppend(long ticket, RecordCodec.Decoded content, int payloadBytes) {
    this.ticket = ticket;
    this.content = content;
    this.payloadBytes = payloadBytes;
  }

  /** Returns the entry, which is in the log. */
  BytesState.Entry entry(StreamId stream) {
    StreamAppend.Appended entry = appended.orElseThrow();
    return new BytesState.Entry(entry.address().value(), entry.in(stream).value(), content);
  }
}
