package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.ScriptedServer;
import corfu.world.RealWorld;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A client does not send newer messages to a server of an earlier version. */
final class EarlierVersionTest {

  private static final long LONG = TimeUnit.SECONDS.toNanos(60);

  @Test
  void aMessageThatTheServerDoesNotKnowIsNotSentAndTheConnectionStays() {
    ScriptedServer old = new ScriptedServer((request, reply) -> {}).speakingUpTo(1);
    try (RealWorld world = new RealWorld();
        TcpServer server = TcpServer.bind(world, "127.0.0.1", 0, TcpServerOptions.DEFAULT);
        TcpTransport transport = TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT)) {
      server.serve(old);
      Peer peer = transport.peer(server.endpoint());

      assertThatThrownBy(() -> peer.call(new LayoutRequest.AskReports(), LONG))
          .isInstanceOf(RequestRefusedException.class);
      assertThatThrownBy(() -> peer.call(new LayoutRequest.Report(List.of(), List.of()), LONG))
          .isInstanceOf(RequestRefusedException.class);

      assertThat(peer.call(new NodeRequest.AskStatus(), LONG)).isInstanceOf(NodeReply.Status.class);
      assertThat(old.requests).hasValue(0);
    }
  }
}
