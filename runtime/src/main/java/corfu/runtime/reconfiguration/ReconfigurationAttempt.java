package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutDiff;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.PlanInput;
import corfu.protocol.layout.PlanInput.TailBound;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Seal.Extent;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.rpc.Settlement;
import corfu.runtime.internal.stream.StreamUnits;
import corfu.runtime.internal.token.Tokens;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** One attempt to replace one layout by the next (docs/design.md, section 6). For one thread. */
final class ReconfigurationAttempt {

  /**
   * The time that servers have to install the new layout. A server that is later learns it from a
   * client, or by itself.
   */
  private static final Duration TELLING = Duration.ofMillis(100);

  private final World world;
  private final Servers servers;
  private final Layout now;
  private final Deadline deadline;
  private final Stages stages;
  private final Sealing sealing;
  private final Set<Endpoint> gone = new LinkedHashSet<>();
  private final Map<Endpoint, Incarnation> fresh = new LinkedHashMap<>();
  private final Set<Endpoint> askedToClose = new LinkedHashSet<>();
  private final Map<Endpoint, Incarnation> acceptors = new LinkedHashMap<>();
  private boolean isSequencerAsked;
  private KnownStreams streams = KnownStreams.FORGOTTEN;

  ReconfigurationAttempt(
      World world, Servers servers, Layout now, Deadline deadline, Stages stages) {
    this.world = world;
    this.servers = servers;
    this.now = now;
    this.deadline = deadline;
    this.stages = stages;
    this.sealing = new Sealing(servers, now, deadline);
  }

  /**
   * Replaces the layout by the next.
   *
   * @param wished the layout that an operator wishes for, of the same epoch; the layout itself
   *     without a wish
   * @param isForced whether there must be a next epoch even without a change
   * @return the next layout, whichever proposer made it; the same layout if there was nothing to do
   * @throws RetryableException if a server prevented it
   * @throws corfu.protocol.layout.LastReplicaException if the last replica of an entry would be
   *     dropped
   */
  Layout to(Layout wished, ClusterHealth clusterHealth, boolean isForced) {
    gone.addAll(clusterHealth.suspects());
    identifyLayoutServers(clusterHealth);
    Set<Endpoint> usable = new LinkedHashSet<>(clusterHealth.usableSpares());
    // Before any server is sealed: appends need not wait for a slow spare.
    Layout planned = planWithSpares(wished, usable, clusterHealth);
    boolean isNeeded = isForced || sealing.isAnySpareStuck();
    if (!isNeeded && planned.equals(now.next())) {
      return now;
    }
    stages.reached(Stages.Stage.FOUND);
    sealSequencer(planned);
    Layout next = sealUnits(wished, usable, clusterHealth);
    stages.reached(Stages.Stage.SEALED);
    LayoutDecision.Decided decided = decide(next);
    tellEverybody(decided.layout(), decided.isOurs());
    if (!decided.isOurs()) {
      new Tokens(servers, new StreamUnits(servers), new Settlement(servers))
          .tail(decided.layout(), deadline); // the winner must have started it
    }
    return decided.layout();
  }

  /**
   * Spreads the next layout, which some unit has already, so that it has been decided. Its proposer
   * may have died before the layout servers learned it. Finds it out from their votes, and tells
   * all servers.
   */
  void spreadDecision() {
    tellEverybody(decide(now.next()).layout(), false);
  }

  private LayoutDecision.Decided decide(Layout next) {
    return new LayoutDecision(world, servers, deadline, this::concernedButNotSealed, stages)
        .decide(next, now.layoutServers());
  }

  /**
   * Returns the servers whose replies would be wrong under that layout, and which are not sealed.
   * If the layout has other layout servers, this includes all log units: the new layout servers
   * know nothing of leases that the former ones granted. So none of these leases may outlast the
   * layout.
   */
  private Set<Endpoint> concernedButNotSealed(Layout next) {
    Set<Endpoint> concerned = new LinkedHashSet<>(LayoutDiff.by(now, next));
    if (hasOtherLayoutServers(next)) {
      concerned.addAll(now.logUnits());
    }
    Set<Endpoint> losing = losing(next);
    concerned.removeIf(unit -> isSealedEnough(unit, losing));
    now.sequencers().stream()
        .limit(1)
        .filter(sequencer -> sealing.incarnationOf(sequencer).isEmpty())
        .forEach(concerned::add);
    return concerned;
  }

