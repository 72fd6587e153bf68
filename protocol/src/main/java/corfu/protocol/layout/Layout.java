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
 * The roles of all servers in one epoch (CORFU section 3.2, there called a projection). Immutable.
 *
 * @param wanted the cluster's wanted state when nothing is broken
 * @param sequencers the sequencers: the first one serves, the others stand by
 * @param acceptors the layout servers, which decide the next layout; one or more
 * @param units the cluster's log units; those in no segment are spares
 * @param segments the segments, without gaps from the first remaining address to the open end
 * @param origin the source that this cluster mirrors, or empty if it is no mirror
 */
public record Layout(
    ClusterId clusterId,
    Epoch epoch,
    Wanted wanted,
    List<Endpoint> sequencers,
    List<Member> acceptors,
    List<Member> units,
    List<LayoutSegment> segments,
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
    for (LayoutSegment segment : segments) {
      if (!members.containsAll(segment.units())) {
        throw new IllegalArgumentException(
            "every unit of a segment is a log unit of the layout, but " + segment + " has others");
      }
    }
  }

  /** Creates a layout of a cluster that is no mirror. */
  public Layout(
      ClusterId clusterId,
      Epoch epoch,
      Wanted wanted,
      List<Endpoint> sequencers,
      List<Member> acceptors,
      List<Member> units,
      List<LayoutSegment> segments) {
    this(clusterId, epoch, wanted, sequencers, acceptors, units, segments, Optional.empty());
  }

  /** Returns the same layout as a mirror, or as no mirror if empty. */
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

  private static void checkSegments(List<LayoutSegment> segments) {
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
   * Returns the segment that covers the address. Returns the first segment for earlier addresses,
   * whose entries are gone with their segments.
   */
  public LayoutSegment segmentOf(long address) {
    for (int i = segments.size() - 1; i > 0; i--) {
      if (segments.get(i).start() <= address) {
        return segments.get(i);
      }
    }
    return segments.getFirst();
  }

  /** Returns whether the address lies before the first segment: it has been trimmed. */
  public boolean isBefore(long address) {
    return address < segments.getFirst().start();
  }

  public Chain chainOf(long address) {
    return segmentOf(address).chainOf(address);
  }

  /**
   * Returns the units of the entry's registers, in the order in which they are written
   * (docs/design.md, section 4). These are the replicas of its log chain, then those of its
   * streams, each unit once.
   */
  public List<Endpoint> path(Entry entry) {
    return segmentOf(entry.address()).path(entry);
  }

  /** Returns the segment to which appends go. */
  public LayoutSegment openSegment() {
    return segments.getLast();
  }

  /** Returns the same layout in the next epoch. */
  public Layout next() {
    return new Layout(
        clusterId, epoch.next(), wanted, sequencers, acceptors, units, segments, origin);
  }

  /** Returns whether the layouts are equal except for the epoch. */
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

  /** Returns the endpoints of the layout servers. */
  public List<Endpoint> layoutServers() {
    return acceptors.stream().map(Member::endpoint).toList();
  }

  /**
   * Returns all log units of the segments, for the log or for streams, each once. Includes units
   * that are still to join.
   */
  public Set<Endpoint> logUnits() {
    Set<Endpoint> units = new LinkedHashSet<>();
    segments.forEach(segment -> units.addAll(segment.units()));
    return units;
  }

  /** Returns whether some log chain has replicas and all of them are among these units. */
  public boolean isAnyChainWithin(Set<Endpoint> units) {
    return segments.stream()
        .flatMap(segment -> segment.log().stream())
        .anyMatch(chain -> !chain.isLost() && units.containsAll(chain.replicas()));
  }

  /** Returns the log units that hold no part of the log. */
  public List<Endpoint> spares() {
    Set<Endpoint> spares = endpointsOf(units);
    spares.removeAll(logUnits());
    return List.copyOf(spares);
  }

  /**
   * Returns the life of a log unit's disk on which this layout relies, or {@link Incarnation#NONE}
   * for a spare or an unknown unit.
   */
  public Incarnation incarnationOf(Endpoint unit) {
    for (Member member : units) {
      if (member.endpoint().equals(unit)) {
        return member.incarnation();
      }
    }
    return Incarnation.NONE;
  }

  /** Returns whether some log unit of this layout has this incarnation. */
  public boolean reliesOnUnit(Incarnation incarnation) {
    return isAmong(units, incarnation);
  }

  /** Returns whether some layout server of this layout has this incarnation. */
  public boolean reliesOnLayoutServer(Incarnation incarnation) {
    return isAmong(acceptors, incarnation);
  }

  private static boolean isAmong(List<Member> members, Incarnation incarnation) {
    return incarnation.isKnown()
        && members.stream().anyMatch(member -> member.incarnation().equals(incarnation));
  }

  /** Returns every server of this layout, each once. */
  public Set<Endpoint> servers() {
    Set<Endpoint> all = new LinkedHashSet<>(layoutServers());
    all.addAll(sequencers);
    all.addAll(endpointsOf(units));
    return all;
  }

  /**
   * Returns the layout with the incarnations that the servers reported. Servers that are not in a
   * map keep theirs.
   */
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
   * Returns the layout of a new cluster: one open segment, with rings over the first units.
   *
   * @param units all log units; those beyond the wanted number are spares
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
            new LayoutSegment(
                0,
                LayoutSegment.OPEN,
                ChainLayout.rings(units.subList(0, wanted.units()), wanted))));
  }

  /** Returns the layout of a new cluster without spares. */
  public static Layout initial(
      ClusterId clusterId,
      List<Endpoint> sequencers,
      List<Endpoint> layoutServers,
      List<Endpoint> units,
      int replicas) {
    return initial(clusterId, sequencers, layoutServers, units, new Wanted(units.size(), replicas));
  }

  /**
   * Returns one chain for each unit, made of the unit and its successors. Thus every unit is the
   * head of one chain and the tail of another.
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
