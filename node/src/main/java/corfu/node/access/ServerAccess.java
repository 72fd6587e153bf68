package corfu.node.access;

import corfu.access.AccessPolicy;
import corfu.access.audit.AuditTrail;
import corfu.access.gate.AccessGate;
import corfu.access.gate.GateOptions;
import corfu.access.gate.Surroundings;
import corfu.access.gate.TrustedIdentities;
import corfu.protocol.Endpoint;
import corfu.protocol.Limits;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
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
import java.util.concurrent.CompletableFuture;
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
  private final TrustedIdentities trusted;
  private final RequestHandler roles;
  private final AccessGate gate;
  private final PolicyFollower follower;
  private final Settlements settlements;
  private final World world;
  private final AuditWriter writer;
  private final AuditTrail audit;

  /** The next report of counted events. */
  private volatile World.Timer nextReport = () -> {};

  private volatile boolean isEnded;
  private final LearnedKeys keys;
  private final UsageCollector usage;

  /** The newest known tail. The gate refuses all clients while there is none. */
  private long tail;

  /** The log address below which no entry makes the policy; 0 while that is not known. */
  private long neededFrom;

  /**
   * @param server the server's name
   * @param self the server's endpoint in layouts
   * @param world the clock and threads
   * @param loop the server's loop
   * @param trusted the identities of the configuration
   * @param limits the limits of a request
   * @param roles the handler of allowed requests
   * @param entries the entries of the server's log unit
   * @param layout returns the newest layout that the server knows; called on the loop
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
      Supplier<Optional<Layout>> layout,
      Runnable askLayoutServers,
      Supplier<Corfu> connect) {
    this.loop = loop;
    this.trusted = trusted;
    this.roles = roles;
    this.follower = new PolicyFollower(server, world, connect, new OnLoop());
    this.keys = new LearnedKeys(world, loop, follower::client, layout);
    Surroundings surroundings =
        new Surroundings(
            entries,
            call -> false, // the host knows the operation only when it has opened the object
            epoch -> askLayoutServers.run(),
            () -> tail,
            world::nanoTime,
            world.secrets()::nextLong,
            keys);
    GateOptions usual = GateOptions.DEFAULT;
    this.world = world;
    this.writer = new AuditWriter(server, world, follower::client, limits.maxPayloadBytes());
    this.audit = new AuditTrail(writer, world::nanoTime);
    this.gate =
        new AccessGate(
            new GateOptions(limits, usual.mostIdentities(), usual.mostNameBytes()),
            trusted,
            surroundings,
            audit,
            this::pass);
    this.settlements = new Settlements(world, loop, follower::client);
    this.usage = new UsageCollector(self, world, loop, gate, follower::client);
  }

  /** Enforces what the follower has read, on the loop. */
  private final class OnLoop implements PolicyFollower.Listener {

    @Override
    public void isNow(AccessPolicy policy, long newestTail, long oldest) {
      loop.execute(
          () -> {
            tail = newestTail;
            neededFrom = oldest;
            if (isEnforced(policy)) {
              gate.isNewest();
            } else {
              gate.enforce(policy);
            }
            keys.prefetch();
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
      case LogUnitRequest.PrefixTrim trim when losesThePolicy(trim, origin) -> {
        follower.keepAbove(trim.before());
        reply.accept(keepsThePolicyFirst(trim));
      }
      default -> roles.handle(request, origin, reply);
    }
  }

  /** A server passes on trims that others have done. */
  private boolean losesThePolicy(LogUnitRequest.PrefixTrim trim, RequestOrigin origin) {
    return neededFrom < trim.before() && !trusted.isServer(origin.identity());
  }

  private static Failure keepsThePolicyFirst(LogUnitRequest.PrefixTrim trim) {
    return new Failure.NotServing(
        "the log below %d has permissions; this server writes them to the end of the log first; try"
                .formatted(trim.before())
            + " again");
  }

  /** Begins to follow the policy. The server's client must be able to connect from now on. */
  public void start() {
    follower.start();
    usage.start();
    loop.execute(this::reportLater);
  }

  /** A flood may end before its window does. Its counted events are reported all the same. */
  private void reportLater() {
    if (!isEnded) {
      nextReport = world.after(AuditTrail.WINDOW.toNanos(), () -> loop.execute(this::report));
    }
  }

  private void report() {
    audit.flush();
    reportLater();
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
    abandonReports();
    usage.stop();
    follower.abandon();
  }

  /**
   * Reports the last events to the audit log, before the server stops to serve. Waits a moment for
   * the log. Must not be called on the loop.
   */
  public void finish() {
    CompletableFuture<Void> reported = new CompletableFuture<>();
    loop.execute(
        () -> {
          audit.flush();
          reported.complete(null);
        });
    reported.join();
    writer.finish();
  }

  /** Follows the policy no more, and closes the server's client. */
  public void close() {
    abandonReports();
    usage.stop();
    follower.close();
  }

  private void abandonReports() {
    isEnded = true;
    nextReport.cancel();
    writer.close();
  }
}
