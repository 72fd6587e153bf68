package corfu.access.quota;

import corfu.access.AccessPolicy;
import corfu.access.Quota;
import corfu.access.Rights;
import corfu.access.Subject;
import corfu.protocol.Entry;
import corfu.protocol.Identity;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.QuotaUse;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.LocalEntries;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The quotas of one server: decides whether a request is within them, and counts. The gate asks it
 * after the permissions. Lives on the server's loop.
 */
public final class QuotaLedger {

  /** The time after which to try again when only a trim, or another client, makes room. */
  public static final Duration SLOW_RETRY = Duration.ofSeconds(2);

  private static final Optional<Failure> NONE = Optional.empty();
  private static final float LOAD = 0.75f;

  private final LocalEntries entries;
  private final LongSupplier nanoTime;
  private final int mostAccounts;
  private final Predicate<Identity> isExempt;

  /** The least recently used one first. */
  private final Map<Identity, QuotaAccount> accounts = new LinkedHashMap<>(16, LOAD, true);

  private final Map<Integer, QuotaAccount> byNumber = new HashMap<>();
  private final Map<Identity, Integer> connections = new HashMap<>();
  private Optional<AccessPolicy> policy = Optional.empty();
  private int lastNumber;
  private @Nullable HoldingsCount counting;

  /**
   * @param entries the server's own entries
   * @param nanoTime the server's clock, in nanoseconds
   * @param mostAccounts the number of identities with a quota that are remembered; the least
   *     recently used ones begin anew
   * @param isExempt returns whether an identity of the configuration has no quota
   */
  public QuotaLedger(
      LocalEntries entries, LongSupplier nanoTime, int mostAccounts, Predicate<Identity> isExempt) {
    this.entries = entries;
    this.nanoTime = nanoTime;
    this.mostAccounts = mostAccounts;
    this.isExempt = isExempt;
  }

  // ----------------------------------------------------------------------------------- accounts

  /** Applies the quotas of this policy from now on, or none. */
  public void use(Optional<AccessPolicy> newest) {
    policy = newest;
    counting = null;
    for (Identity identity : List.copyOf(accounts.keySet())) {
      var unused = accountOf(identity);
    }
    newest.ifPresent(this::openNamed);
  }

  /** Stored entries count for identities that have not sent a request to this server yet. */
  private void openNamed(AccessPolicy newest) {
    newest.quotas().keySet().forEach(this::open);
    newest.roles().values().forEach(role -> role.members().forEach(this::open));
  }

  private void open(Subject subject) {
    if (subject instanceof Subject.Exact(Identity identity) && accounts.size() < mostAccounts) {
      var unused = accountOf(identity);
    }
  }

  /** Returns the account of an identity by the present policy, or empty if it has no quota. */
  public Optional<QuotaAccount> accountOf(Identity identity) {
    AccessPolicy present = policy.orElse(AccessPolicy.EMPTY);
    Quota quota = present.quotaOf(identity);
    Rights rights = present.rightsOf(identity);
    if (quota.equals(Quota.UNLIMITED) || rights.isFull() || isExempt.test(identity)) {
      forget(accounts.remove(identity));
      return Optional.empty();
    }
    QuotaAccount known = accounts.get(identity);
    QuotaAccount account = known == null ? create(identity) : known;
    account.isNow(quota, rights);
    return Optional.of(account);
  }

  private QuotaAccount create(Identity identity) {
    if (accounts.size() >= mostAccounts) {
      Iterator<QuotaAccount> oldest = accounts.values().iterator();
      forget(oldest.next());
      oldest.remove();
    }
    QuotaAccount created = new QuotaAccount(identity, ++lastNumber, nanoTime.getAsLong());
    accounts.put(identity, created);
    byNumber.put(created.number(), created);
    return created;
  }

  private void forget(@Nullable QuotaAccount account) {
    if (account != null) {
      byNumber.remove(account.number());
    }
  }

  // ----------------------------------------------------------------------------------- requests

