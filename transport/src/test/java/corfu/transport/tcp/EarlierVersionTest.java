package corfu.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AddressSet;
import corfu.protocol.Epoch;
import corfu.protocol.Permission;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.wire.FrameCodec;
import corfu.transport.ClientOptions;
import corfu.transport.Peer;
import corfu.transport.RequestRefusedException;
import corfu.transport.ScriptedServer;
import corfu.world.RealWorld;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Clients and servers of different versions: neither gets a message that it does not know. */
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

  @Test
  void aClientOfAnEarlierVersionIsRefusedInItsOwnWords() throws IOException {
    Failure forbidden = new Failure.Forbidden(Permission.READ, Optional.empty(), "no grant");
    Reply hidden = new LogUnitReply.Reads(List.of(ReadOutcome.Forbidden.FORBIDDEN));
    ScriptedServer gated =
        new ScriptedServer(
            (request, reply) ->
                reply.accept(request instanceof LogUnitRequest.Read ? hidden : forbidden));
    Message read = new LogUnitRequest.Read(new Epoch(1), AddressSet.of(0), 1);
    try (RealWorld world = new RealWorld();
        TcpServer server = TcpServer.bind(world, "127.0.0.1", 0, TcpServerOptions.DEFAULT)) {
      server.serve(gated);
      for (int version = 1; version <= FrameCodec.NEWEST_VERSION; version++) {
        try (RawClient client = new RawClient(server.endpoint()).greet(version)) {
          client.send(RawClient.bytes(new LayoutRequest.Fetch(), 2, version));
          Message reply = client.receive().message();
          client.send(RawClient.bytes(read, 3, version));
          Message outcome = client.receive().message();
          if (version < 3) {
            assertThat(reply).isEqualTo(new Failure.Refused(Failure.Cause.MALFORMED, "no grant"));
            assertThat(outcome).isInstanceOf(Failure.Refused.class);
          } else {
            assertThat(reply).isEqualTo(forbidden);
            assertThat(outcome).isEqualTo(hidden);
          }
        }
      }
    }
  }
}
