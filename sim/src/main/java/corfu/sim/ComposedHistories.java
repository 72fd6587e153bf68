package corfu.sim;

import java.util.List;
import java.util.Map;

/** What clients did to composed objects, and to objects of Tango's interface. */
final class ComposedHistories {

  final CollectionHistory<Map<Long, Long>> map;
  final CollectionHistory<Map<Long, Long>> tree;

  /** Of two registers, which only transactions change. */
  final CollectionHistory<List<Integer>> pair;

  ComposedHistories(ObjectHistory clock) {
    this.map = new CollectionHistory<>("composed map", Map.of(), clock);
    this.tree = new CollectionHistory<>("tree", Map.of(), clock);
    this.pair = new CollectionHistory<>("pair", List.of(0, 0), clock);
  }

  void check(Findings findings) {
    map.check(findings);
    tree.check(findings);
    pair.check(findings);
  }
}
