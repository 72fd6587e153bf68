package corfu.sim.history;

import corfu.sim.world.Violations;
import java.util.List;
import java.util.Map;

/** The clients' calls on composed objects, and on objects of Tango's interface. */
public final class ComposedHistories {

  public final CollectionHistory<Map<Long, Long>> map;
  public final CollectionHistory<Map<Long, Long>> tree;

  /** Two registers that only transactions change. */
  public final CollectionHistory<List<Integer>> pair;

  public ComposedHistories(ObjectCalls clock) {
    this.map = new CollectionHistory<>("composed map", Map.of(), clock);
    this.tree = new CollectionHistory<>("tree", Map.of(), clock);
    this.pair = new CollectionHistory<>("pair", List.of(0, 0), clock);
  }

  public void check(Violations findings) {
    map.check(findings);
    tree.check(findings);
    pair.check(findings);
  }
}
