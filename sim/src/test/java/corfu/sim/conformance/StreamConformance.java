package corfu.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/**
 * The behaviour of streams for their users, whatever stores the streams and carries the messages.
 * Each subclass runs the tests on another kind of cluster.
 */
public abstract class StreamConformance
    implements PlacesOfEntries,
        PlayingStreams,
        ConditionsOnStreams,
        TrimsAndEpochs,
        FollowingStreams {

  /** A cluster without agents, so that epochs change only when a test asks for it. */
  public interface Ground {

    /** Returns the options of clients, with a hole timeout that suits the cluster. */
    CorfuOptions options();

    World world();

    Transport transport();

    void close();
  }

  private static final Duration FOREVER = Duration.ofMinutes(10);

  private final Ground ground = start();
  private Optional<Corfu> corfu = Optional.empty();
  private Optional<Streams> streams = Optional.empty();

  protected abstract Ground start();

  @AfterEach
  void stop() {
    ground.close();
  }

  @Override
  public Corfu connect() {
    return Corfu.connect(ground.options(), ground.world(), ground.transport());
  }

  @Override
  public Corfu connectPatiently() {
    CorfuOptions patient = ground.options().withHoleTimeout(FOREVER);
    return Corfu.connect(patient, ground.world(), ground.transport());
  }

  @Override
  public Corfu corfu() {
    Corfu own = corfu.orElseGet(this::connect);
    corfu = Optional.of(own);
    return own;
  }

  @Override
  public Streams streams() {
    Streams own = streams.orElseGet(() -> Streams.over(corfu()));
    streams = Optional.of(own);
    return own;
  }

  @Override
  public LogStream a() {
    return streams().open("a");
  }

  @Override
  public LogStream b() {
    return streams().open("b");
  }

  @Override
  public void abandonTokens(int count, StreamId... of) {
    Layout layout = corfu().layout();
    for (int i = 0; i < count; i++) {
      var request =
          new SequencerRequest.NextInStreams(
              layout.epoch(), List.of(TokenWish.in(List.of(of))), List.of());
      Peer sequencer = ground.transport().peer(layout.sequencers().getFirst());
      long patience = ground.options().operationTimeout().toNanos();
      assertThat(Peer.await(sequencer.send(request, patience)))
          .isInstanceOf(SequencerReply.StreamTokens.class);
    }
  }

  @Override
  public void beginNextEpoch() {
    Duration request = ground.options().requestTimeout();
    Duration whole = ground.options().operationTimeout();
    new Reconfiguration(ground.world(), ground.transport(), request, whole).renew(corfu().layout());
  }
}
