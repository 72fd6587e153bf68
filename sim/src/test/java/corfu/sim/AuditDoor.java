package corfu.sim;

import corfu.access.StreamNames;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.stream.TokenWish;
import corfu.sim.cluster.SimServer;
import corfu.sim.world.SimListener;
import corfu.transport.RequestHandler;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Counts the refusals of a stranger at the network's side of each server, in its present life, and
 * lets faults happen there.
 */
final class AuditDoor implements SimServer.FrontDoor {

  /** The beginning of the names of the stranger's processes. */
  static final String STRANGER = "mallory";

  private static final StreamId AUDIT = StreamId.named(StreamNames.AUDIT);

  private final Fault fault;
  private final Map<String, Long> refusals = new TreeMap<>();

  /** A fault or a bug of servers. */
  interface Fault {

    /** Returns the request that the server sees. */
    default Request changed(Request request) {
      return request;
    }

    /** Returns whether the reply never arrives. */
    default boolean losesReply(Request request, Reply reply) {
      return false;
    }
  }

  AuditDoor(Fault fault) {
    this.fault = fault;
  }

  static boolean isAudit(Entry entry) {
    return entry.streams().stream().anyMatch(header -> header.stream().equals(AUDIT));
  }

  static boolean isAudit(TokenWish wish) {
    return wish.writes().stream().anyMatch(part -> part.stream().equals(AUDIT));
  }

  /** Returns the number of refusals of each server in its present life. */
  Map<String, Long> refusals() {
    return refusals;
  }

  @Override
  public RequestHandler around(SimServer server, RequestHandler handler, RequestHandler roles) {
    refusals.put(server.name(), 0L);
    return new RequestHandler() {
      @Override
      public void handle(Request request, Consumer<Reply> reply) {
        handler.handle(request, reply);
      }

      @Override
      public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
        boolean isStranger = origin.identity().name().startsWith(SimListener.IDENTITIES + STRANGER);
        handler.handle(
            fault.changed(request),
            origin,
            answer -> {
              if (isStranger && answer instanceof Failure.Forbidden) {
                refusals.merge(server.name(), 1L, Long::sum);
              }
              if (!fault.losesReply(request, answer)) {
                reply.accept(answer);
              }
            });
      }

      @Override
      public void turnEnded() {
        handler.turnEnded();
      }
    };
  }
}