  /** Returns the reason to refuse a request that exceeds the quota, or empty. */
  public Optional<Failure> objection(Request request, QuotaAccount account) {
    return switch (request) {
      case SequencerRequest.Next next -> toTokens(next.count(), account);
      case SequencerRequest.NextInStreams next -> toTokens(next.wishes().size(), account);
      case LogUnitRequest.Write write -> toBytes(bytesAtHead(write), account);
      case LogUnitRequest.Read read -> toBytes(0, account);
      case LogUnitRequest.ReadBlocks read -> toBytes(0, account);
      case LogUnitRequest.ReadStream read -> toBytes(0, account);
      case LogUnitRequest.CopyRange copy -> toBytes(0, account);
      case LogUnitRequest.Listen listen -> toBytes(0, account);
      case ViewRequest.Call call -> {
        Optional<Failure> tokens = toTokens(1, account);
        yield tokens.isPresent() ? tokens : toBytes(call.call().remaining(), account);
      }
      default -> NONE;
    };
  }

  private Optional<Failure> toTokens(long count, QuotaAccount account) {
    if (account.isStorageFull()) {
      return over(
          "stores %,d bytes, which its quota allows; trim some".formatted(storedLimit(account)),
          account,
          SLOW_RETRY.toNanos());
    }
    long wait = account.takeAppends(count, nanoTime.getAsLong());
    return wait == 0
        ? NONE
        : over(
            "appends %,d entries a second, which its quota allows"
                .formatted(account.quota().appendsPerSecond()),
            account,
            wait);
  }

  private static long storedLimit(QuotaAccount account) {
    return account.quota().storedBytes();
  }

  private Optional<Failure> toBytes(long count, QuotaAccount account) {
    long wait = account.takeBytes(count, entries.chains(), nanoTime.getAsLong());
    return wait == 0
        ? NONE
        : over(
            "appends and reads %,d bytes a second, which its quota allows"
                .formatted(account.quota().bytesPerSecond()),
            account,
            wait);
  }

  private long bytesAtHead(LogUnitRequest.Write write) {
    long bytes = 0;
    for (Entry entry : write.entries()) {
      bytes += entries.isHeadOf(entry.address()) ? entry.lengthBytes() : 0;
    }
    return bytes;
  }

  private static Optional<Failure> over(String what, QuotaAccount account, long waitNanos) {
    long millis = TimeUnit.NANOSECONDS.toMillis(waitNanos + 999_999);
    return Optional.of(
        new Failure.OverQuota(
            account.identity() + " " + what, (int) Math.min(millis, Integer.MAX_VALUE)));
  }

  /** Returns whether the identity may not append to new streams. */
  public boolean hasAllStreams(QuotaAccount account) {
    return account.hasAllStreams();
  }

  /** Returns the refusal of a token for a new stream. */
  public Failure overStreams(StreamId stream, QuotaAccount account) {
    return over(
            "has %,d streams, which its quota allows, so it cannot append to the new stream %s"
                .formatted(account.quota().streams(), stream),
            account,
            SLOW_RETRY.toNanos())
        .orElseThrow();
  }

  /** Returns the part of a request to follow streams for which the quota has room. */
  public LogUnitRequest.Follow reduced(LogUnitRequest.Follow follow, QuotaAccount account) {
    int room = account.roomToFollow(follow.follower(), nanoTime.getAsLong());
    int most = (int) Math.min(follow.add().size(), (long) room + follow.remove().size());
    return most >= follow.add().size()
        ? follow
        : new LogUnitRequest.Follow(
            follow.epoch(), follow.follower(), follow.add().subList(0, most), follow.remove());
  }

  /** Returns a receiver of the reply that counts it, and passes it on. */
  public Consumer<Reply> counting(Request request, QuotaAccount account, Consumer<Reply> reply) {
    return switch (request) {
      case LogUnitRequest.Write write when account.quota().limitsStorage() ->
          answer -> {
            own(write, answer, account);
            reply.accept(answer);
          };
      case LogUnitRequest.Read read -> charging(account, reply);
      case LogUnitRequest.ReadBlocks read -> charging(account, reply);
      case LogUnitRequest.ReadStream read -> charging(account, reply);
      case LogUnitRequest.CopyRange copy -> charging(account, reply);
      case ViewRequest.Call call -> charging(account, reply);
      case LogUnitRequest.Follow follow ->
          answer -> {
            if (answer instanceof LogUnitReply.Following(int streams)) {
              account.follows(follow.follower(), streams, nanoTime.getAsLong());
            }
            reply.accept(answer);
          };
      case LogUnitRequest.Listen listen -> {
        account.listens(listen.follower(), nanoTime.getAsLong());
        yield answer -> {
          if (answer instanceof Failure) {
            account.isForgotten(listen.follower());
          }
          charge(account, answer);
          reply.accept(answer);
        };
      }
      default -> reply;
    };
  }

