package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An append on its way. It belongs to one batch at a time, so to one thread.
 *
 * <p>Its life: no token; a token, and the entry made for that address; accepted by the head, which
 * decides (R1); written to replica after replica; complete. A token dies with its epoch unless the
 * head has accepted its entry (R2).
 */
final class PendingAppend {

  final AppendId id;
  final ByteBuffer payload;
  final Deadline deadline;
  final CompletableFuture<Address> done = new CompletableFuture<>();

  private @Nullable Entry entry;
  private Epoch epoch = Epoch.NONE;
  private int written;
  private boolean accepted;
  private boolean headInDoubt;
  private @Nullable Deadline writeBy;

  PendingAppend(AppendId id, ByteBuffer payload, Deadline deadline) {
    this.id = id;
    this.payload = payload;
    this.deadline = deadline;
  }

  boolean needsToken() {
    return entry == null;
  }

  /**
   * @param writeFirstBy when readers may take the writer for gone: a token that has got so old
   *     before anybody was asked to write is not worth trying
   */
  void take(long token, Epoch tokenEpoch, Deadline writeFirstBy) {
    writeBy = writeFirstBy;
    entry = Entry.data(token, id, payload);
    epoch = tokenEpoch;
    written = 0;
    accepted = false;
    headInDoubt = false;
  }

  /** The token is lost: somebody else's entry, or a hole, is there, or its epoch is over. */
  void dropToken() {
    entry = null;
    accepted = false;
    headInDoubt = false;
  }

  Entry entry() {
    if (entry == null) {
      throw new IllegalStateException("append " + id + " has no token yet");
    }
    return entry;
  }

  Address address() {
    return new Address(entry().address());
  }

  /** Whether readers may have filled the token's address by now, and nobody has the entry. */
  boolean isTooLate() {
    return entry != null && !mayHappen() && writeBy != null && writeBy.hasPassed();
  }

  /** Whether the token is of another epoch than this. */
  boolean isOfOtherEpoch(Epoch current) {
    return entry != null && !epoch.equals(current);
  }

  Endpoint nextReplica(Layout layout) {
    return chain(layout).replicas().get(written);
  }

  boolean isAtHead() {
    return written == 0;
  }

  /** The replica whose turn it is holds the entry. */
  void wrote(Layout layout) {
    accepted = true;
    headInDoubt = false;
    written++;
    if (written == chain(layout).replicas().size()) {
      done.complete(address());
    }
  }

  /** The head was asked to write, and it is not known whether it did. */
  void doubt() {
    headInDoubt |= isAtHead() && !accepted;
  }

  boolean isHeadInDoubt() {
    return headInDoubt;
  }

  boolean isAccepted() {
    return accepted;
  }

  /** Whether somebody may still see this append, though it has not been acknowledged. */
  boolean mayHappen() {
    return entry != null && (accepted || headInDoubt);
  }

  private Chain chain(Layout layout) {
    return layout.chainOf(entry().address());
  }
}
