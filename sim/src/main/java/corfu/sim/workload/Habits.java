package corfu.sim.workload;

import corfu.protocol.StreamId;
import corfu.sim.world.Chance;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the clients of a run like to do.
 *
 * @param streamPercent how much of it has to do with streams: nothing, some, nearly everything
 * @param streams those that they use, few enough to meet in them
 * @param keys how many keys they know in each stream
 * @param subscriptions how many each of their threads has at the same time; 0 for none
 */
public record Habits(int streamPercent, List<StreamId> streams, int keys, int subscriptions) {

  private static final int STREAMS_MAX = 6;
  private static final int KEYS_MAX = 4;
  private static final int SUBSCRIPTIONS_MAX = 4;

  public static Habits of(Chance chance) {
    int percent = chance.oneIn(5) ? 0 : (int) chance.between(10, 100);
    List<StreamId> streams =
        IntStream.rangeClosed(0, chance.below(STREAMS_MAX))
            .mapToObj(i -> StreamId.named("s" + i))
            .toList();
    int keys = 1 + chance.below(KEYS_MAX);
    int subscriptions = chance.oneIn(3) ? 0 : 1 + chance.below(SUBSCRIPTIONS_MAX);
    return new Habits(percent, streams, keys, subscriptions);
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
