package corfu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.ClusterConfig;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.ClientOptions;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Gets tokens as a writer does who then dies. */
public final class AbandonedTokens {

  private AbandonedTokens() {}

  public static void takeOne(ClusterConfig config) {
    assertThat(ask(config, layout -> new SequencerRequest.Next(layout.epoch(), 1)))
        .isInstanceOf(SequencerReply.Tokens.class);
  }

  public static void takeOne(ClusterConfig config, TokenWish wish) {
    assertThat(
            ask(
                config,
                layout ->
                    new SequencerRequest.NextInStreams(layout.epoch(), List.of(wish), List.of())))
        .isInstanceOf(SequencerReply.StreamTokens.class);
  }

  private static Reply ask(ClusterConfig config, Function<Layout, SequencerRequest> request) {
    CorfuOptions options = CorfuOptions.of(List.of(config.servers().getFirst().listen()));
    try (var world = new RealWorld();
        var transport =
            TcpTransport.open(
                world, Optional::empty, ClientOptions.DEFAULT.withLimits(Limits.DEFAULT))) {
      Layout layout = Corfu.connect(options, world, transport).layout();
      return transport
          .peer(layout.sequencers().getFirst())
          .call(request.apply(layout), Duration.ofSeconds(5).toNanos());
    }
  }
}
