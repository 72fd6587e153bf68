package corfu.protocol.layout;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Who does what in one epoch (CORFU section 3.2, there called a projection). Immutable.
 *
 * @param sequencers the first serves, the others stand by
 * @param layoutServers the acceptors that decide the next layout; one or more
 * @param segments without gaps from the first address that is still kept to the open end
 */
public record Layout(
    ClusterId clusterId,
    Epoch epoch,
    List<Endpoint> sequencers,
    List<Endpoint> layoutServers,
    List<Segment> segments) {

  public Layout {
    sequencers = List.copyOf(sequencers);
    layoutServers = List.copyOf(layoutServers);
    segments = List.copyOf(segments);
    if (epoch.equals(Epoch.NONE)) {
      throw new IllegalArgumentException("a layout's epoch is 1 or more");
    }
    if (layoutServers.isEmpty() || new HashSet<>(layoutServers).size() < layoutServers.size()) {
      throw new IllegalArgumentException(
          "a layout names one or more layout servers and none twice, but this one "
              + layoutServers);
    }
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

  public Chain chainOf(long address) {
    return segmentOf(address).chainOf(address);
  }

  /** Where appends go. */
  public Segment openSegment() {
    return segments.getLast();
  }

  /** The same arrangement in the next epoch. */
  public Layout next() {
    return new Layout(clusterId, epoch.next(), sequencers, layoutServers, segments);
  }

  /** All log units of all segments, each once. */
  public Set<Endpoint> logUnits() {
    Set<Endpoint> units = new LinkedHashSet<>();
    for (Segment segment : segments) {
      for (Chain chain : segment.log()) {
        units.addAll(chain.replicas());
      }
    }
    return units;
  }

  /** Every server that this layout names, each once. */
  public Set<Endpoint> servers() {
    Set<Endpoint> all = new LinkedHashSet<>(layoutServers);
    all.addAll(sequencers);
    all.addAll(logUnits());
    return all;
  }

  /**
   * The arrangement of a new cluster: one open segment with a stripe for each unit, its chain
   * starting there and going on with the units that follow it, so that every unit is head of one
   * chain and tail of another.
   *
   * @param replicas copies of each entry, from 1 to the number of units
   */
  public static Layout initial(
      ClusterId clusterId,
      List<Endpoint> sequencers,
      List<Endpoint> layoutServers,
      List<Endpoint> units,
      int replicas) {
    if (replicas < 1 || replicas > units.size()) {
      throw new IllegalArgumentException(
          "entries can have from 1 to "
              + units.size()
              + " replicas on "
              + units.size()
              + " log units, not "
              + replicas);
    }
    List<Chain> chains = new ArrayList<>();
    for (int stripe = 0; stripe < units.size(); stripe++) {
      List<Endpoint> chain = new ArrayList<>();
      for (int i = 0; i < replicas; i++) {
        chain.add(units.get((stripe + i) % units.size()));
      }
      chains.add(new Chain(chain));
    }
    return new Layout(
        clusterId,
        Epoch.FIRST,
        sequencers,
        layoutServers,
        List.of(new Segment(0, Segment.OPEN, chains)));
  }
}
