package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.transport.Transport;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * Makes layouts come and go: seal, decide, start the sequencer, tell everybody (CORFU, section
 * 3.2.1; DESIGN 3.6). Anyone may do it, several at the same time, too; safety never depends on who.
 * Thread-safe.
 */
public final class Reconfiguration {

  private final World world;
  private final Servers servers;
  private final Duration timeout;

  /**
   * @param requestTimeout how long one request to one server may take
   * @param timeout how long a whole reconfiguration may take
   */
  public Reconfiguration(
      World world, Transport transport, Duration requestTimeout, Duration timeout) {
    this.world = world;
    this.servers = new Servers(transport, requestTimeout);
    this.timeout = timeout;
  }

  /**
   * Makes a cluster of servers that belong to none. Its first epoch is only for joining: its layout
   * is decided and given to every log unit, and when all have it, the second epoch starts to serve.
   * So a log unit that is blank in any later epoch has lost what it held, and is not taken back as
   * if it had held nothing. Where a layout had been decided before, that one stays, and what its
   * bootstrap had left undone is done.
   *
   * @return the cluster's newest layout, whose sequencer serves
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout bootstrap(Layout proposal) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
        "bootstrap the cluster",
        deadline,
        () -> {
          Layout decided =
              new LayoutDecision(world, servers, deadline)
                  .decide(proposal, proposal.layoutServers())
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
    return isServing(layout, deadline) ? layout : renew(layout, deadline);
  }

  /**
   * Whether the sequencer serves, and no log unit that answers is sealed. A seal that nobody has
   * brought to its end, perhaps an earlier try of this very call, leaves some units closed, and
   * only another epoch opens them again.
   */
  private boolean isServing(Layout layout, Deadline deadline) {
    if (layout.epoch().equals(Epoch.FIRST)) {
      return false;
    }
    try {
      new Tokens(servers).tail(layout, deadline);
    } catch (SetbackException silent) {
      return false;
    }
    List<Endpoint> units = List.copyOf(layout.logUnits());
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Endpoint unit : units) {
      replies.add(servers.send(unit, new LogUnitRequest.AskTail(layout.epoch()), deadline));
    }
    boolean sealed = false;
    for (int i = 0; i < units.size(); i++) {
      try {
        Servers.await(units.get(i), replies.get(i), LogUnitReply.Tail.class);
      } catch (SetbackException obstacle) {
        sealed |= obstacle.kind() == SetbackException.Kind.SEALED;
      }
    }
    return !sealed;
  }

  /**
   * Replaces the layout by the same one in the next epoch, so that a sequencer which lost its state
   * may serve again: it starts behind everything that any log unit holds (R6). Only whose own
   * proposal was decided sends a start, and the start is for the incarnation that answered the
   * seal: so a sequencer that has served in an epoch, and crashed, is not started in it again.
   *
   * @param known any layout of the cluster; the newest one is replaced
   * @return the new layout, whose sequencer serves
   * @throws UnavailableException if a log unit, or too few layout servers, answered in time
   */
  public Layout renew(Layout known) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat("renew the layout", deadline, () -> renew(newestOf(known, deadline), deadline));
  }

  /** The newest layout that these servers know; empty if they know none, or do not answer. */
  public Optional<Layout> find(List<Endpoint> layoutServers) {
    try {
      return Optional.of(
          Layouts.discover(servers, layoutServers, Deadline.in(world, timeout)).current());
    } catch (UnavailableException none) {
      return Optional.empty();
    }
  }

  private Layout newestOf(Layout old, Deadline deadline) {
    Layouts layouts = Layouts.discover(servers, old.layoutServers(), deadline);
    layouts.adopt(old);
    return layouts.current();
  }

  private Layout renew(Layout layout, Deadline deadline) {
    SealedLog old;
    try {
      old = seal(layout, deadline);
    } catch (SetbackException setback) {
      if (setback.serverEpoch().filter(layout.epoch()::isBefore).isPresent()) {
        spreadDecision(layout, deadline);
      }
      throw setback;
    }
    var decided = decideNext(layout, deadline);
    tellEverybody(decided.layout(), deadline);
    if (decided.isOurs()) {
      startSequencer(decided.layout(), old, deadline);
    } else {
      new Tokens(servers).tail(decided.layout(), deadline); // whoever won must have started it
    }
    return decided.layout();
  }

  /**
   * A log unit has the next layout already, so that one has been decided; but its proposer may have
   * died before the layout servers had learnt it. Finds it out from their votes, and tells
   * everybody.
   */
  private void spreadDecision(Layout layout, Deadline deadline) {
    tellEverybody(decideNext(layout, deadline).layout(), deadline);
  }

  private LayoutDecision.Decided decideNext(Layout layout, Deadline deadline) {
    return new LayoutDecision(world, servers, deadline)
        .decide(layout.next(), layout.layoutServers());
  }

  /**
   * What sealing an epoch found out.
   *
   * @param tail the address behind everything that was written in the epoch, or issued by a
   *     sequencer that answered
   * @param incarnations of the sequencers that answered
   */
  private record SealedLog(long tail, Map<Endpoint, Long> incarnations) {}

  /** Seals the epoch at the sequencers, as far as they answer, and at every log unit. */
  private SealedLog seal(Layout layout, Deadline deadline) {
    long tail = layout.openSegment().start();
    Map<Endpoint, Long> incarnations = new LinkedHashMap<>();
    SequencerRequest.Seal request = new SequencerRequest.Seal(layout.epoch());
    for (Endpoint sequencer : layout.sequencers()) {
      try {
        var sealed = servers.ask(sequencer, request, SequencerReply.SealedAt.class, deadline);
        tail = Math.max(tail, sealed.next());
        incarnations.put(sequencer, sealed.incarnation());
      } catch (SetbackException lost) {
        // Its count is not needed: a token dies with its epoch unless a head has its entry (R2).
      }
    }
    List<Endpoint> units = List.copyOf(layout.logUnits());
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Endpoint unit : units) {
      replies.add(servers.send(unit, new LogUnitRequest.Seal(layout.epoch()), deadline));
    }
    for (int i = 0; i < units.size(); i++) {
      var sealed = Servers.await(units.get(i), replies.get(i), LogUnitReply.Tail.class);
      tail = Math.max(tail, sealed.next());
    }
    return new SealedLog(tail, incarnations);
  }

  /**
   * Every layout server and log unit that answers; the others learn it from the clients that meet
   * them.
   */
  private void tellEverybody(Layout layout, Deadline deadline) {
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Endpoint server : layout.layoutServers()) {
      replies.add(servers.send(server, new LayoutRequest.Learn(layout), deadline));
    }
    for (Endpoint unit : layout.logUnits()) {
      replies.add(servers.send(unit, new LogUnitRequest.Install(layout), deadline));
    }
    for (CompletableFuture<Reply> reply : replies) {
      reply.handle((answer, failure) -> Reply.Done.DONE).join();
    }
  }

  private void startSequencer(Layout layout, SealedLog old, Deadline deadline) {
    for (Endpoint sequencer : layout.sequencers().stream().limit(1).toList()) {
      Long incarnation = old.incarnations().get(sequencer);
      if (incarnation == null) {
        throw SetbackException.server(
            sequencer,
            false,
            "the sequencer at " + sequencer + " did not answer when it was sealed");
      }
      servers.ask(
          sequencer,
          new SequencerRequest.Start(layout.epoch(), old.tail(), incarnation),
          Reply.Done.class,
          deadline);
    }
  }

  private <T> T repeat(String what, Deadline deadline, Supplier<T> attempt) {
    Backoff backoff = new Backoff(world, deadline);
    while (true) {
      try {
        return attempt.get();
      } catch (SetbackException setback) {
        if (deadline.hasPassed()) {
          throw new UnavailableException(
              "could not "
                  + what
                  + " within "
                  + timeout.toMillis()
                  + " ms: "
                  + setback.getMessage());
        }
        backoff.pause();
      }
    }
  }
}
