package corfu.runtime.internal.append;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamHeader;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
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
 * An append on its way. It belongs to one batch at a time, so to one thread.
 *
 * <p>Its life: no token; a token, and the entry made for that address; accepted by the head, which
 * decides (R1); written to replica after replica; complete. A token dies with its epoch unless the
 * head has accepted its entry (R2).
 */
public final class PendingAppend {

  final AppendId id;
  final ByteBuffer payload;
  final Deadline deadline;

  /** Where the entry is, or where the token would have been that its condition did not allow. */
  public final CompletableFuture<Address> done = new CompletableFuture<>();

  private CompletableFuture<?> told = done;
  private final TokenWish wish;
  private final AsOf asOf;
  private @Nullable Entry entry;
  private TokenOutcome.@Nullable Conflict conflict;
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

  /** To be called before anybody sees to it: who has to know when it is done is told until then. */
  public void tells(CompletableFuture<?> everybody) {
    told = everybody;
  }

  /** Done when the append is, and all who have to know have been told. */
  CompletableFuture<?> told() {
    return told;
  }

  /** Towards the bounds on bytes in flight and in a batch: what it names weighs, too. */
  long weightBytes() {
    return payload.remaining() + Entry.HEADER_BYTES + names() * StreamHeader.BYTES;
  }

  /** How many streams and keys it names to the sequencer. */
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
   * What to ask the sequencer of this epoch for. Where it has given a token before, which was lost,
   * nothing had changed up to that one; and that one, which nobody will ever see, must not count as
   * a change.
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

  /** That of its token; {@link Epoch#NONE}: it has never had one. */
  public Epoch epoch() {
    return epoch;
  }

  /** What stood against it; empty unless it ended so. */
  public Optional<TokenOutcome.Conflict> conflict() {
    return Optional.ofNullable(conflict);
  }

  /** There is no token, and will be none. */
  void endBy(TokenOutcome.Conflict reason) {
    conflict = reason;
    done.complete(new Address(reason.address()));
  }

  /** The address of its last token, whether lost or not. */
  long lastToken() {
    return lastToken;
  }

  boolean needsToken() {
    return entry == null;
  }

  void take(long token, List<StreamPosition> places, Layout layout) {
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

  /** The token is lost: somebody else's entry, or a hole, is there, or its epoch is over. */
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

  public Address address() {
    return new Address(entry().address());
  }

  /** Whether the token is of another epoch than this. */
  boolean isOfOtherEpoch(Epoch current) {
    return entry != null && !epoch.equals(current);
  }

  /** Whose turn it is: of the entry's registers, in the layout of its token. */
  Endpoint nextReplica() {
    return path.get(written);
  }

  /** The replica whose turn it is holds the entry. */
  void wrote() {
    head = HeadState.ACCEPTED;
    written++;
    if (written == path.size()) {
      done.complete(address());
    }
  }

  /** Whether all of its registers hold the entry. */
  boolean isComplete() {
    return entry != null && written > 0 && written == path.size();
  }

  /** The head was asked to write, and it is not known whether it did. */
  void doubt() {
    head = head.doubted();
  }

  /** The head was asked to write, and did not: {@link HeadState#TURNED_DOWN}. */
  void turnDown() {
    head = head.turnedDown();
  }

  /** Whether the token may be given up only when it is known what its address holds. */
  boolean wasTurnedDown() {
    return head == HeadState.TURNED_DOWN;
  }

  boolean isHeadInDoubt() {
    return head == HeadState.IN_DOUBT;
  }

  boolean isAccepted() {
    return head == HeadState.ACCEPTED;
  }

  /** It ends here; if it may have happened all the same, its caller is told that. */
  void fail(RuntimeException failure) {
    done.completeExceptionally(
        mayHappen()
            ? new AppendOutcomeUnknownException(address(), String.valueOf(failure.getMessage()))
            : failure);
  }

  /** Whether somebody may still see this append, though it has not been acknowledged. */
  boolean mayHappen() {
    return entry != null && head.mayBeVisible();
  }
}
