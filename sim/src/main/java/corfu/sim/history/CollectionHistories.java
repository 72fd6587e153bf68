package corfu.sim.history;

import corfu.objects.collection.ReplicatedCounter;
import corfu.sim.world.Violations;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The clients' calls on all collections that they share. */
public final class CollectionHistories {

  /** The stream that is a list, a queue and a stack. */
  public final CollectionHistory<List<Long>> sequence;

  /** The stream that is a map, a range map, and a map with an index. */
  public final CollectionHistory<Map<Long, Long>> map;

  public final CollectionHistory<Set<Long>> set;
  public final CollectionHistory<Optional<Long>> register;

  /** The stream of a {@link ReplicatedCounter}. */
  public final CollectionHistory<Long> counter;

  public CollectionHistories(ObjectCalls clock) {
    this.sequence = new CollectionHistory<>("sequence", List.of(), clock);
    this.map = new CollectionHistory<>("map", Map.of(), clock);
    this.set = new CollectionHistory<>("set", Set.of(), clock);
    this.register = new CollectionHistory<>("register", Optional.empty(), clock);
    this.counter = new CollectionHistory<>("counter", 0L, clock);
  }

  /** Checks each collection separately: if each is linearizable, all of them together are. */
  public void check(Violations findings) {
    sequence.check(findings);
    map.check(findings);
    set.check(findings);
    register.check(findings);
    counter.check(findings);
  }
}
