package corfu.bench.reconfigure;

import corfu.bench.baseline.BaselineLatencies;
import corfu.bench.harness.BenchCluster;
import corfu.bench.harness.PartResult;
import corfu.bench.harness.Samples;
import corfu.protocol.Address;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Log;
import corfu.transport.Transport;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** The time to fill the address of an abandoned token. */
final class HoleFillBenchmark {

  private static final String PART = "fill";
  private static final int TOKENS = 200;

  private final int fills;
  private final UnitMode mode;
  private final BenchCluster cluster;
  private final BaselineLatencies machine;
  private final Consumer<PartResult> results;

  HoleFillBenchmark(
      int fills,
      UnitMode mode,
      BenchCluster cluster,
      BaselineLatencies machine,
      Consumer<PartResult> results) {
    this.fills = fills;
    this.mode = mode;
    this.cluster = cluster;
    this.machine = machine;
    this.results = results;
  }

  void run() throws Exception {
    try (Transport transport = cluster.openTransport()) {
      fill(transport, fills); // warm up
      Samples samples = fill(transport, fills);
      int syncs = mode == UnitMode.DURABLE ? 2 : 0;
      results.accept(
          samples.times(PART, mode.text() + ": an abandoned token", machine.millis(2, syncs)));
    }
  }

  private Samples fill(Transport transport, int count) throws Exception {
    Log log = cluster.corfu().log();
    Samples samples = new Samples();
    while (samples.count() < count) {
      machine.look();
      long first = abandonedTokens(transport);
      for (int i = 0; i < TOKENS && samples.count() < count; i++) {
        long begin = System.nanoTime();
        log.fill(new Address(first + i));
        samples.add(System.nanoTime() - begin);
      }
    }
    return samples;
  }

  private long abandonedTokens(Transport transport) {
    Layout layout = cluster.corfu().layout();
    var request = new SequencerRequest.Next(layout.epoch(), TOKENS);
    var reply =
        transport.peer(layout.sequencers().getFirst()).call(request, TimeUnit.SECONDS.toNanos(2));
    if (reply instanceof SequencerReply.Tokens tokens) {
      return tokens.first();
    }
    throw new IllegalStateException("the sequencer has issued no tokens: " + reply);
  }
}
