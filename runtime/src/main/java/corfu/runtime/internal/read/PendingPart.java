package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.EntryBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.layout.Chain;
import corfu.runtime.Deadline;
import corfu.runtime.EntryPart;
import corfu.runtime.LogEntry;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** An unfinished read of a part of an entry. For one thread at a time. */
final class PendingPart {

  final PayloadRange range;
  final Deadline deadline;
  final CompletableFuture<EntryPart> done = new CompletableFuture<>();

  /** The number of replicas, from the tail of the chain on, that have no readable copy. */
  private int unreadable;

  PendingPart(PayloadRange range, Deadline deadline) {
    this.range = range;
    this.deadline = deadline;
  }

  long address() {
    return range.address();
  }

  /**
   * Returns the replica to ask: the tail of the chain first, then the replicas before it. Empty if
   * none is left.
   */
  Optional<Endpoint> replica(Chain chain) {
    int index = chain.replicas().size() - 1 - unreadable;
    return index < 0 ? Optional.empty() : Optional.of(chain.replicas().get(index));
  }

  /** The replica that was asked has no readable copy of the part. The entry is complete. */
  void isUnreadable() {
    unreadable++;
  }

  /** Ends the read with blocks that cover the range. */
  void complete(EntryBlocks blocks) {
    complete(blocks.payloadBytes(), blocks.payload(range));
  }

  /**
   * Ends the read with the part of a whole entry. Copies the part, so that the rest is not kept.
   */
  void complete(LogEntry entry) {
    Address address = entry.address();
    switch (entry) {
      case LogEntry.Data data -> {
        ByteBuffer payload = data.payload();
        int payloadBytes = payload.remaining();
        int start = range.startIn(payloadBytes);
        byte[] part = new byte[range.endIn(payloadBytes) - start];
        payload.get(payload.position() + start, part);
        complete(payloadBytes, ByteBuffer.wrap(part));
      }
      case LogEntry.Hole hole -> done.complete(new EntryPart.Hole(address));
      case LogEntry.Trimmed trimmed -> done.complete(new EntryPart.Trimmed(address));
      case LogEntry.Unwritten unwritten -> done.complete(new EntryPart.Unwritten(address));
    }
  }

  private void complete(int payloadBytes, ByteBuffer part) {
    done.complete(
        new EntryPart.Data(
            new Address(address()), payloadBytes, range.startIn(payloadBytes), part));
  }
}
