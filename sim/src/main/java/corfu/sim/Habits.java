package corfu.sim;

import corfu.protocol.StreamId;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What the clients of a run like to do.
 *
 * @param streamPercent how much of it has to do with streams: nothing, some, nearly everything
 * @param streams those that they use, few enough to meet in them
 * @param keys how many keys they know in each stream
 */
record Habits(int streamPercent, List<StreamId> streams, int keys) {

  private static final int STREAMS_MAX = 6;
  private static final int KEYS_MAX = 4;

  static Habits of(Chance chance) {
    int percent = chance.oneIn(5) ? 0 : (int) chance.between(10, 100);
    List<StreamId> streams =
        IntStream.rangeClosed(0, chance.below(STREAMS_MAX))
            .mapToObj(i -> StreamId.named("s" + i))
            .toList();
    return new Habits(percent, streams, 1 + chance.below(KEYS_MAX));
  }

  @Override
  public String toString() {
    return streamPercent + " % of all is about " + streams.size() + " streams";
  }
}
