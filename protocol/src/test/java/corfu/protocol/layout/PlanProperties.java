package corfu.protocol.layout;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.PlanInput.TailBound;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;

/**
 * Units appear, fail, retire and copy at random, beside a model of each unit's content. At every
 * step, the units that serve an address hold it.
 */
class PlanProperties {

  private static final int STEPS = 60;

  /** The bound below which the ids of streams are, from 1 on; id 0 stands for no stream. */
  private static final int STREAMS = 9;

  @Property(tries = 400)
  void whoServesAnAddressHoldsIt(@ForAll long seed) {
    run(new Model(new Random(seed), false));
  }

  @Property(tries = 800)
  void whoServesAnAddressOrAStreamHoldsIt(@ForAll long seed) {
    run(new Model(new Random(seed), true));
  }

  private static void run(Model model) {
    for (int i = 0; i < STEPS; i++) {
      model.step();
      model.check();
    }
    model.calmDown();
    model.check();
    model.checkThatItIsAsWanted();
  }

  private static final class Model {
    private final Random random;
    private final Map<Endpoint, Set<Long>> holds = new HashMap<>();
    private final Set<Long> lost = new HashSet<>();

    /** The entry of every address. */
    private final List<Entry> entries = new ArrayList<>();

    private Layout layout;
    private long tail;
    private long trimmedBefore;
    private final boolean withStreams;
    private int mostStreamReplicas;
    private long lives = 1;

    Model(Random random, boolean withStreams) {
      this.random = random;
      this.withStreams = withStreams;
      List<Endpoint> units = new ArrayList<>();
      for (int i = 1 + random.nextInt(withStreams ? 8 : 6); i > 0; i--) {
        units.add(new Endpoint("u" + i, 9000));
      }
      int active = 1 + random.nextInt(units.size());
      int replicas = 1 + random.nextInt(active);
      int streamReplicas = withStreams ? random.nextInt(active - replicas + 1) : 0;
      mostStreamReplicas = streamReplicas;
      this.layout =
          Layout.initial(
              new ClusterId(new UUID(1, 2)),
              units.subList(0, 1),
              units.subList(0, 1),
              units,
              new Wanted(active, replicas, streamReplicas));
      Map<Endpoint, Incarnation> first = new HashMap<>();
      units.forEach(unit -> first.put(unit, new Incarnation(lives++)));
      layout = layout.withIncarnations(Map.of(), first);
    }

