package corfu.runtime.internal.append;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.TokenSeal;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AccessDeniedException;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.AsOf;
import corfu.runtime.Deadline;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An unfinished append. It belongs to one batch at a time, so to one thread.
 *
 * <p>Its states: no token; a token, and the entry made for that address; accepted by the head,
 * which decides (R1); written to replica after replica; complete. A token dies with its epoch
 * unless the head has accepted its entry (R2).
 */
public final class PendingAppend {

  final AppendId id;
  final ByteBuffer payload;
  final Deadline deadline;

  /** Completes with the entry's address, or with the conflict's address if the condition failed. */
  public final CompletableFuture<Address> done = new CompletableFuture<>();

  private CompletableFuture<?> told = done;
  private final TokenWish wish;
  private final AsOf asOf;
  private @Nullable Entry entry;
  private TokenOutcome.@Nullable Conflict conflict;
  private Optional<TokenSeal> seal = Optional.empty();
  private List<Endpoint> path = List.of();
  private Epoch epoch = Epoch.NONE;
  private long lastToken;
  private int written;
  private HeadState head = HeadState.NOT_ASKED;

  PendingAppend(AppendId id, TokenWish wish, AsOf asOf, ByteBuffer payload, Deadline deadline) {
    this.id = id;
    this.wish = wish;
    this.asOf = asOf;
    this.payload = payload;
    this.deadline = deadline;
  }

  /**
   * Sets the future that ends when all listeners have been told. To be called before the append is
   * submitted.
   */
  public void tells(CompletableFuture<?> everybody) {
    told = everybody;
  }

  /** Returns the future that is done when the append is, and all listeners have been told. */
  CompletableFuture<?> told() {
    return told;
  }

  /**
   * Returns the weight towards the bounds on bytes in flight and in a batch. Names of streams and
   * keys weigh, too.
   */
  long weightBytes() {
    return Entry.lengthOf(payload.remaining(), 0) + names() * StreamHeader.BYTES;
  }

  /** Returns the number of streams and keys that the append names to the sequencer. */
  private long names() {
    if (isPlain()) {
      return 0;
    }
    List<StreamPart> read = wish.condition().map(Condition::reads).orElse(List.of());
    return names(wish.writes()) + names(read);
  }

  private static long names(List<StreamPart> parts) {
    long names = parts.size();
    for (StreamPart part : parts) {
      names += part.keys().size();
    }
    return names;
  }

  boolean isPlain() {
    return wish.writes().isEmpty() && wish.condition().isEmpty();
  }

  /**
   * Returns the token request for the sequencer of epoch {@code current}. If that epoch has issued
   * a token for this append before, nothing had changed up to that token. The lost token itself,
   * which no client will ever see, must not count as a change.
   */
  TokenWish wish(Epoch current) {
    if (wish.condition().isEmpty()) {
      return wish;
    }
    Condition condition = wish.condition().get();
    long snapshot = asOf.snapshotIn(current, condition.snapshot());
    if (epoch.equals(current)) {
      snapshot = Math.max(snapshot, lastToken + 1);
    }
    return new TokenWish(wish.writes(), Optional.of(new Condition(snapshot, condition.reads())));
  }

  /** Returns the token's epoch, or {@link Epoch#NONE} before the first token. */
  public Epoch epoch() {
    return epoch;
  }

  /** Returns the conflict that ended the append, or empty if none did. */
  public Optional<TokenOutcome.Conflict> conflict() {
    return Optional.ofNullable(conflict);
  }

  /** Ends the append without a token, because of a conflict. */
  void endBy(TokenOutcome.Conflict reason) {
    conflict = reason;
    done.complete(new Address(reason.address()));
  }

  /** Returns the address of the append's last token, whether lost or not. */
  long lastToken() {
    return lastToken;
  }

  boolean needsToken() {
    return entry == null;
  }

  /** Takes a token, with the proof for log units that this client got it. */
  void take(long token, List<StreamPosition> places, Optional<TokenSeal> proof, Layout layout) {
    seal = proof;
    entry = Entry.data(token, id, headers(places), payload);
    path = layout.path(entry);
    epoch = layout.epoch();
    lastToken = token;
    written = 0;
    head = HeadState.NOT_ASKED;
  }

  private List<StreamHeader> headers(List<StreamPosition> places) {
    if (places.isEmpty()) {
      return List.of();
    }
    List<StreamHeader> headers = new ArrayList<>(places.size());
    for (int i = 0; i < places.size(); i++) {
      StreamPosition place = places.get(i);
      headers.add(
          new StreamHeader(wish.writes().get(i).stream(), place.streamAddress(), place.previous()));
    }
    return headers;
  }

  /** Drops the token: its address holds another entry or a hole, or its epoch is over. */
  void dropToken() {
    entry = null;
    written = 0;
    head = HeadState.NOT_ASKED;
  }

  public Entry entry() {
    if (entry == null) {
      throw new IllegalStateException("append " + id + " has no token yet");
    }
    return entry;
  }

  /** Returns the proof for log units that this client got the token; empty if it needs none. */
  Optional<TokenSeal> seal() {
    return seal;
  }

  public Address address() {
    return new Address(entry().address());
  }

  /** Returns whether the token belongs to another epoch than {@code current}. */
  boolean isOfOtherEpoch(Epoch current) {
    return entry != null && !epoch.equals(current);
  }

  /** Returns the server of the next register to write, in the layout of the token. */
  Endpoint nextReplica() {
    return path.get(written);
  }

  /** Records that the next replica holds the entry. */
  void wrote() {
    head = HeadState.ACCEPTED;
    written++;
    if (written == path.size()) {
      done.complete(address());
    }
  }

  /** Returns whether all registers of the entry hold it. */
  boolean isComplete() {
    return entry != null && written > 0 && written == path.size();
  }

  /** Records that the head was asked to write, and that it is not known whether it did. */
  void doubt() {
    head = head.doubted();
  }

  /** Records that the head refused to write: {@link HeadState#TURNED_DOWN}. */
  void turnDown() {
    head = head.turnedDown();
  }

  /** Returns whether the token may be dropped only after its address has been read. */
  boolean wasTurnedDown() {
    return head == HeadState.TURNED_DOWN;
  }

  boolean isHeadInDoubt() {
    return head == HeadState.IN_DOUBT;
  }

  boolean isAccepted() {
    return head == HeadState.ACCEPTED;
  }

  /**
   * Ends the append with a failure. If it may have happened all the same, the caller is told so.
   */
  void fail(RuntimeException failure) {
    done.completeExceptionally(
        mayHappen()
            ? new AppendOutcomeUnknownException(address(), String.valueOf(failure.getMessage()))
            : failure);
  }

  /**
   * Returns whether this append needs the permission that a server has denied. A denial for no
   * stream is about appends outside of streams, or about the client as a whole.
   */
  boolean needs(AccessDeniedException denied) {
    if (denied.stream().isEmpty()) {
      return denied.permission() != Permission.APPEND_LOG || wish.writes().isEmpty();
    }
    StreamId stream = denied.stream().get();
    return wish.writes().stream().anyMatch(part -> part.stream().equals(stream))
        || wish.condition().stream()
            .flatMap(condition -> condition.reads().stream())
            .anyMatch(part -> part.stream().equals(stream));
  }

  /** Returns whether a client may still see this append, though it has not been acknowledged. */
  boolean mayHappen() {
    return entry != null && head.mayBeVisible();
  }
}
