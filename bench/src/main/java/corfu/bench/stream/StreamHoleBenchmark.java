package corfu.bench.stream;

import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Samples;
import corfu.protocol.StreamId;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.CorfuOptions;
import corfu.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalDouble;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Streams with abandoned tokens are played to their ends (dissertation, figure 5.8). The first
 * reader waits for the writers of these tokens and fills. Others read after it.
 */
final class StreamHoleBenchmark {

  /** The number of kinds of streams. One kind has no hole. */
  static final int KINDS = Kind.values().length;

  private static final String PART = "hole";

  /** The entries of each stream before its last one. */
  private static final int LAPS = 7;

  private static final int AGAIN = 3;

  /** The number of holes in a row: more than the backpointers of an entry. */
  private static final int ROW = 6;

  private static final long FAMILY = 58L << 32;

  private final StreamsSettings settings;
  private final StreamClusters clusters;
  private final Consumer<PartResult> results;

  StreamHoleBenchmark(
      StreamsSettings settings, StreamClusters clusters, Consumer<PartResult> results) {
    this.settings = settings;
    this.clusters = clusters;
    this.results = results;
  }

  /** The place and number of abandoned tokens. */
  private enum Kind {
    NONE("no hole", 0, false),
    END("a hole at the end", 1, false),
    BEFORE_LAST("a hole before the last entry", 1, true),
    ROW_AT_END(ROW + " holes at the end", ROW, false),
    ROW_BEFORE_LAST(ROW + " holes before the last entry", ROW, true);

    private final String text;
    private final int tokens;
    private final boolean isBeforeLast;

    Kind(String text, int tokens, boolean isBeforeLast) {
      this.text = text;
      this.tokens = tokens;
      this.isBeforeLast = isBeforeLast;
    }
  }

  /**
   * The times of one kind.
   *
   * @param firstStream the index of the first stream of the kind
   * @param first the times of the readers that had to wait, without the hole timeout
   * @param later the times of later readers
   */
  private record Seen(Kind kind, int firstStream, Samples first, Samples later) {}

  void run() throws Exception {
    for (int streams : settings.streams()) {
      for (StreamClusters.Kind kind : clusters.both()) {
        var load =
            new StreamLoad(
                kind.cluster(), FAMILY + streams, streams, StreamAppendBenchmark.PAYLOAD_BYTES);
        report("%,d streams, %s".formatted(streams, kind.name()), run(kind.cluster(), load));
        load.trim();
      }
    }
  }

  /** Returns the times of each kind, in their order. */
  private List<Seen> run(BenchCluster cluster, StreamLoad load) throws Exception {
    load.append(LAPS);
    List<Seen> seen = new ArrayList<>();
    int each = Math.min(settings.holes(), load.count() / KINDS);
    for (Kind kind : Kind.values()) {
      seen.add(new Seen(kind, seen.size() * each, new Samples(), new Samples()));
    }
    long holeTimeout = CorfuOptions.of(cluster.endpoints()).holeTimeout().toNanos();
    try (Transport transport = cluster.openTransport()) {
      for (int i = 0; i < each; i++) {
        for (Seen one : seen) {
          int stream = one.firstStream() + i;
          prepare(one.kind(), cluster, transport, load, stream);
          long waiting = one.kind() == Kind.NONE ? 0 : holeTimeout;
          one.first().add(play(load, stream) - waiting);
          for (int again = 0; again < AGAIN; again++) {
            one.later().add(play(load, stream));
          }
        }
      }
    }
    return seen;
  }

  /**
   * Abandons the tokens of one stream, just before it is read. Otherwise the reader of one stream
   * would also fill the holes of others.
   */
  private static void prepare(
      Kind kind, BenchCluster cluster, Transport transport, StreamLoad load, int stream) {
    if (kind.isBeforeLast) {
      abandon(cluster, transport, load.stream(stream), kind.tokens);
      load.appendTo(stream);
    } else {
      load.appendTo(stream);
      abandon(cluster, transport, load.stream(stream), kind.tokens);
    }
  }

  private static long play(StreamLoad load, int stream) {
    long begin = System.nanoTime();
    load.play(stream, LAPS + 1);
    return System.nanoTime() - begin;
  }

  private static void abandon(
      BenchCluster cluster, Transport transport, StreamId stream, int tokens) {
    if (tokens == 0) {
      return;
    }
    var layout = cluster.corfu().layout();
    var wishes = Collections.nCopies(tokens, TokenWish.in(List.of(stream)));
    var request = new SequencerRequest.NextInStreams(layout.epoch(), wishes, List.of());
    var reply =
        transport.peer(layout.sequencers().getFirst()).call(request, TimeUnit.SECONDS.toNanos(2));
    if (!(reply instanceof SequencerReply.StreamTokens)) {
      throw new IllegalStateException("the sequencer has issued no tokens: " + reply);
    }
  }

  private void report(String where, List<Seen> seen) {
    double whole = seen.getFirst().later().millis(50);
    for (Seen one : seen) {
      String what = where + ": " + one.kind().text;
      if (one.kind() == Kind.NONE) {
        results.accept(one.later().times(PART, what));
        continue;
      }
      // the limit is the time to play a stream of this length without a hole
      var best = OptionalDouble.of(whole);
      results.accept(one.first().times(PART, what + ", beyond the timeout", best));
      results.accept(one.later().times(PART, what + ", filled", best));
    }
  }
}
