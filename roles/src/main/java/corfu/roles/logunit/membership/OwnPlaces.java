package corfu.roles.logunit.membership;

import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Member;
import java.util.Optional;

/** Tells whether a unit is one of the replicas of an entry. Lives on the unit's thread. */
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
    if (!epoch.equals(known) || !incarnation.equals(epochs.incarnation())) {
      known = epoch;
      incarnation = epochs.incarnation();
      self = layout.flatMap(this::find);
    }
    return self.isPresent() && layout.get().path(entry).contains(self.get());
  }

  private Optional<Endpoint> find(Layout layout) {
    return layout.units().stream()
        .filter(member -> member.incarnation().equals(incarnation))
        .map(Member::endpoint)
        .findFirst();
  }
}
