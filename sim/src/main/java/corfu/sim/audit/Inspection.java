package corfu.sim.audit;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Corfu;
import corfu.sim.world.Violations;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import corfu.world.World;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Sends requests directly to servers, after all faults. */
public final class Inspection {

  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** The epoch may change meanwhile: then the layout is read again. */
  private static final int TRIES = 20;

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Violations findings;
  private final World world;
  private final Transport transport;

  public Inspection(Violations findings, World world, Transport transport) {
    this.findings = findings;
    this.world = world;
    this.transport = transport;
  }

  private static final class ObstacleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ObstacleException(String message) {
      super(message);
    }
  }

  /** Runs the body with the newest layout, and again if a server did not reply. */
  void untilDone(Corfu corfu, Consumer<Layout> body) {
    String obstacle = "";
    for (int i = 0; i < TRIES; i++) {
      Layout layout = corfu.layout();
      try {
        body.accept(layout);
        return;
      } catch (TransportException | ObstacleException unanswered) {
        obstacle = String.valueOf(unanswered.getMessage());
      }
      world.pause(PAUSE);
      corfu.servers(); // learns a newer layout
    }
    findings.broken("Progress", "the units cannot be looked into: %s", obstacle);
  }

  /** Returns a server's reply. Throws if the reply is of another kind. */
  public <R extends Reply> R ask(Endpoint server, Request request, Class<R> kind) {
    Reply reply = transport.peer(server).call(request, TIMEOUT_NANOS);
    if (!kind.isInstance(reply)) {
      throw new ObstacleException(server + " answered the auditor with " + reply);
    }
    return kind.cast(reply);
  }
}
