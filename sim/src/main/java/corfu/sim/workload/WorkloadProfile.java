package corfu.sim.workload;

import corfu.protocol.StreamId;
import corfu.sim.world.SimRandom;
import java.util.List;
import java.util.stream.IntStream;

/**
 * The preferences of a run's clients.
 *
 * @param streamPercent the share of calls on streams, 0 to 100: none, some, or nearly all
 * @param streams the streams that they use, few enough for conflicts
 * @param keys the number of keys in each stream
 * @param subscriptions the number of concurrent subscriptions per thread; 0 for none
 */
public record WorkloadProfile(
    int streamPercent, List<StreamId> streams, int keys, int subscriptions) {

  private static final int STREAMS_MAX = 6;
  private static final int KEYS_MAX = 4;
  private static final int SUBSCRIPTIONS_MAX = 4;

  public static WorkloadProfile of(SimRandom chance) {
    int percent = chance.oneIn(5) ? 0 : (int) chance.between(10, 100);
    List<StreamId> streams =
        IntStream.rangeClosed(0, chance.below(STREAMS_MAX))
            .mapToObj(i -> StreamId.named("s" + i))
            .toList();
    int keys = 1 + chance.below(KEYS_MAX);
    int subscriptions = chance.oneIn(3) ? 0 : 1 + chance.below(SUBSCRIPTIONS_MAX);
    return new WorkloadProfile(percent, streams, keys, subscriptions);
  }

  @Override
  public String toString() {
    return streamPercent
        + " % of all is about "
        + streams.size()
        + " streams, "
        + subscriptions
        + " subscriptions a thread";
  }
}
