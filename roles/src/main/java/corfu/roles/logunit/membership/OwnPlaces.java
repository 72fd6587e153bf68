package corfu.roles.logunit.membership;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Member;
import java.util.List;
import java.util.Optional;

/**
 * Tells whether a unit is one of the replicas of an entry, or the head of a chain. Lives on the
 * unit's thread.
 */
public final class OwnPlaces {

  private final Epochs epochs;
  private Epoch known = Epoch.NONE; // an epoch has one layout
  private Optional<Endpoint> self = Optional.empty();
  private Incarnation incarnation = Incarnation.NONE;

  public OwnPlaces(Epochs epochs) {
    this.epochs = epochs;
  }

  /**
   * Returns whether the layout of an epoch has the unit among the serving replicas of an entry. The
   * layout names units by their incarnations. True in an epoch that the unit does not serve.
   */
  public boolean contains(Entry entry, Epoch epoch) {
    Optional<Layout> layout = epochs.layout();
    if (layout.isEmpty() || !layout.get().epoch().equals(epoch)) {
      return true;
    }
    Optional<Endpoint> own = selfIn(layout.get());
    return own.isPresent() && layout.get().path(entry).contains(own.get());
  }

  /** Returns whether the unit is the head of the chain of an address by the installed layout. */
  public boolean isHeadOf(long address) {
    Optional<Layout> layout = epochs.layout();
    if (layout.isEmpty() || layout.get().isBefore(address)) {
      return false;
    }
    Optional<Endpoint> own = selfIn(layout.get());
    List<Endpoint> chain = layout.get().chainOf(address).replicas();
    return own.isPresent() && !chain.isEmpty() && chain.getFirst().equals(own.get());
  }

  /** Returns the number of chains to which appends go by the installed layout, 1 or more. */
  public int chains() {
    return epochs.layout().map(layout -> layout.openSegment().log().size()).orElse(1);
  }

  private Optional<Endpoint> selfIn(Layout layout) {
    if (!layout.epoch().equals(known) || !incarnation.equals(epochs.incarnation())) {
      known = layout.epoch();
      incarnation = epochs.incarnation();
      self = find(layout);
    }
    return self;
  }

  private Optional<Endpoint> find(Layout layout) {
    return layout.units().stream()
        .filter(member -> member.incarnation().equals(incarnation))
        .map(Member::endpoint)
        .findFirst();
  }
}
