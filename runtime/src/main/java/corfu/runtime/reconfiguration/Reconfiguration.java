package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.LastReplicaException;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Plan;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.rpc.Backoff;
import corfu.runtime.internal.rpc.Retry;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.rebuild.Rebuild;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Replaces layouts: seal, decide, start the sequencer, tell all servers (CORFU, section 3.2.1;
 * docs/design.md, section 6). Any process may do so, and several may at the same time; safety never
 * depends on which one does. Thread-safe.
 */
public final class Reconfiguration {

  private final World world;
  private final Servers servers;
  private final Duration timeout;
  private final Stages stages;
  private final Retries retries;

  /** Whether a failed change is retried. */
  private enum Retries {
    UNTIL_DEADLINE,
    NONE
  }

  /**
   * @param requestTimeout the longest time of one request to one server
   * @param timeout the longest time of a whole reconfiguration
   */
  public Reconfiguration(
      World world, Transport transport, Duration requestTimeout, Duration timeout) {
    this(
        world,
        new Servers(transport, requestTimeout),
        timeout,
        Stages.ignored(),
        Retries.UNTIL_DEADLINE);
  }

  private Reconfiguration(
      World world, Servers servers, Duration timeout, Stages stages, Retries retries) {
    this.world = world;
    this.servers = servers;
    this.timeout = timeout;
    this.stages = stages;
    this.retries = retries;
  }

  /** Returns this reconfiguration with a listener for its stages. */
  public Reconfiguration withStages(Stages listener) {
    return new Reconfiguration(world, servers, timeout, listener, retries);
  }

  /**
   * Returns this reconfiguration without retries: each change is tried once and then throws {@link
   * UnavailableException}. For callers that look at the cluster again before each attempt, because
   * a server that the first attempt needed may have failed since.
   */
  public Reconfiguration withoutRetries() {
    return new Reconfiguration(world, servers, timeout, stages, Retries.NONE);
  }

  /**
   * Makes a cluster of servers that belong to none. The first epoch is only for joining: its layout
   * is decided and sent to every log unit. When all log units have it, the second epoch starts to
   * serve. If a layout had been decided before, that layout stays, and its bootstrap is completed.
   *
   * @param proposal the first layout; its servers' incarnations need not be known
   * @return the cluster's newest layout, whose sequencer serves
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout bootstrap(Layout proposal) {
    Deadline deadline = Deadline.in(world, timeout);
    return retry(
        "bootstrap the cluster",
        deadline,
        () -> {
          Optional<Layout> made = find(proposal.layoutServers(), deadline);
          if (made.filter(layout -> Epoch.FIRST.isBefore(layout.epoch())).isPresent()) {
            return serve(made.get(), deadline); // asks no log unit again: one may have died since
          }
          Layout decided =
              new LayoutDecision(world, servers, deadline, layout -> Set.of(), stages)
                  .decide(identified(proposal, deadline), proposal.layoutServers())
                  .layout();
          if (!decided.epoch().equals(Epoch.FIRST)) {
            return serve(decided, deadline);
          }
          for (Endpoint unit : decided.logUnits()) {
            servers.ask(unit, new LogUnitRequest.Install(decided), Reply.Done.class, deadline);
          }
          return renew(decided, deadline);
        });
  }

  /** Returns the proposal with the incarnations that the servers have now. */
  private Layout identified(Layout proposal, Deadline deadline) {
    Map<Endpoint, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    for (Endpoint server : proposal.servers()) {
      replies.put(server, servers.send(server, new NodeRequest.AskStatus(), deadline));
    }
    Map<Endpoint, Incarnation> acceptors = new LinkedHashMap<>();
    Map<Endpoint, Incarnation> units = new LinkedHashMap<>();
    replies.forEach(
        (server, reply) -> {
          Health health = Servers.await(server, reply, NodeReply.Status.class).health();
          acceptors.put(server, health.acceptor());
          units.put(server, health.unit());
        });
    return proposal.withIncarnations(acceptors, units);
  }

  /**
   * Makes sure that the newest layout's sequencer serves, and renews the layout if it does not.
   *
   * @param known any layout of the cluster
   * @return the newest layout
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout serve(Layout known) {
    Deadline deadline = Deadline.in(world, timeout);
    return retry(
        "make the log available", deadline, () -> serve(newestOf(known, deadline), deadline));
  }

  private Layout serve(Layout layout, Deadline deadline) {
    return new ServiceProbe(servers, layout, deadline).isComplete()
        ? layout
        : renew(layout, deadline);
  }

  /**
   * Replaces the layout by the same one in the next epoch, so that a sequencer which lost its state
   * may serve again. The sequencer starts behind everything that any head holds (R6). Only the
   * proposer whose proposal was decided sends a start. The start names the incarnation that
   * answered the seal. So a sequencer that has served in an epoch, and crashed, is not started in
   * it again.
   *
   * @param known any layout of the cluster; the newest one is replaced
   * @return the new layout, whose sequencer serves
   * @throws UnavailableException if a head did not answer in time, or too few layout servers did
   */
  public Layout renew(Layout known) {
    Deadline deadline = Deadline.in(world, timeout);
    return retry("renew the layout", deadline, () -> renew(newestOf(known, deadline), deadline));
  }

