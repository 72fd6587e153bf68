package corfu.transport;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.NodeReply.Status;
import corfu.protocol.message.NodeReply.Welcome;
import corfu.protocol.message.NodeRequest.AskStatus;
import corfu.protocol.message.NodeRequest.Hello;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.wire.FrameCodec;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * A handler that answers greetings and status requests like a server, and leaves the rest to the
 * test.
 */
public final class ScriptedServer implements RequestHandler {

  public volatile Optional<ClusterId> cluster = Optional.empty();
  public volatile int newestVersion = FrameCodec.NEWEST_VERSION;
  public final AtomicInteger turns = new AtomicInteger();
  public final AtomicInteger requests = new AtomicInteger();
  private final BiConsumer<Request, Consumer<Reply>> script;

  public ScriptedServer(BiConsumer<Request, Consumer<Reply>> script) {
    this.script = script;
  }

  public ScriptedServer in(ClusterId id) {
    cluster = Optional.of(id);
    return this;
  }

  /** Makes this handler behave like a server of an earlier release. */
  public ScriptedServer speakingUpTo(int version) {
    newestVersion = version;
    return this;
  }

  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    if (request instanceof Hello hello) {
      boolean stranger =
          cluster.isPresent() && hello.cluster().isPresent() && !hello.cluster().equals(cluster);
      reply.accept(
          stranger
              ? new Failure.WrongCluster(cluster.get())
              : new Welcome(Math.min(newestVersion, hello.newestVersion()), cluster, "scripted"));
    } else if (request instanceof AskStatus) {
      reply.accept(
          new Status("scripted", cluster, Epoch.NONE, List.of(), Health.UNKNOWN, List.of()));
    } else {
      requests.incrementAndGet();
      script.accept(request, reply);
    }
  }

  @Override
  public void turnEnded() {
    turns.incrementAndGet();
  }
}
