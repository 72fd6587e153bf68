package corfu.access.quota;

import corfu.protocol.Identity;
import corfu.protocol.message.QuotaUse;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Adds up the use that several servers have reported. Not thread-safe. */
public final class QuotaTotals {

  private final Map<Identity, Sum> sums = new HashMap<>();

  private static final class Sum {
    private long appends;
    private long bytes;
    private long stored;
    private long mostStreams;
    private long allStreams;
    private long subscriptions;
    private long connections;
    private final DistinctStreams distinct = new DistinctStreams();

    private void add(QuotaUse use) {
      appends = sum(appends, use.appendsPerSecond());
      bytes = sum(bytes, use.bytesPerSecond());
      stored = sum(stored, use.storedBytes());
      mostStreams = Math.max(mostStreams, use.streams());
      allStreams = sum(allStreams, use.streams());
      subscriptions = Math.max(subscriptions, use.subscriptions());
      connections = Math.max(connections, use.connections());
      distinct.addAll(use.sample());
    }

    /** Streams have entries on several chains. So there are no fewer than on one, and no more. */
    private QuotaTotal total(Identity identity) {
      long streams = Math.clamp(distinct.count(), mostStreams, allStreams);
      return new QuotaTotal(identity, appends, bytes, streams, stored, subscriptions, connections);
    }
  }

  private static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? Long.MAX_VALUE : sum;
  }

  /** Adds the use at another server. */
  public void add(List<QuotaUse> ofServer) {
    for (QuotaUse use : ofServer) {
      sums.computeIfAbsent(use.identity(), first -> new Sum()).add(use);
    }
  }

  /** Returns the use of each identity at all added servers, in the order of their names. */
  public List<QuotaTotal> totals() {
    List<QuotaTotal> totals = new ArrayList<>(sums.size());
    sums.forEach((identity, sum) -> totals.add(sum.total(identity)));
    totals.sort(Comparator.comparing(QuotaTotal::identity));
    return totals;
  }
}
