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
 * Makes layouts come and go: seal, decide, start the sequencer, tell everybody (CORFU, section
 * 3.2.1; docs/design.md, section 6). Anyone may do it, several at the same time, too; safety never
 * depends on who. Thread-safe.
 */
public final class Reconfiguration {

  private final World world;
  private final Servers servers;
  private final Duration timeout;
  private final Stages stages;
  private final Retries retries;

  /** Whether a change is tried again by itself. */
  private enum Retries {
    UNTIL_DEADLINE,
    NONE
  }

  /**
   * @param requestTimeout how long one request to one server may take
   * @param timeout how long a whole reconfiguration may take
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

  /** The same, which tells how far it has come. */
  public Reconfiguration withStages(Stages listener) {
    return new Reconfiguration(world, servers, timeout, listener, retries);
  }

  /**
   * The same, which tries each change once and then throws {@link UnavailableException}. For
   * callers that look at the cluster again before each try: a server that the first try needed may
   * have failed since.
   */
  public Reconfiguration withoutRetries() {
    return new Reconfiguration(world, servers, timeout, stages, Retries.NONE);
  }

  /**
   * Makes a cluster of servers that belong to none. Its first epoch is only for joining: its layout
   * is decided and given to every log unit, and when all have it, the second epoch starts to serve.
   * Where a layout had been decided before, that one stays, and what its bootstrap had left undone
   * is done.
   *
   * @param proposal its servers' incarnations need not be known
   * @return the cluster's newest layout, whose sequencer serves
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout bootstrap(Layout proposal) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
        "bootstrap the cluster",
        deadline,
        () -> {
          Optional<Layout> made = find(proposal.layoutServers(), deadline);
          if (made.filter(layout -> Epoch.FIRST.isBefore(layout.epoch())).isPresent()) {
            return serve(made.get(), deadline); // without asking all, who may have died since
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

  /** With the incarnations that the servers have now. */
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
   * Makes sure that the newest layout's sequencer serves, renewing the layout where it does not.
   *
   * @param known any layout of the cluster
   * @return the newest layout
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout serve(Layout known) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
        "have the log served", deadline, () -> serve(newestOf(known, deadline), deadline));
  }

  private Layout serve(Layout layout, Deadline deadline) {
    return new ServiceProbe(servers, layout, deadline).isComplete()
        ? layout
        : renew(layout, deadline);
  }

  /**
   * Replaces the layout by the same one in the next epoch, so that a sequencer which lost its state
   * may serve again: it starts behind everything that any head holds (R6). Only whose own proposal
   * was decided sends a start, and the start is for the incarnation that answered the seal: so a
   * sequencer that has served in an epoch, and crashed, is not started in it again.
   *
   * @param known any layout of the cluster; the newest one is replaced
   * @return the new layout, whose sequencer serves
   * @throws UnavailableException if a head, or too few layout servers, answered in time
   */
  public Layout renew(Layout known) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat("renew the layout", deadline, () -> renew(newestOf(known, deadline), deadline));
  }

  private Layout renew(Layout layout, Deadline deadline) {
    return succeed(layout, layout, ClusterHealth.calm(layout), true, deadline);
  }

  /**
   * Brings the cluster as close to what is wanted as can be had now: drops servers that are under
   * suspicion or have lost their disks, uses spares, finishes what somebody else has left half
   * done. Data is not copied; see {@link Rebuild}.
   *
   * @param known any layout of the cluster
   * @param clusterHealth what the layout servers think; one about an older layout than the newest
   *     leads to nothing
   * @return the newest layout: another one if something was to be done, and was
   * @throws UnavailableException if servers that are needed did not answer in time, or the last
   *     replica of what was appended last is gone
   */
  public Layout heal(Layout known, ClusterHealth clusterHealth) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
        "heal the cluster",
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
   * Has an operator's wish put into the layout, and done as far as can be done at once.
   *
   * @param wish makes another layout of the newest one, of the same epoch, or the same one if there
   *     is nothing to wish for
   * @return the newest layout, in which the wish is fulfilled
   * @throws UnavailableException if servers that are needed did not answer in time, or the last
   *     replica of something would go
   */
  public Layout change(Layout known, UnaryOperator<Layout> wish, ClusterHealth clusterHealth) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
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
   * Makes a segment what it was copied for.
   *
   * @param copied what {@link Rebuild#run} has returned
   * @param start the segment's first address
   * @return the newest layout; the segment has its target still, if the layout was another one by
   *     now: then the copying must be looked through again
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout finish(Layout copied, long start, ClusterHealth clusterHealth) {
    return change(copied, layout -> Plan.withCopied(layout, copied, start), clusterHealth);
  }

  /** The newest layout that these servers know; empty if they know none, or do not answer. */
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

  private <T> T repeat(String what, Deadline deadline, Supplier<T> attempt) {
    Backoff backoff = new Backoff(world, deadline);
    while (true) {
      try {
        return attempt.get();
      } catch (LastReplicaException hopeless) {
        throw new UnavailableException("could not " + what + ": " + hopeless.getMessage());
      } catch (RetryableException retryable) {
        if (retries == Retries.NONE) {
          throw new UnavailableException("could not " + what + ": " + retryable.getMessage());
        }
        if (deadline.hasPassed()) {
          throw new UnavailableException(
              "could not "
                  + what
                  + " within "
                  + timeout.toMillis()
                  + " ms: "
                  + retryable.getMessage());
        }
        backoff.pause();
      }
    }
  }
}
