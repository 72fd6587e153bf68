package corfu.sim.watch;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.sim.world.Simulator;
import corfu.sim.world.Violations;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Checks invariants between servers. An epoch has one layout (I5), and its sequencer is started
 * once. Tokens increase within an epoch. Across epochs they never name an address that a log unit
 * already has.
 */
public final class ClusterWatch implements ServerWatch {

  private final Simulator simulator;
  private final Violations findings;
  private final Map<Epoch, Layout> layouts = new HashMap<>();
  private final Map<Epoch, Long> tokens = new HashMap<>();
  private final Map<Epoch, SequencerRequest.Start> starts = new HashMap<>();
  private Epoch newest = Epoch.NONE;

  public ClusterWatch(Simulator simulator) {
    this.simulator = simulator;
    this.findings = simulator.findings;
  }

  /** Returns the newest decided layout, as far as any server was told. */
  public Optional<Layout> newest() {
    return Optional.ofNullable(layouts.get(newest));
  }

  /** Returns the newest layout's epoch, or {@link Epoch#NONE} before the first layout. */
  public Epoch newestEpoch() {
    return newest;
  }

  /** Returns the layout of an epoch, as far as any server was told. */
  public Optional<Layout> of(Epoch epoch) {
    return Optional.ofNullable(layouts.get(epoch));
  }

  @Override
  public void asked(Request request) {
    switch (request) {
      case LayoutRequest.Learn(Layout layout) -> decided(layout);
      case LogUnitRequest.Install(Layout layout) -> decided(layout);
      default -> {}
    }
  }

  @Override
  public void answered(Request request, Reply reply) {
    switch (reply) {
      case LayoutReply.Current(Layout layout) -> decided(layout);
      case LayoutReply.Decided(Layout layout) -> decided(layout);
      case SequencerReply.Tokens issued when request instanceof SequencerRequest.Next next ->
          issued(next.epoch(), issued);
      case Reply.Done done when request instanceof SequencerRequest.Start start -> started(start);
      default -> {}
    }
  }

  /**
   * Checks that the sequencer was started once. The same start may be sent again, but no other one.
   */
  private void started(SequencerRequest.Start start) {
    SequencerRequest.Start before = starts.putIfAbsent(start.epoch(), start);
    if (before != null && !before.equals(start)) {
      findings.broken("Sequencer", "it was started by %s, then by %s", before, start);
    }
  }

  private void decided(Layout layout) {
    Layout known = layouts.putIfAbsent(layout.epoch(), layout);
    if (known != null && !known.equals(layout)) {
      findings.broken(
          "I5, one layout an epoch", "epoch %s has %s and %s", layout.epoch(), known, layout);
    }
    if (newest.isBefore(layout.epoch())) {
      newest().ifPresent(before -> count(before, layout));
      newest = layout.epoch();
    }
  }

  /** Counts rare events between a layout and the next one. */
  private void count(Layout before, Layout after) {
    Set<Endpoint> left = new HashSet<>(before.logUnits());
    left.removeAll(after.logUnits());
    Set<Endpoint> joined = new HashSet<>(after.logUnits());
    joined.removeAll(before.logUnits());
    left.forEach(unit -> simulator.reached("a unit leaves"));
    joined.forEach(unit -> simulator.reached("a unit joins"));
    if (after.openSegment().start() > before.openSegment().start()
        && after.segmentOf(before.openSegment().start()).log().stream()
            .anyMatch(
                chain ->
                    before.openSegment().log().contains(chain)
                        && Collections.disjoint(chain.replicas(), after.openSegment().units()))) {
      simulator.reached("a chain that is out of reach is closed");
    }
    long targets = before.segments().stream().filter(LayoutSegment::hasTarget).count();
    long targetsLeft = after.segments().stream().filter(LayoutSegment::hasTarget).count();
    if (targets < targetsLeft) {
      simulator.reached("a segment is to be copied");
    } else if (targets > targetsLeft) {
      simulator.reached("a segment needs no copying any more");
    }
    if (!Set.copyOf(before.layoutServers()).equals(Set.copyOf(after.layoutServers()))) {
      simulator.reached("other layout servers vote");
    }
    if (!before.sequencers().equals(after.sequencers())) {
      simulator.reached("another sequencer serves");
    }
  }

  private void issued(Epoch epoch, SequencerReply.Tokens issued) {
    of(epoch)
        .filter(layout -> issued.first() < layout.openSegment().start())
        .ifPresent(
            layout ->
                findings.broken(
                    "Tokens",
                    "%s was issued in epoch %s, before its open segment: %s",
                    issued.first(),
                    epoch,
                    layout));
    long next = tokens.getOrDefault(epoch, 0L);
    if (issued.first() < next) {
      findings.broken(
          "Tokens",
          "%s was issued in epoch %s, where %s had been before",
          issued.first(),
          epoch,
          next - 1);
    }
    tokens.put(epoch, issued.first() + issued.count());
  }
}
