package corfu.protocol.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who does what in one epoch (CORFU section 3.2, there called a projection). Immutable.
 *
 * @param wanted what the cluster should be like when nothing is broken
 * @param sequencers the first serves, the others stand by
 * @param acceptors the layout servers, which decide the next layout; one or more
 * @param units the cluster's log units; those that no segment names are spares
 * @param segments without gaps from the first address that is still kept to the open end
 * @param origin what this cluster mirrors, if it is a mirror
 */
public record Layout(
    ClusterId clusterId,
    Epoch epoch,
    Wanted wanted,
    List<Endpoint> sequencers,
    List<Member> acceptors,
    List<Member> units,
    List<Segment> segments,
    Optional<Origin> origin) {

  public Layout {
    sequencers = List.copyOf(sequencers);
    acceptors = List.copyOf(acceptors);
    units = List.copyOf(units);
    segments = List.copyOf(segments);
    if (epoch.equals(Epoch.NONE)) {
      throw new IllegalArgumentException("a layout's epoch is 1 or more");
    }
    if (acceptors.isEmpty() || hasDouble(acceptors) || hasDouble(units)) {
      throw new IllegalArgumentException(
          "a layout names one or more layout servers, and no server twice, but these are its layout"
              + (" servers: " + acceptors + ", and these its log units: " + units));
    }
    checkSegments(segments);
    Set<Endpoint> members = endpointsOf(units);
    for (Segment segment : segments) {
      if (!members.containsAll(segment.units())) {
        throw new IllegalArgumentException(
            "every unit of a segment is a log unit of the layout, but " + segment + " has others");
      }
    }
  }

  /** A layout of a cluster that is no mirror. */
  public Layout(
      ClusterId clusterId,
      Epoch epoch,
      Wanted wanted,
      List<Endpoint> sequencers,
      List<Member> acceptors,
      List<Member> units,
      List<Segment> segments) {
    this(clusterId, epoch, wanted, sequencers, acceptors, units, segments, Optional.empty());
  }

  /** The same as a mirror, or as none. */
  public Layout withOrigin(Optional<Origin> mirrored) {
    return new Layout(clusterId, epoch, wanted, sequencers, acceptors, units, segments, mirrored);
  }

  private static boolean hasDouble(List<Member> members) {
    return endpointsOf(members).size() < members.size();
  }

  private static Set<Endpoint> endpointsOf(List<Member> members) {
    Set<Endpoint> all = new LinkedHashSet<>();
    members.forEach(member -> all.add(member.endpoint()));
    return all;
  }

  private static void checkSegments(List<Segment> segments) {
    if (segments.isEmpty() || !segments.getLast().isOpen()) {
      throw new IllegalArgumentException(
          "a layout's last segment is open, but these are its segments: " + segments);
    }
    for (int i = 1; i < segments.size(); i++) {
      if (segments.get(i - 1).end() != segments.get(i).start()) {
        throw new IllegalArgumentException(
            "a layout's segments join, but "
                + segments.get(i - 1).end()
                + " is followed by "
                + segments.get(i).start());
      }
    }
  }

  /**
   * The segment that covers the address; the first one for addresses before it, whose entries are
   * gone with their segments.
   */
  public Segment segmentOf(long address) {
    for (int i = segments.size() - 1; i > 0; i--) {
      if (segments.get(i).start() <= address) {
        return segments.get(i);
      }
    }
    return segments.getFirst();
  }

  /** Whether the address lies before everything that is kept: it has been trimmed. */
  public boolean isBefore(long address) {
    return address < segments.getFirst().start();
  }

  public Chain chainOf(long address) {
    return segmentOf(address).chainOf(address);
  }

  /**
   * The units of the entry's registers, in the order in which they are written (docs/design.md,
   * section 4): the replicas of its log chain, then those of its streams, each unit once.
   */
  public List<Endpoint> path(Entry entry) {
    return segmentOf(entry.address()).path(entry);
  }

  /** Where appends go. */
  public Segment openSegment() {
    return segments.getLast();
  }

  /** The same arrangement in the next epoch. */
  public Layout next() {
    return new Layout(
        clusterId, epoch.next(), wanted, sequencers, acceptors, units, segments, origin);
  }

  /** Everything but the epoch is the same. */
  public boolean differsOnlyInEpoch(Layout other) {
    return equals(
        new Layout(
            other.clusterId,
            epoch,
            other.wanted,
            other.sequencers,
            other.acceptors,
            other.units,
            other.segments,
            other.origin));
  }

  /** Where the layout servers listen. */
  public List<Endpoint> layoutServers() {
    return acceptors.stream().map(Member::endpoint).toList();
  }

  /**
   * All log units that a segment names, for the log or for streams, those included that are still
   * to join, each once.
   */
  public Set<Endpoint> logUnits() {
    Set<Endpoint> units = new LinkedHashSet<>();
    segments.forEach(segment -> units.addAll(segment.units()));
    return units;
  }

  /** Whether some chain of the log has replicas, all of which are among these. */
  public boolean isAnyChainWithin(Set<Endpoint> units) {
    return segments.stream()
        .flatMap(segment -> segment.log().stream())
        .anyMatch(chain -> !chain.isLost() && units.containsAll(chain.replicas()));
  }

  /** The log units that hold no part of the log. */
  public List<Endpoint> spares() {
    Set<Endpoint> spares = endpointsOf(units);
    spares.removeAll(logUnits());
    return List.copyOf(spares);
  }

  /** Which life of a log unit's disk this layout relies on; none for a spare or a stranger. */
  public Incarnation incarnationOf(Endpoint unit) {
    for (Member member : units) {
      if (member.endpoint().equals(unit)) {
        return member.incarnation();
      }
    }
    return Incarnation.NONE;
  }

  /** Whether some log unit of this layout has this incarnation. */
  public boolean reliesOnUnit(Incarnation incarnation) {
    return isAmong(units, incarnation);
  }

  /** Whether some layout server of this layout has this incarnation. */
  public boolean reliesOnLayoutServer(Incarnation incarnation) {
    return isAmong(acceptors, incarnation);
  }

  private static boolean isAmong(List<Member> members, Incarnation incarnation) {
    return incarnation.isKnown()
        && members.stream().anyMatch(member -> member.incarnation().equals(incarnation));
  }

  /** Every server that this layout names, each once. */
  public Set<Endpoint> servers() {
    Set<Endpoint> all = new LinkedHashSet<>(layoutServers());
    all.addAll(sequencers);
    all.addAll(endpointsOf(units));
    return all;
  }

  /** With what the servers said of their disks; those that are not in a map stay as they are. */
  public Layout withIncarnations(
      Map<Endpoint, Incarnation> layoutServers, Map<Endpoint, Incarnation> logUnits) {
    Set<Endpoint> spares = new HashSet<>(spares());
    List<Member> named = new ArrayList<>();
    for (Member unit : renamed(units, logUnits)) {
      named.add(spares.contains(unit.endpoint()) ? Member.spare(unit.endpoint()) : unit);
    }
    return new Layout(
        clusterId,
        epoch,
        wanted,
        sequencers,
        renamed(acceptors, layoutServers),
        named,
        segments,
        origin);
  }

  private static List<Member> renamed(List<Member> members, Map<Endpoint, Incarnation> lives) {
    return members.stream()
        .map(
            member ->
                member.withIncarnation(lives.getOrDefault(member.endpoint(), member.incarnation())))
        .toList();
  }

  /**
   * The arrangement of a new cluster: one open segment, rings over the first units.
   *
   * @param units those beyond the wanted number are spares
   */
  public static Layout initial(
      ClusterId clusterId,
      List<Endpoint> sequencers,
      List<Endpoint> layoutServers,
      List<Endpoint> units,
      Wanted wanted) {
    if (wanted.units() > units.size()) {
      throw new IllegalArgumentException(
          wanted.units() + " log units are wanted, but these are all: " + units);
    }
    return new Layout(
        clusterId,
        Epoch.FIRST,
        wanted,
        sequencers,
        layoutServers.stream().map(Member::spare).toList(),
        units.stream().map(Member::spare).toList(),
        List.of(
            new Segment(
                0, Segment.OPEN, Arrangement.rings(units.subList(0, wanted.units()), wanted))));
  }

  /** The arrangement of a new cluster without spares. */
  public static Layout initial(
      ClusterId clusterId,
      List<Endpoint> sequencers,
      List<Endpoint> layoutServers,
      List<Endpoint> units,
      int replicas) {
    return initial(clusterId, sequencers, layoutServers, units, new Wanted(units.size(), replicas));
  }

  /**
   * A stripe for each unit, its chain starting there and going on with the units that follow it, so
   * that every unit is head of one chain and tail of another.
   */
  public static List<Chain> ring(List<Endpoint> units, int replicas) {
    List<Chain> chains = new ArrayList<>();
    for (int stripe = 0; stripe < units.size(); stripe++) {
      List<Endpoint> chain = new ArrayList<>();
      for (int i = 0; i < replicas; i++) {
        chain.add(units.get((stripe + i) % units.size()));
      }
      chains.add(new Chain(chain));
    }
    return chains;
  }
}
