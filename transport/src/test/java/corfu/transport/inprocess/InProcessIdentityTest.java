package corfu.transport.inprocess;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.ClientOptions;
import corfu.transport.RequestHandler;
import corfu.transport.ScriptedServer;
import corfu.transport.Transport;
import corfu.world.RealWorld;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/** The identities of clients within one process. */
class InProcessIdentityTest {

  private static final Request TAIL = new SequencerRequest.AskTail(new Epoch(1));

  @Test
  void aServerTakesTheStatedIdentityAsProven() {
    AtomicReference<Identity> seen = new AtomicReference<>(Identity.ANONYMOUS);
    var scripted = new ScriptedServer((request, reply) -> reply.accept(new SequencerReply.Tail(7)));
    var noting =
        new RequestHandler() {
          @Override
          public void handle(Request request, Consumer<Reply> reply) {
            scripted.handle(request, reply);
          }

          @Override
          public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
            seen.set(origin.identity());
            scripted.handle(request, reply);
          }
        };
    try (RealWorld world = new RealWorld()) {
      InProcessNetwork network = new InProcessNetwork(world);
      Endpoint endpoint = new Endpoint("node", 1);
      try (var loop = world.loop("server");
          InProcessServer server = network.register(endpoint, noting, loop);
          Transport named =
              network.transport(
                  Optional::empty, ClientOptions.DEFAULT, new Identity("spiffe://test/orders"));
          Transport unnamed = network.transport(Optional::empty, ClientOptions.DEFAULT)) {
        named.peer(server.endpoint()).call(TAIL, TimeUnit.SECONDS.toNanos(60));
        assertThat(seen.get()).isEqualTo(new Identity("spiffe://test/orders"));
        unnamed.peer(server.endpoint()).call(TAIL, TimeUnit.SECONDS.toNanos(60));
        assertThat(seen.get()).isEqualTo(Identity.ANONYMOUS);
      }
    }
  }
}