    void step() {
      switch (random.nextInt(8)) {
        case 0, 1 -> append(random.nextInt(20));
        case 2 -> follow(layout, someUnits(), false);
        case 3 -> follow(layout, someUnits(), true);
        case 4 -> follow(layout, Set.of(), true);
        case 5 -> finishOne();
        case 6 -> {
          if (random.nextInt(4) == 0) {
            follow(Plan.withRetiring(layout, anyUnit()), Set.of(), true);
          } else if (withStreams && random.nextInt(4) == 0) {
            follow(Plan.withWanted(layout, otherStreamReplicas()), Set.of(), true);
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

    private Wanted otherStreamReplicas() {
      Wanted wanted = layout.wanted();
      int most = wanted.units() - wanted.replicas();
      int streamReplicas = random.nextInt(most + 1);
      mostStreamReplicas = Math.max(mostStreamReplicas, streamReplicas);
      return new Wanted(wanted.units(), wanted.replicas(), streamReplicas);
    }

    /** Returns one unit; with streams sometimes two, perhaps of different kinds. */
    private Set<Endpoint> someUnits() {
      Set<Endpoint> some = new HashSet<>(Set.of(anyUnit()));
      if (withStreams && random.nextInt(3) == 0) {
        some.add(anyUnit());
      }
      return some;
    }

    private Endpoint anyUnit() {
      return layout.units().get(random.nextInt(layout.units().size())).endpoint();
    }

    private Set<Long> of(Endpoint unit) {
      return holds.computeIfAbsent(unit, fresh -> new HashSet<>());
    }

    private void append(int count) {
      for (int i = 0; i < count; i++) {
        Entry entry = entry(tail);
        entries.add(entry);
        for (Endpoint replica : layout.path(entry)) {
          of(replica).add(tail);
        }
        tail++;
      }
    }

    /** Returns a hole, or an entry in no stream, in one stream or in two. */
    private Entry entry(long address) {
      AppendId id = new AppendId(1, address);
      if (random.nextInt(6) == 0) {
        return Entry.hole(address, id);
      }
      List<StreamHeader> headers =
          random
              .ints(random.nextInt(3), 1, STREAMS)
              .distinct()
              .mapToObj(low -> new StreamId(0, low))
              .sorted()
              .map(stream -> new StreamHeader(stream, 0, Backpointers.NONE))
              .toList();
      return Entry.data(address, id, headers, ByteBuffer.allocate(0));
    }

    private Entry at(long address) {
      return entries.get((int) address);
    }

    private boolean finishOne() {
      for (LayoutSegment segment : layout.segments()) {
        if (segment.hasTarget()) {
          for (long a = segment.start(); a < segment.end(); a++) {
            for (Endpoint joining : segment.joining(at(a))) {
              if (isAt(a, segment)) {
                of(joining).add(a);
              }
            }
          }
          follow(Plan.withCopied(layout, layout, segment.start()), Set.of(), false);
          return true;
        }
      }
      return false;
    }

    /** Returns whether some source of a copy holds the address. */
    private boolean isAt(long a, LayoutSegment segment) {
      Chain chain = segment.chainOf(a);
      List<Endpoint> sources = chain.isLost() ? segment.path(at(a)) : List.of(chain.tail());
      return sources.stream().anyMatch(source -> of(source).contains(a));
    }

    /**
     * Runs without further failures until all available units are used and everything is copied.
     */
    void calmDown() {
      for (int i = 0; i < STEPS; i++) {
        follow(layout, Set.of(), true);
        if (!finishOne() && isAtRest()) {
          return;
        }
      }
      fail("after %s steps there is still something to do: %s", STEPS, layout);
    }

    private boolean isAtRest() {
      Layout before = layout;
      follow(layout, Set.of(), true);
      return before.differsOnlyInEpoch(layout);
    }

    /**
     * Checks the layout where it can be as wanted: all units live, and only retiring ones are
     * missing.
     */
    void checkThatItIsAsWanted() {
      Wanted wanted = layout.wanted();
      int staying = (int) layout.units().stream().filter(unit -> !unit.retiring()).count();
      if (staying == 0) {
        return;
      }
      int units = Math.min(staying, wanted.units());
      int replicas = Math.min(wanted.replicas(), units);
      Set<Endpoint> open = layout.openSegment().units();
      assertThat(open).as("of %s", layout).hasSizeGreaterThanOrEqualTo(units);
      for (LayoutSegment segment : layout.segments()) {
        Set<Endpoint> others = new HashSet<>(open);
        others.removeAll(segment.serving().logUnits());
        int streamReplicas = Math.min(wanted.streamReplicas(), others.size());
        assertThat(wanted.streamReplicas() > 0 || !layout.openSegment().serving().hasStreams())
            .as("nobody keeps streams alone in %s", layout)
            .isTrue();
        assertThat(segment.hasTarget()).as("%s of %s", segment, layout).isFalse();
        assertThat(segment.log())
            .as("log of %s in %s", segment, layout)
            .allMatch(chain -> chain.replicas().size() >= replicas);
        assertThat(segment.serving().hasStreams() || streamReplicas == 0)
            .as("streams have replicas of their own in %s of %s", segment, layout)
            .isTrue();
        assertThat(segment.stream())
            .as("streams of %s in %s", segment, layout)
            .allMatch(chain -> chain.replicas().size() >= streamReplicas);
      }
    }

    private void follow(Layout wished, Set<Endpoint> gone, boolean withSpares) {
      Map<Endpoint, Incarnation> fresh = new HashMap<>();
      if (withSpares) {
        wished.spares().forEach(spare -> fresh.put(spare, new Incarnation(lives++)));
        fresh.keySet().removeAll(gone);
      }
      PlanInput circumstances =
          new PlanInput(gone, fresh, Map.of(), tail, trimmedBefore)
              .boundedBy(TailBound.values()[(int) (tail % TailBound.values().length)]);
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
        Chain chain = layout.chainOf(a);
        boolean isLeft = chain.isLost() || !gone.containsAll(chain.replicas());
        if (!isLeft && !next.chainOf(a).isLost()) {
          lost.add(a); // none of its units returns with its data here
        }
      }
      layout = next;
    }

    private void checkConcerned(Layout next, Set<Endpoint> gone) {
      Set<Endpoint> concerned = LayoutDiff.by(layout, next);
      for (long a = layout.segments().getFirst().start(); a < tail + 30; a++) {
        if (a >= next.segments().getFirst().start()) {
          Set<Endpoint> holders = changed(layout.segmentOf(a), next.segmentOf(a), a);
          holders.removeAll(gone);
          assertThat(concerned)
              .as("of address %s from %s to %s", a, layout, next)
              .containsAll(holders);
        }
      }
      checkLosing(next, LayoutDiff.losing(layout, next, tail));
    }

    /** Checks the losing units of all held addresses; no unit holds anything from the tail on. */
    private void checkLosing(Layout next, Set<Endpoint> losing) {
      for (long a = layout.segments().getFirst().start(); a < tail; a++) {
        Set<Endpoint> holders = new HashSet<>(layout.segmentOf(a).holdersOf(a));
        if (!next.isBefore(a)) {
          holders.removeAll(next.segmentOf(a).holdersOf(a));
        }
        assertThat(losing).as("of address %s", a).containsAll(holders);
      }
    }

    /**
     * Returns the units whose part of the address changes, and those that would not tell a future
     * holder of a trim.
     */
    private Set<Endpoint> changed(LayoutSegment old, LayoutSegment next, long a) {
      Set<Endpoint> changed = new HashSet<>();
      boolean isSame =
          old.chainOf(a).equals(next.chainOf(a)) && old.joiningAt(a).equals(next.joiningAt(a));
      boolean isTold = Set.copyOf(old.holdersOf(a)).containsAll(next.holdersOf(a));
      if (!isSame || (!isTold && a < tail)) {
        changed.addAll(old.holdersOf(a));
      }
      for (int low = 0; low < STREAMS && old.serving().hasStreams(); low++) {
        Chain chain = old.streamChainOf(new StreamId(0, low), a);
        if (!next.serving().hasStreams()
            || !chain.equals(next.streamChainOf(new StreamId(0, low), a))) {
          changed.addAll(chain.replicas());
        }
      }
      return changed;
    }

    void check() {
      long first = layout.segments().getFirst().start();
      assertThat(first).isLessThanOrEqualTo(Math.max(tail, trimmedBefore));
      for (long a = first; a < tail; a++) {
        if (!lost.contains(a) && a >= trimmedBefore) {
          for (Endpoint replica : layout.path(at(a))) {
            assertThat(of(replica)).as("%s serves %s in %s", replica, a, layout).contains(a);
          }
        }
      }
      assertThat(layout.openSegment().start()).isLessThanOrEqualTo(Math.max(tail, trimmedBefore));
      assertThat(layout.openSegment().log())
          .allMatch(chain -> chain.replicas().size() <= layout.wanted().replicas());
      assertThat(layout.openSegment().stream())
          .allMatch(chain -> chain.replicas().size() <= mostStreamReplicas);
    }
  }
}
