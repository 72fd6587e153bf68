package corfu.runtime;

import corfu.protocol.Endpoint;
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
import java.util.List;
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
   * Makes a cluster of servers that belong to none: decides its first layout and starts its
   * sequencer. Where a layout had been decided before, that one stays.
   *
   * @return the cluster's newest layout
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout bootstrap(Layout proposal) {
    Deadline deadline = Deadline.in(world, timeout);
    Layout decided =
        repeat(
            "bootstrap the cluster",
            deadline,
            () ->
                new LayoutDecision(world, servers, deadline)
                    .decide(proposal, proposal.layoutServers()));
    tellEverybody(decided, deadline);
    if (decided.equals(proposal)) {
      try {
        startSequencer(decided, decided.openSegment().start(), deadline);
        return decided;
      } catch (SetbackException perhapsStarted) {
        // never started twice in one epoch: see renew
      }
    }
    return serve(decided);
  }

  /**
   * Makes sure that the layout's sequencer serves, renewing the layout where it does not.
   *
   * @return the newest layout
   * @throws UnavailableException if servers that are needed did not answer in time
   */
  public Layout serve(Layout layout) {
    Deadline deadline = Deadline.in(world, timeout);
    try {
      new Tokens(servers).tail(layout, deadline);
      return layout;
    } catch (SetbackException silent) {
      return renew(layout);
    }
  }

  /**
   * Replaces the layout by the same one in the next epoch, so that a sequencer which lost its state
   * may serve again: it starts behind everything that any log unit holds (R6). Whenever it is
   * unknown whether a sequencer was started, the answer is another epoch: a second start of one
   * epoch could make a sequencer that crashed in between issue its tokens again.
   *
   * @return the new layout, or the one that somebody else decided meanwhile
   * @throws UnavailableException if a log unit, or too few layout servers, answered in time
   */
  public Layout renew(Layout old) {
    Deadline deadline = Deadline.in(world, timeout);
    return repeat(
        "renew the layout of epoch " + old.epoch(),
        deadline,
        () -> renew(newestOf(old, deadline), deadline));
  }

  private Layout newestOf(Layout old, Deadline deadline) {
    Layouts layouts = Layouts.discover(servers, old.layoutServers(), deadline);
    layouts.adopt(old);
    return layouts.current();
  }

  private Layout renew(Layout layout, Deadline deadline) {
    long tail = seal(layout, deadline);
    Layout proposal =
        new Layout(
            layout.clusterId(),
            layout.epoch().next(),
            layout.sequencers(),
            layout.layoutServers(),
            layout.segments());
    Layout decided =
        new LayoutDecision(world, servers, deadline).decide(proposal, layout.layoutServers());
    tellEverybody(decided, deadline);
    if (decided.equals(proposal)) {
      startSequencer(decided, tail, deadline);
    }
    return decided;
  }

  /**
   * Seals the epoch at the sequencer, if it answers, and at every log unit.
   *
   * @return the address behind everything that was ever written or issued and written in this epoch
   */
  private long seal(Layout layout, Deadline deadline) {
    long tail = layout.openSegment().start();
    for (Endpoint sequencer : layout.sequencers()) {
      try {
        tail =
            Math.max(
                tail,
                servers
                    .ask(
                        sequencer,
                        new SequencerRequest.Seal(layout.epoch()),
                        SequencerReply.Tail.class,
                        deadline)
                    .next());
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
      tail =
          Math.max(
              tail, Servers.await(units.get(i), replies.get(i), LogUnitReply.Tail.class).next());
    }
    return tail;
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

  private void startSequencer(Layout layout, long next, Deadline deadline) {
    for (Endpoint sequencer : layout.sequencers().stream().limit(1).toList()) {
      servers.ask(
          sequencer, new SequencerRequest.Start(layout.epoch(), next), Reply.Done.class, deadline);
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
