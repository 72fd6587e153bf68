package corfu.protocol.layout;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.PlanInput.TailBound;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Computes the chains of the open segment. Each leaving unit is replaced at its position; if that
 * fails, all remaining units form a ring. A unit keeps its role, log or streams, unless one of the
 * two roles would have too few units.
 *
 * @param arrangement the arrangement of the next layout's open segment
 * @param isNew whether the arrangement changes
 */
record OpenChainLayout(ChainLayout arrangement, boolean isNew) {

  static OpenChainLayout next(Layout now, PlanInput circumstances) {
    ChainLayout old = now.openSegment().serving();
    Set<Endpoint> leaving = leaving(now, circumstances);
    if (circumstances.bound() == TailBound.SEALED_CHAINS) {
      checkThatEverythingIsLeft(old, circumstances.gone());
    }
    Wanted wanted = now.wanted();
    ChainMembers logs = new ChainMembers(old.log(), leaving);
    ChainMembers streams = new ChainMembers(old.stream(), leaving);
    int staying = logs.size() + streams.size();
    int places = Math.max(old.units().size(), wanted.units()) - staying;
    List<Endpoint> candidates = candidates(now, circumstances, leaving);
    List<Endpoint> newcomers = candidates.subList(0, Math.min(places, candidates.size()));
    int units = staying + newcomers.size();
    if (units == 0) {
      throw new LastReplicaException(
          "no log unit would be left without " + leaving + "; add others first");
    }
    int forStreams = wanted.streamUnits(units);
    int toLog = Math.clamp(units - forStreams - logs.size(), 0, newcomers.size());
    newcomers.subList(0, toLog).forEach(logs::add);
    newcomers.subList(toLog, newcomers.size()).forEach(streams::add);
    if (isAnyTooFew(logs, streams, wanted)) {
      logs.handTo(streams, Math.max(0, forStreams - streams.size()));
      streams.handTo(logs, Math.max(0, streams.size() - forStreams));
    }
    ChainLayout next =
        new ChainLayout(logs.chains(wanted.replicas()), streams.chains(wanted.streamReplicas()));
    return new OpenChainLayout(next, !next.equals(old));
  }

  /**
   * Returns whether the log or the streams have too few units. If streams shall have no replicas of
   * their own, even one unit for streams is too many.
   */
  private static boolean isAnyTooFew(ChainMembers logs, ChainMembers streams, Wanted wanted) {
    int units = logs.size() + streams.size();
    int fewestLogs = Math.min(wanted.replicas(), units);
    int fewestStreams = Math.min(wanted.streamReplicas(), units - fewestLogs);
    return logs.size() < fewestLogs
        || streams.size() < fewestStreams
        || (wanted.streamReplicas() == 0 && streams.size() > 0);
  }

  /** Returns all units in their order, those of the log first. */
  Set<Endpoint> units() {
    return arrangement.units();
  }

  /** Returns the units to which the next layout's appends must not go. */
  static Set<Endpoint> leaving(Layout now, PlanInput circumstances) {
    Set<Endpoint> leaving = new HashSet<>(circumstances.gone());
    now.units().stream().filter(Member::retiring).forEach(member -> leaving.add(member.endpoint()));
    return leaving;
  }

  /** Checks that all log chains have a remaining unit, or else that all stream chains have one. */
  private static void checkThatEverythingIsLeft(ChainLayout old, Set<Endpoint> gone) {
    Optional<Chain> log = goneOf(old.log(), gone);
    Optional<Chain> stream = goneOf(old.stream(), gone);
    if (log.isPresent() && (!old.hasStreams() || stream.isPresent())) {
      throw new LastReplicaException(
          "all replicas of a chain of the open segment are gone: "
              + log.get().replicas()
              + stream.map(chain -> ", and of a stream chain: " + chain.replicas()).orElse("")
              + "; the last appends are on them, so one of them must come back, or the"
              + " sequencer must tell the tail");
    }
  }

  private static Optional<Chain> goneOf(List<Chain> chains, Set<Endpoint> gone) {
    return chains.stream().filter(chain -> gone.containsAll(chain.replicas())).findFirst();
  }

  /**
   * Returns the spares that have been reset. A unit that holds only older segments does not
   * qualify. It may have left the open segment without a seal, and hold entries that nobody
   * counted.
   */
  private static List<Endpoint> candidates(
      Layout now, PlanInput circumstances, Set<Endpoint> leaving) {
    List<Endpoint> candidates = new ArrayList<>();
    for (Endpoint spare : now.spares()) {
      if (!leaving.contains(spare) && circumstances.fresh().containsKey(spare)) {
        candidates.add(spare);
      }
    }
    return candidates;
  }
}