  private Layout renew(Layout layout, Deadline deadline) {
    return succeed(layout, layout, ClusterHealth.calm(layout), true, deadline);
  }

  /**
   * Repairs the cluster as far as possible now: drops servers that are suspected or have lost their
   * disks, uses spares, and completes reconfigurations that were left half done. It copies no data;
   * see {@link Rebuild}.
   *
   * @param known any layout of the cluster
   * @param clusterHealth the layout servers' view; one of an older layout than the newest has no
   *     effect
   * @return the newest layout: another one if there was something to change, and the change
   *     succeeded
   * @throws UnavailableException if servers that are needed did not answer in time, or the last
   *     replica of the newest entries is gone
   */
  public Layout heal(Layout known, ClusterHealth clusterHealth) {
    Deadline deadline = Deadline.in(world, timeout);
    return retry(
        "repair the cluster",
        deadline,
        () -> {
          Layout now = newestOf(known, deadline);
          if (!now.epoch().equals(clusterHealth.layout().epoch())) {
            return now;
          }
          boolean isHalfDone =
              new ServiceProbe(servers, now, deadline).isLeftHalfDone(clusterHealth);
          return succeed(now, now, clusterHealth, isHalfDone, deadline);
        });
  }

  /**
   * Puts an operator's wish into the layout, and carries it out as far as possible at once.
   *
   * @param wish turns the newest layout into the wished one, of the same epoch, or returns the same
   *     layout if nothing is left to change
   * @return the newest layout, in which the wish is fulfilled
   * @throws UnavailableException if servers that are needed did not answer in time, or the last
   *     replica of an entry would be dropped
   */
  public Layout change(Layout known, UnaryOperator<Layout> wish, ClusterHealth clusterHealth) {
    Deadline deadline = Deadline.in(world, timeout);
    return retry(
        "change the layout",
        deadline,
        () -> {
          Layout now = newestOf(known, deadline);
          while (true) {
            Layout wished = wish.apply(now);
            if (wished.equals(now)) {
              return now;
            }
            now = succeed(now, wished, clusterHealth, false, deadline);
          }
        });
  }

  /**
   * Puts a copied segment's target into effect.
   *
   * @param copied the result of {@link Rebuild#run}
   * @param start the segment's first address
   * @return the newest layout. If it was another one by now, the segment still has its target, and
   *     the copy must be checked again.
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout finish(Layout copied, long start, ClusterHealth clusterHealth) {
    return change(copied, layout -> Plan.withCopied(layout, copied, start), clusterHealth);
  }

  /**
   * Returns the newest layout that these servers know, or empty if they know none, or do not
   * answer.
   */
  public Optional<Layout> find(List<Endpoint> layoutServers) {
    return find(layoutServers, Deadline.in(world, timeout));
  }

  private Optional<Layout> find(List<Endpoint> layoutServers, Deadline deadline) {
    try {
      return Optional.of(Layouts.discover(servers, layoutServers, deadline).current());
    } catch (UnavailableException none) {
      return Optional.empty();
    }
  }

  private Layout newestOf(Layout old, Deadline deadline) {
    Layouts layouts = Layouts.discover(servers, old.layoutServers(), deadline);
    layouts.adopt(old);
    return layouts.current();
  }

  private Layout succeed(
      Layout now, Layout wished, ClusterHealth clusterHealth, boolean isForced, Deadline deadline) {
    ReconfigurationAttempt succession =
        new ReconfigurationAttempt(world, servers, now, deadline, stages);
    try {
      return succession.to(wished, clusterHealth, isForced);
    } catch (RetryableException retryable) {
      if (retryable.serverEpoch().filter(now.epoch()::isBefore).isPresent()) {
        succession.spreadDecision();
      }
      throw retryable;
    }
  }

  private <T> T retry(String what, Deadline deadline, Supplier<T> attempt) {
    try {
      return Retry.untilDone(attempt, policy(what, deadline));
    } catch (LastReplicaException hopeless) {
      throw new UnavailableException("could not " + what + ": " + hopeless.getMessage());
    }
  }

  private Retry.Policy policy(String what, Deadline deadline) {
    Backoff backoff = new Backoff(world, deadline);
    return new Retry.Policy() {
      private String before = "";

      @Override
      public void prepareNext(RetryableException failure) {
        if (failure.isForbidden()) {
          throw failure.refusedCall(what);
        }
        String reason = failure.getMessage();
        if (retries == Retries.NONE) {
          throw new UnavailableException("could not " + what + ": " + reason);
        }
        if (deadline.hasPassed()) {
          // The deadline may have cut the last attempt short. The one before says more then.
          String reasons = before.isEmpty() || before.equals(reason) ? "" : "; before: " + before;
          throw new UnavailableException(
              "could not %s within %d ms: %s%s"
                  .formatted(what, timeout.toMillis(), reason, reasons));
        }
        before = reason;
        backoff.pause();
      }
    };
  }
}
