package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Units come, go, retire and are copied to, as chance has it, beside a model of what each of them
 * holds: whatever happens, who serves an address holds it.
 */
class PlanProperties {

  private static final int STEPS = 60;

  @Property(tries = 400)
  void whoServesAnAddressHoldsIt(@ForAll long seed) {
    Model model = new Model(new Random(seed));
    for (int i = 0; i < STEPS; i++) {
      model.step();
      model.check();
    }
  }

  private static final class Model {
    private final Random random;
    private final Map<Endpoint, Set<Long>> holds = new HashMap<>();
    private final Set<Long> lost = new HashSet<>();
    private Layout layout;
    private long tail;
    private long trimmedBefore;
    private long lives = 1;

    Model(Random random) {
      this.random = random;
      List<Endpoint> units = new ArrayList<>();
      for (int i = 1 + random.nextInt(6); i > 0; i--) {
        units.add(new Endpoint("u" + i, 9000));
      }
      int active = 1 + random.nextInt(units.size());
      this.layout =
          Layout.initial(
              new ClusterId(new UUID(1, 2)),
              units.subList(0, 1),
              units.subList(0, 1),
              units,
              new Wanted(active, 1 + random.nextInt(active)));
      Map<Endpoint, Incarnation> first = new HashMap<>();
      units.forEach(unit -> first.put(unit, new Incarnation(lives++)));
      layout = layout.withIncarnations(Map.of(), first);
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0, 1 -> append(random.nextInt(20));
        case 2 -> follow(layout, Set.of(anyUnit()), false);
        case 3 -> follow(layout, Set.of(anyUnit()), true);
        case 4 -> follow(layout, Set.of(), true);
        case 5 -> finishOne();
        case 6 -> {
          if (random.nextInt(4) == 0) {
            follow(Plan.withRetiring(layout, anyUnit()), Set.of(), true);
          } else {
            Endpoint newcomer = new Endpoint("n" + random.nextInt(5), 9000);
            follow(Plan.withSpare(layout, newcomer), Set.of(), random.nextBoolean());
          }
        }
        default -> {
          if (random.nextInt(5) == 0) {
            trimmedBefore = Math.max(trimmedBefore, random.nextLong(tail + 1));
          }
        }
      }
    }

    private Endpoint anyUnit() {
      return layout.units().get(random.nextInt(layout.units().size())).endpoint();
    }

    private Set<Long> of(Endpoint unit) {
      return holds.computeIfAbsent(unit, fresh -> new HashSet<>());
    }

    private void append(int count) {
      for (int i = 0; i < count; i++) {
        for (Endpoint replica : layout.chainOf(tail).replicas()) {
          of(replica).add(tail);
        }
        tail++;
      }
    }

    private void finishOne() {
      for (Segment segment : layout.segments()) {
        if (segment.hasTarget()) {
          for (long a = segment.start(); a < segment.end(); a++) {
            for (Endpoint joining : segment.joiningAt(a)) {
              if (of(segment.chainOf(a).tail()).contains(a)) {
                of(joining).add(a);
              }
            }
          }
          follow(Plan.withCopied(layout, layout, segment.start()), Set.of(), false);
          return;
        }
      }
    }

    private void follow(Layout wished, Set<Endpoint> gone, boolean withSpares) {
      Map<Endpoint, Incarnation> fresh = new HashMap<>();
      if (withSpares) {
        wished.spares().forEach(spare -> fresh.put(spare, new Incarnation(lives++)));
        fresh.keySet().removeAll(gone);
      }
      Circumstances circumstances = new Circumstances(gone, fresh, Map.of(), tail, trimmedBefore);
      Layout next;
      try {
        next = Plan.next(wished, circumstances);
      } catch (LastReplicaException refused) {
        return;
      }
      checkConcerned(next, gone);
      Set<Endpoint> used = new HashSet<>(next.logUnits());
      used.retainAll(fresh.keySet());
      used.forEach(unit -> of(unit).clear());
      for (long a = layout.segments().getFirst().start(); a < tail; a++) {
        if (gone.containsAll(layout.chainOf(a).replicas())) {
          lost.add(a); // until one of them comes back, which here nobody does with what it had
        }
      }
      layout = next;
    }

    private void checkConcerned(Layout next, Set<Endpoint> gone) {
      Set<Endpoint> concerned = Concerned.by(layout, next);
      for (long a = layout.segments().getFirst().start(); a < tail + 30; a++) {
        if (a >= next.segments().getFirst().start()
            && !layout.segmentOf(a).holdersOf(a).equals(next.segmentOf(a).holdersOf(a))) {
          Set<Endpoint> holders = new TreeSet<>((x, y) -> x.toString().compareTo(y.toString()));
          holders.addAll(layout.segmentOf(a).holdersOf(a));
          holders.removeAll(gone);
          assertThat(concerned).as("of address %s", a).containsAll(holders);
        }
      }
    }

    void check() {
      long first = layout.segments().getFirst().start();
      assertThat(first).isLessThanOrEqualTo(Math.max(tail, trimmedBefore));
      for (long a = first; a < tail; a++) {
        if (!lost.contains(a) && a >= trimmedBefore) {
          for (Endpoint replica : layout.chainOf(a).replicas()) {
            assertThat(of(replica)).as("%s serves %s in %s", replica, a, layout).contains(a);
          }
        }
      }
      assertThat(layout.openSegment().start()).isLessThanOrEqualTo(Math.max(tail, trimmedBefore));
      assertThat(layout.openSegment().log())
          .allMatch(chain -> chain.replicas().size() <= layout.wanted().replicas());
    }
  }
}