  /**
   * Finds the layout servers' incarnations. Asks each layout server that seems to have another disk
   * than the layout names. The cluster health may be older than the layout, and may name an
   * incarnation that is over. No server could vote under such a name.
   */
  private void identifyLayoutServers(ClusterHealth clusterHealth) {
    Map<Endpoint, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    for (Member named : now.acceptors()) {
      Endpoint server = named.endpoint();
      Incarnation seen = clusterHealth.layoutServers().getOrDefault(server, named.incarnation());
      if (!seen.equals(named.incarnation())) {
        replies.put(server, servers.send(server, new NodeRequest.AskStatus(), deadline));
      }
    }
    replies.forEach(
        (server, reply) -> {
          try {
            Health health = Servers.await(server, reply, NodeReply.Status.class).health();
            if (health.acceptor().isKnown()) {
              acceptors.put(server, health.acceptor());
            }
          } catch (RetryableException silent) {
            // keeps the incarnation that the layout names, until it answers
          }
        });
  }

  private boolean hasOtherLayoutServers(Layout next) {
    return !Set.copyOf(now.layoutServers()).equals(Set.copyOf(next.layoutServers()));
  }

  /**
   * Returns the units that must not answer reads any more, sealed or not, once that layout has been
   * decided.
   */
  private Set<Endpoint> losing(Layout next) {
    return hasOtherLayoutServers(next)
        ? Set.copyOf(now.logUnits())
        : LayoutDiff.losing(now, next, sealing.tail());
  }

  private boolean isSealedEnough(Endpoint unit, Set<Endpoint> losing) {
    return losing.contains(unit) ? sealing.isUnitClosed(unit) : sealing.isUnitSealed(unit);
  }

  private Layout plan(Layout wished, Set<Endpoint> usable, ClusterHealth clusterHealth) {
    Map<Endpoint, Incarnation> spares = new LinkedHashMap<>();
    usable.forEach(spare -> spares.put(spare, Incarnation.NONE));
    spares.putAll(fresh);
    return Plan.next(
        wished,
        new PlanInput(
            gone,
            clusterHealth.deafSequencers(),
            spares,
            acceptors,
            tail(),
            bound(clusterHealth),
            sealing.trimmedBefore()));
  }

  /**
   * Returns the tail. Before any server is sealed, an address behind the segment's start stands for
   * it.
   */
  private long tail() {
    return sealing.isTailKnown() ? sealing.tail() : now.openSegment().start() + 1;
  }

  /**
   * Returns the source of the tail. Before the sequencer is sealed, it is assumed to have served
   * its epoch.
   */
  private TailBound bound(ClusterHealth clusterHealth) {
    if (!isSequencerAsked) {
      return clusterHealth.bestTailBound();
    }
    return sealing.isSequencerCounted() ? TailBound.SEALED_SEQUENCER : TailBound.SEALED_CHAINS;
  }

  /**
   * Seals the units that the next layout concerns. Which ones these are depends on which units can
   * be sealed, and where the tail is. A unit that keeps its addresses may still answer reads. If
   * the layout servers change, no unit may. Then the other units are closed, too, if they can be
   * reached soon. Otherwise the layout has to wait for their leases to end.
   *
   * @return the layout to propose
   */
  private Layout sealUnits(Layout wished, Set<Endpoint> usable, ClusterHealth clusterHealth) {
    while (true) {
      gone.addAll(sealing.lost());
      // More spares may be needed, now that the tail and the lost units are known.
      Layout next = planWithSpares(wished, usable, clusterHealth);
      Map<Endpoint, Extent> unsealed = unsealed(next);
      if (!unsealed.isEmpty()) {
        sealing.sealUnits(unsealed);
        continue;
      }
      Set<Endpoint> open = hasOtherLayoutServers(next) ? openAndNotAsked() : Set.of();
      if (open.isEmpty()) {
        return next;
      }
      askedToClose.addAll(open);
      sealing.closeUnits(open, Deadline.in(world, TELLING));
    }
  }

  /**
   * Returns the units that the next layout concerns and that can be sealed, with the requests that
   * each must refuse.
   */
  private Map<Endpoint, Extent> unsealed(Layout next) {
    Set<Endpoint> losing = losing(next);
    Map<Endpoint, Extent> unsealed = new LinkedHashMap<>();
    for (Endpoint unit : LayoutDiff.by(now, next)) {
      if (!gone.contains(unit) && !isSealedEnough(unit, losing)) {
        unsealed.put(unit, losing.contains(unit) ? Extent.EVERYTHING : Extent.ALL_BUT_READS);
      }
    }
    return unsealed;
  }

