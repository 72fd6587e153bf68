package corfu.bench.log;

import corfu.bench.baseline.FrameSizes;
import corfu.bench.baseline.MachineLimits;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.BenchSettings;
import corfu.bench.harness.ClosedLoop;
import corfu.bench.harness.Figure;
import corfu.bench.harness.LimitComparison;
import corfu.bench.harness.Scenario;
import corfu.protocol.Epoch;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.Peer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Tokens from the sequencer: one per request, and as many as a batching client requests. */
public final class TokensBenchmark {

  private static final int BATCH = 64;
  private static final Duration TIMEOUT = Duration.ofSeconds(10);

  private final BenchSettings settings;
  private final BenchCluster cluster;
  private final MachineLimits limits;
  private final Consumer<Figure> results;

  public TokensBenchmark(
      BenchSettings settings,
      BenchCluster cluster,
      MachineLimits limits,
      Consumer<Figure> results) {
    this.settings = settings;
    this.cluster = cluster;
    this.limits = limits;
    this.results = results;
  }

  public void run() throws Exception {
    var layout = cluster.corfu().layout();
    try (var transport = cluster.openTransport()) {
      Peer sequencer = transport.peer(layout.sequencers().getFirst());
      for (int batch : List.of(1, BATCH)) {
        var request = new Tokens(sequencer, layout.epoch(), batch);
        String name = batch == 1 ? "tokens/single" : "tokens/batch-" + batch;
        settings.eachLoad((clients, depth) -> measure(name, request, batch, clients, depth));
      }
    }
  }

  private void measure(String name, Tokens request, int batch, int clients, int depth)
      throws Exception {
    var scenario = new Scenario(name, 0, clients, depth, settings.mode().text(), 0);
    var echo = limits.echo(FrameSizes.tokens(batch), scenario.inFlight());
    var ours = new ClosedLoop(clients, depth, request);
    results.accept(new LimitComparison(settings, cluster::cpu).run(scenario, ours, List.of(echo)));
  }

  private record Tokens(Peer sequencer, Epoch epoch, int operations) implements ClosedLoop.Request {

    @Override
    public void await() {
      check(Peer.await(send()));
    }

    @Override
    public CompletableFuture<?> start() {
      return send().thenAccept(Tokens::check);
    }

    private CompletableFuture<Reply> send() {
      return sequencer.send(new SequencerRequest.Next(epoch, operations), TIMEOUT.toNanos());
    }

    private static void check(Reply reply) {
      if (!(reply instanceof SequencerReply.Tokens)) {
        throw new IllegalStateException("the sequencer answered " + reply);
      }
    }
  }
}