  private Consumer<Reply> charging(QuotaAccount account, Consumer<Reply> reply) {
    return answer -> {
      charge(account, answer);
      reply.accept(answer);
    };
  }

  private void charge(QuotaAccount account, Reply answer) {
    account.chargeBytes(ReplyBytes.of(answer), nanoTime.getAsLong());
  }

  private void own(LogUnitRequest.Write write, Reply answer, QuotaAccount account) {
    if (!(answer instanceof LogUnitReply.Writes writes)) {
      return;
    }
    for (int i = 0; i < writes.outcomes().size(); i++) {
      Entry entry = write.entries().get(i);
      boolean isWritten = writes.outcomes().get(i) == WriteOutcome.Written.WRITTEN;
      for (int j = 0; isWritten && j < entry.streamCount(); j++) {
        entries.own(entry.streamId(j), account.number());
      }
    }
  }

  // -------------------------------------------------------------------------------- connections

  /**
   * Counts a connection of an identity. Returns the reason to close it instead, if the identity has
   * as many as it may have.
   */
  public Optional<Failure> connected(Identity identity, Optional<QuotaAccount> account) {
    int present = connections.getOrDefault(identity, 0);
    if (account.isPresent() && present >= account.get().quota().connections()) {
      return over(
          "has %,d connections to this server, which its quota allows".formatted(present),
          account.get(),
          SLOW_RETRY.toNanos());
    }
    connections.put(identity, present + 1);
    return NONE;
  }

  /** A counted connection has ended. */
  public void disconnected(Identity identity) {
    connections.computeIfPresent(identity, (same, count) -> count == 1 ? null : count - 1);
  }

  // ------------------------------------------------------------------------------------ storage

  /** Returns whether any known identity has a limit of streams or stored bytes. */
  public boolean limitsStorage() {
    return accounts.values().stream().anyMatch(account -> account.quota().limitsStorage());
  }

  /**
   * Continues to count what streams store here. The sums change when a pass has ended.
   *
   * @param most the approximate number of entries to examine
   * @param names returns the name of a stream that an identity has introduced, if it has
   * @return whether the present pass has more to examine
   */
  public boolean countSome(int most, BiFunction<Identity, StreamId, Optional<String>> names) {
    HoldingsCount present = counting;
    if (present == null) {
      present = begin(names);
      counting = present;
    }
    if (present.next(most)) {
      return true;
    }
    counting = null;
    return false;
  }

  private HoldingsCount begin(BiFunction<Identity, StreamId, Optional<String>> names) {
    List<QuotaAccount> limited =
        accounts.values().stream().filter(each -> each.quota().limitsStorage()).toList();
    return new HoldingsCount(
        entries,
        limited,
        byNumber::get,
        (account, stream) -> names.apply(account.identity(), stream));
  }

  /** Sets the use at all servers together. It decides on tokens. */
  public void uses(List<QuotaTotal> totals) {
    accounts.values().forEach(account -> account.usesInAll(0, 0));
    for (QuotaTotal total : totals) {
      QuotaAccount account = accounts.get(total.identity());
      if (account != null) {
        account.usesInAll(total.streams(), total.storedBytes());
      }
    }
  }

  /** Returns the use of all known identities with a quota at this server. */
  public NodeReply.Quotas report() {
    long nanos = nanoTime.getAsLong();
    List<QuotaUse> uses = new ArrayList<>(accounts.size());
    for (QuotaAccount account : accounts.values()) {
      uses.add(account.use(connections.getOrDefault(account.identity(), 0), nanos));
    }
    return new NodeReply.Quotas(uses);
  }
}
