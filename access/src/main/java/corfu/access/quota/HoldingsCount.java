package corfu.access.quota;

import corfu.access.Rights;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.StreamScan;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One pass over the stored entries of streams, which adds them to the accounts of their owners. A
 * stream without an owner gets the first account that may append to it. Lives on the server's loop.
 */
final class HoldingsCount implements StreamScan.Visitor {

  private static final int APPEND = Rights.bit(Permission.APPEND);

  /** A decision on a stream without an owner costs as much as this part of an entry. */
  private static final int DECISIONS_AN_ENTRY = 4;

  private final LocalEntries entries;
  private final StreamScan scan;
  private final List<QuotaAccount> limited;
  private final IntFunction<@Nullable QuotaAccount> byNumber;
  private final Names names;
  private final Map<QuotaAccount, Sum> sums = new HashMap<>();

  /** The names of streams that identities have introduced. */
  @FunctionalInterface
  interface Names {
    Optional<String> of(QuotaAccount account, StreamId stream);
  }

  private static final class Sum {
    private long bytes;
    private long streams;
    private final DistinctStreams distinct = new DistinctStreams();
  }

  /**
   * @param entries the server's entries
   * @param limited the accounts whose storage is limited
   * @param byNumber finds an account by its number, or returns null
   * @param names the names of streams
   */
  HoldingsCount(
      LocalEntries entries,
      List<QuotaAccount> limited,
      IntFunction<@Nullable QuotaAccount> byNumber,
      Names names) {
    this.entries = entries;
    this.scan = entries.scan();
    this.limited = List.copyOf(limited);
    this.byNumber = byNumber;
    this.names = names;
  }

  /**
   * Continues the pass.
   *
   * @param most the approximate number of entries to examine
   * @return whether there is more to examine; if not, the accounts have their sums
   */
  boolean next(int most) {
    int streams = Math.max(1, most / (1 + limited.size() / DECISIONS_AN_ENTRY));
    if (!limited.isEmpty() && scan.next(streams, this)) {
      return true;
    }
    for (QuotaAccount account : limited) {
      Sum sum = sums.get(account);
      account.holds(
          sum == null
              ? QuotaAccount.Holdings.NONE
              : new QuotaAccount.Holdings(sum.bytes, sum.streams, sum.distinct.sample()));
    }
    return false;
  }

  @Override
  public boolean wants(StreamId stream, int owner) {
    QuotaAccount known = owner == 0 ? null : byNumber.apply(owner);
    if (known != null) {
      return known.quota().limitsStorage();
    }
    for (QuotaAccount account : limited) {
      int bits = account.rights().on(stream, id -> names.of(account, id));
      if ((bits & APPEND) != 0) {
        entries.own(stream, account.number());
        return true;
      }
    }
    return false;
  }

  @Override
  public void stores(StreamId stream, int owner, long bytes) {
    QuotaAccount account = byNumber.apply(owner);
    if (account != null) {
      Sum sum = sums.computeIfAbsent(account, first -> new Sum());
      sum.bytes += bytes;
      sum.streams++;
      sum.distinct.add(stream.hash());
    }
  }
}
