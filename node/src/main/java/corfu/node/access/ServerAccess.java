package corfu.node.access;

import corfu.access.AccessPolicy;
import corfu.access.audit.AuditSink;
import corfu.access.audit.AuditTrail;
import corfu.access.gate.AccessGate;
import corfu.access.gate.GateOptions;
import corfu.access.gate.Surroundings;
import corfu.access.gate.TrustedIdentities;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.message.Failure;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.stream.LocalEntries;
import corfu.runtime.Corfu;
import corfu.transport.RequestHandler;
import corfu.world.Loop;
import corfu.world.World;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Permissions at one server: the handler of all requests that come from the transport. A gate
 * decides on them before the roles see them. The server's requests to its own roles do not pass
 * here.
 *
 * <p>Until the policy was read to its end once since the start, only the identities of the
 * configuration are served. The transport calls the handler on the server's loop. Any thread may
 * call the other methods.
 */
public final class ServerAccess implements RequestHandler {

  private final Loop loop;
  private final RequestHandler roles;
  private final AccessGate gate;
  private final PolicyFollower follower;
  private final Settlements settlements;
  private final UsageCollector usage;

  /** The newest known tail. The gate refuses all clients while there is none. */
  private long tail;

  /**
   * @param server the server's name
   * @param self the server's endpoint in layouts
   * @param world the clock and threads
   * @param loop the server's loop
   * @param trusted the identities of the configuration
   * @param limits the limits of a request
   * @param roles the handler of allowed requests
   * @param entries the entries of the server's log unit
   * @param askLayoutServers asks the layout servers for the newest layout; called on the loop
   * @param connect creates the server's own client; may block
   */
  public ServerAccess(
      String server,
      Endpoint self,
      World world,
      Loop loop,
      TrustedIdentities trusted,
      Limits limits,
      RequestHandler roles,
      LocalEntries entries,
      Runnable askLayoutServers,
      Supplier<Corfu> connect) {
    this.loop = loop;
    this.roles = roles;
    Surroundings surroundings =
        new Surroundings(
            entries,
            call -> false, // the host knows the operation only when it has opened the object
            epoch -> askLayoutServers.run(),
            () -> tail,
            world::nanoTime,
            world.random()::nextLong);
    GateOptions usual = GateOptions.DEFAULT;
    this.gate =
        new AccessGate(
            new GateOptions(limits, usual.mostIdentities(), usual.mostNameBytes()),
            trusted,
            surroundings,
            new AuditTrail(AuditSink.NONE, world::nanoTime),
            this::pass);
    this.follower = new PolicyFollower(server, world, connect, new OnLoop());
    this.settlements = new Settlements(world, loop, follower::client);
    this.usage = new UsageCollector(self, world, loop, gate, follower::client);
  }

  /** Enforces what the follower has read, on the loop. */
  private final class OnLoop implements PolicyFollower.Listener {

    @Override
    public void isNow(AccessPolicy policy, long newestTail) {
      loop.execute(
          () -> {
            tail = newestTail;
            if (isEnforced(policy)) {
              gate.isNewest();
            } else {
              gate.enforce(policy);
            }
          });
    }

    /** A version is a place in the log: two policies of one version are the same. */
    private boolean isEnforced(AccessPolicy policy) {
      return gate.policy().filter(known -> known.version() == policy.version()).isPresent();
    }

    @Override
    public void isUnreadable() {
      loop.execute(gate::forgetPolicy);
    }
  }

  private void pass(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    switch (request) {
      case NodeRequest.Settle settle -> settlements.settle(settle, reply);
      case NodeRequest.SettleStreams settle -> settlements.settle(settle, reply);
      default -> roles.handle(request, origin, reply);
    }
  }

  /** Begins to follow the policy. The server's client must be able to connect from now on. */
  public void start() {
    follower.start();
    usage.start();
  }

  @Override
  public void handle(Request request, RequestOrigin origin, Consumer<Reply> reply) {
    gate.handle(request, origin, reply);
  }

  /** A request without an origin has no proven name. */
  @Override
  public void handle(Request request, Consumer<Reply> reply) {
    gate.handle(request, RequestOrigin.UNKNOWN, reply);
  }

  @Override
  public Optional<Failure> connected(RequestOrigin origin) {
    return gate.connected(origin);
  }

  @Override
  public void disconnected(RequestOrigin origin) {
    gate.disconnected(origin);
  }

  @Override
  public void turnEnded() {
    roles.turnEnded();
  }

  /** Ends after the process has died. */
  public void abandon() {
    usage.stop();
    follower.abandon();
  }

  /** Follows the policy no more, and closes the server's client. */
  public void close() {
    usage.stop();
    follower.close();
  }
}
