package corfu.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.message.SequencerReply.Tokens;
import corfu.protocol.message.SequencerRequest.Next;
import corfu.transport.TransportGround.Server;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** How every transport separates clusters: a server of another cluster receives no requests. */
public abstract class ClusterConformance extends ConformanceSuite {

  private static final ClusterId OURS = new ClusterId(new UUID(1, 2));
  private static final ClusterId THEIRS = new ClusterId(new UUID(3, 4));

  protected ClusterConformance(TransportGround ground) {
    super(ground);
  }

  @Test
  void aServerOfAnotherClusterIsAskedNothing() {
    ScriptedServer handler = new ScriptedServer(NEVER).in(THEIRS);
    Peer peer = peer(ground.start(handler), () -> Optional.of(OURS), ClientOptions.DEFAULT);

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 1), LONG))
        .isInstanceOf(WrongClusterException.class)
        .hasMessageContaining(OURS.toString())
        .hasMessageContaining(THEIRS.toString());
    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 1), LONG))
        .isInstanceOf(WrongClusterException.class);
    assertThat(handler.requests).hasValue(0);
  }

  @Test
  void aServerOfTheSameClusterServes() {
    Server server = ground.start(new ScriptedServer(ConformanceSuite::answerTokens).in(OURS));
    Peer peer = peer(server, () -> Optional.of(OURS), ClientOptions.DEFAULT);

    assertThat(peer.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(1, 1));
  }

  @Test
  void aClientThatLearnsItsClusterLaterLeavesAServerOfAnother() {
    AtomicReference<Optional<ClusterId>> known = new AtomicReference<>(Optional.empty());
    ScriptedServer handler = new ScriptedServer(ConformanceSuite::answerTokens).in(THEIRS);
    Peer peer = peer(ground.start(handler), known::get, ClientOptions.DEFAULT);
    assertThat(peer.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(1, 1));

    known.set(Optional.of(OURS));

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 2), LONG))
        .isInstanceOf(WrongClusterException.class);
    assertThat(handler.requests).hasValue(1);
  }

  @Test
  void aClientThatLearnsItsClusterLaterTellsAServerThatHadNone() {
    AtomicReference<Optional<ClusterId>> known = new AtomicReference<>(Optional.empty());
    ScriptedServer handler = new ScriptedServer(ConformanceSuite::answerTokens);
    Peer peer = peer(ground.start(handler), known::get, ClientOptions.DEFAULT);
    assertThat(peer.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(1, 1));

    known.set(Optional.of(OURS));
    assertThat(peer.call(new Next(EPOCH, 2), LONG)).isEqualTo(new Tokens(2, 1));
    handler.in(THEIRS);

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 3), LONG))
        .isInstanceOf(WrongClusterException.class);
    assertThat(handler.requests).hasValue(2);
  }

  @Test
  void aServerThatJoinsAnotherClusterServesItsOldClientsNoMore() {
    ScriptedServer handler = new ScriptedServer(ConformanceSuite::answerTokens);
    Peer peer = peer(ground.start(handler), () -> Optional.of(OURS), ClientOptions.DEFAULT);
    assertThat(peer.call(new Next(EPOCH, 1), LONG)).isEqualTo(new Tokens(1, 1));

    handler.in(THEIRS);

    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 2), LONG))
        .isInstanceOf(TransportException.class);
    assertThatThrownBy(() -> peer.call(new Next(EPOCH, 3), LONG))
        .isInstanceOf(WrongClusterException.class);
    assertThat(handler.requests).hasValue(1);
  }
}