  /**
   * Seals the sequencer. If some chain has no reachable unit left, not all log units can tell where
   * streams end. So a sequencer that stays in place keeps its knowledge of the streams.
   */
  private void sealSequencer(Layout next) {
    Optional<Endpoint> first = next.sequencers().stream().findFirst();
    boolean continues =
        next.isAnyChainWithin(gone)
            && now.origin().isEmpty() // a mirror's sequencer has not issued its addresses
            && first.equals(now.sequencers().stream().findFirst());
    if (continues && sealing.handOver(first.get())) {
      streams = KnownStreams.KEPT;
    } else {
      first.ifPresent(sealing::sealSequencer);
    }
    isSequencerAsked = true;
  }

  /** Returns the units that still answer reads, and that have not been asked to stop. */
  private Set<Endpoint> openAndNotAsked() {
    Set<Endpoint> open = new LinkedHashSet<>(now.logUnits());
    open.removeIf(unit -> gone.contains(unit) || sealing.isUnitClosed(unit));
    open.removeAll(askedToClose);
    return open;
  }

  /**
   * Plans, prepares the spares that the plan uses, and plans again until the plan uses no other
   * spares.
   */
  private Layout planWithSpares(Layout wished, Set<Endpoint> usable, ClusterHealth clusterHealth) {
    Layout next = plan(wished, usable, clusterHealth);
    for (Set<Endpoint> needed = unprepared(next, usable);
        !needed.isEmpty();
        needed = unprepared(next, usable)) {
      prepareSpares(needed, usable);
      next = plan(wished, usable, clusterHealth);
    }
    return next;
  }

  private Set<Endpoint> unprepared(Layout next, Set<Endpoint> usable) {
    Set<Endpoint> needed = new LinkedHashSet<>(next.logUnits());
    needed.retainAll(usable);
    needed.removeAll(fresh.keySet());
    return needed;
  }

  /** Prepares spares. A spare that cannot be prepared is no longer usable. */
  private void prepareSpares(Set<Endpoint> needed, Set<Endpoint> usable) {
    for (Endpoint spare : needed) {
      Optional<Incarnation> life = sealing.prepareSpare(spare);
      life.ifPresentOrElse(known -> fresh.put(spare, known), () -> usable.remove(spare));
    }
  }

  /**
   * Tells every layout server and log unit. A server that does not install the layout at once
   * learns it by itself, or from its clients. The sequencer is told first, because all wait for it.
   */
  private void tellEverybody(Layout layout, boolean isOurs) {
    Optional<Endpoint> sequencer = layout.sequencers().stream().filter(any -> isOurs).findFirst();
    Optional<CompletableFuture<Reply>> started =
        sequencer.flatMap(server -> sendStart(server, layout));
    Deadline soon = Deadline.in(world, TELLING);
    List<CompletableFuture<Reply>> replies = new ArrayList<>();
    for (Endpoint server : layout.layoutServers()) {
      replies.add(servers.send(server, new LayoutRequest.Learn(layout), soon));
    }
    for (Endpoint unit : layout.logUnits()) {
      replies.add(servers.send(unit, new LogUnitRequest.Install(layout), soon));
    }
    try {
      sequencer.ifPresent(server -> awaitStart(server, started));
    } finally {
      for (CompletableFuture<Reply> reply : replies) {
        reply.handle((answer, failure) -> Reply.Done.DONE).join();
      }
    }
    stages.reached(Stages.Stage.TOLD);
  }

  /**
   * Sends the start; empty if the sequencer has not been sealed. Without a seal it is unknown which
   * incarnation may start.
   */
  private Optional<CompletableFuture<Reply>> sendStart(Endpoint sequencer, Layout layout) {
    return sealing
        .incarnationOf(sequencer)
        .map(life -> new SequencerRequest.Start(layout.epoch(), sealing.tail(), life, streams))
        .map(start -> servers.send(sequencer, start, deadline));
  }

  private void awaitStart(Endpoint sequencer, Optional<CompletableFuture<Reply>> started) {
    Servers.await(
        sequencer,
        started.orElseThrow(
            () ->
                RetryableException.server(
                    sequencer,
                    false,
                    "the sequencer at " + sequencer + " did not answer when it was sealed")),
        Reply.Done.class);
    stages.reached(Stages.Stage.STARTED);
  }
}
