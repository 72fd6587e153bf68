package corfu.runtime.reconfiguration;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Deadline;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.rpc.Servers;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Checks whether a layout is being served, or a reconfiguration has been left half done. An
 * unfinished seal leaves some servers closed, and only another epoch opens them again. For one
 * thread.
 */
final class ServiceProbe {

  private final Servers servers;
  private final Layout layout;
  private final Deadline deadline;

  ServiceProbe(Servers servers, Layout layout, Deadline deadline) {
    this.servers = servers;
    this.layout = layout;
    this.deadline = deadline;
  }

  /** Returns whether the sequencer serves, and no log unit that answers is sealed. */
  boolean isComplete() {
    return !layout.epoch().equals(Epoch.FIRST)
        && layout.sequencers().stream().limit(1).allMatch(this::servesTokens)
        && !isAnySealed(layout.logUnits());
  }

  /**
   * Returns whether servers that are not suspected are closed. The cluster health may be out of
   * date, so the servers themselves are asked.
   */
  boolean isLeftHalfDone(ClusterHealth clusterHealth) {
    Optional<Endpoint> sequencer = layout.sequencers().stream().findFirst();
    if (sequencer.isPresent()
        && !clusterHealth.of(sequencer.get()).suspected()
        && clusterHealth.of(sequencer.get()).health().sequencer() != Health.State.SERVING
        && !servesTokens(sequencer.get())) {
      return true;
    }
    Set<Endpoint> closed = new LinkedHashSet<>();
    for (Endpoint unit : layout.logUnits()) {
      ClusterHealth.Verdict verdict = clusterHealth.of(unit);
      if (!verdict.suspected() && verdict.health().logUnit() == Health.State.SEALED) {
        closed.add(unit);
      }
    }
    return isAnySealed(closed);
  }

  private boolean servesTokens(Endpoint sequencer) {
    try {
      var request = new NodeRequest.AskStatus();
      var status = servers.ask(sequencer, request, NodeReply.Status.class, deadline);
      return status.health().sequencer() == Health.State.SERVING
          && status.epoch().equals(layout.epoch());
    } catch (RetryableException silent) {
      return false;
    }
  }

  private boolean isAnySealed(Set<Endpoint> units) {
    Map<Endpoint, CompletableFuture<Reply>> replies = new LinkedHashMap<>();
    for (Endpoint unit : units) {
      replies.put(unit, servers.send(unit, new NodeRequest.AskStatus(), deadline));
    }
    boolean isAnySealed = false;
    for (var sent : replies.entrySet()) {
      try {
        var status = Servers.await(sent.getKey(), sent.getValue(), NodeReply.Status.class);
        isAnySealed |= status.health().logUnit() == Health.State.SEALED && isSealed(sent.getKey());
      } catch (RetryableException silent) {
        // the layout servers decide whether it must leave
      }
    }
    return isAnySealed;
  }

  /**
   * Returns whether this epoch is over for the unit. A unit whose former epoch is over will soon
   * install this one; with a slow disk that takes a while. Yet another epoch would only prevent it.
   */
  private boolean isSealed(Endpoint unit) {
    try {
      var request = new LogUnitRequest.AskTail(layout.epoch());
      servers.ask(unit, request, LogUnitReply.Tail.class, deadline);
      return false;
    } catch (RetryableException refused) {
      return refused.kind() == RetryableException.Kind.SEALED;
    }
  }
}
