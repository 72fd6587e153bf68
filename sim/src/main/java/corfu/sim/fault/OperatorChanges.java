package corfu.sim.fault;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.sim.cluster.ClusterShape;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.SimCluster;
import corfu.sim.world.SimRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Changes that operators make to a running cluster. They add and remove log units and layout
 * servers, and ask for more log units or replicas. Two operators may make the same change at the
 * same time, or different ones.
 */
final class OperatorChanges {

  private static final int REPLICAS_MAX = 3;

  private final ClusterShape arrangement;
  private final SimCluster cluster;
  private final SimRandom chance;

  /** A change to the layout. */
  private record Wish(String text, UnaryOperator<Layout> change) {}

  OperatorChanges(ClusterShape arrangement, SimCluster cluster, SimRandom chance) {
    this.arrangement = arrangement;
    this.cluster = cluster;
    this.chance = chance;
  }

  void begin() {
    if (chance.oneIn(3)) {
      voters();
    } else {
      storage();
    }
  }

  /** Has both operators ask for different next layouts at the same moment. */
  void duel() {
    List<Operator> operators = cluster.operators();
    for (int i = 0; i < operators.size(); i++) {
      Wish wish = want(i, chance.oneIn(2));
      operators.get(i).wish(wish.text(), wish.change());
    }
  }

  /** Changes the layout servers: adds one, drops one, or replaces one. */
  private void voters() {
    cluster.watch().newest().ifPresent(newest -> voters(newest, chance.below(3)));
  }

  private void voters(Layout newest, int kind) {
    List<Endpoint> newcomers = new ArrayList<>(arrangement.contacts());
    newcomers.removeAll(newest.layoutServers());
    newcomers.removeIf(cluster.faultBudget()::isDead);
    if (kind != 0 && !newcomers.isEmpty()) {
      Endpoint newcomer = chance.pick(newcomers);
      cluster.faultBudget().joins(newcomer);
      someOperators(
          operator -> operator.welcome(newcomer, () -> cluster.faultBudget().isDead(newcomer)));
    }
    Endpoint leaver = chance.pick(newest.layoutServers());
    if (kind != 1 && cluster.faultBudget().mayLeave(leaver)) {
      cluster.faultBudget().leaves(leaver);
      someOperators(
          operator ->
              operator.wish(
                  "drop the layout server " + leaver.host(), now -> withoutVoter(now, leaver)));
    }
  }

  /**
   * Keeps the last layout server, because another operator may have dropped the others meanwhile.
   */
  private static Layout withoutVoter(Layout now, Endpoint leaver) {
    return now.layoutServers().size() > 1 ? LayoutChanges.withoutLayoutServer(now, leaver) : now;
  }

  private void someOperators(Consumer<Operator> wish) {
    cluster.operators().stream().filter(operator -> chance.oneIn(2)).forEach(wish);
  }

  private void storage() {
    Optional<Layout> newest = cluster.watch().newest();
    if (newest.isEmpty()) {
      return;
    }
    List<Wish> wishes = wishes(newest.get());
    for (Operator operator : cluster.operators()) {
      if (chance.oneIn(2)) {
        List<Wish> own = chance.oneIn(2) ? wishes : wishes(newest.get());
        own.forEach(wish -> operator.wish(wish.text(), wish.change()));
      }
    }
  }

  private List<Wish> wishes(Layout layout) {
    return switch (chance.below(4)) {
      case 0 -> List.of(add(layout));
      case 1 -> List.of(retire(layout));
      case 2 -> List.of(add(layout), retire(layout));
      default -> List.of(want(chance.below(REPLICAS_MAX), chance.oneIn(2)));
    };
  }

  /** Asks for more or fewer replicas; sometimes for as many log units as there are. */
  private static Wish want(int fewerThanMost, boolean allUnits) {
    return new Wish(
        "want other numbers",
        now -> {
          int members = (int) now.units().stream().filter(member -> !member.retiring()).count();
          int ofStreams = now.wanted().streamReplicas();
          int units = allUnits ? Math.max(members, 1 + ofStreams) : now.wanted().units();
          int replicas = Math.max(1, Math.min(units - ofStreams, REPLICAS_MAX - fewerThanMost));
          return Plan.withWanted(now, new Wanted(units, replicas, ofStreams));
        });
  }

  private Wish add(Layout layout) {
    List<Endpoint> strangers = new ArrayList<>(arrangement.units());
    strangers.addAll(arrangement.extras());
    layout.units().forEach(member -> strangers.remove(member.endpoint()));
    strangers.removeIf(cluster.faultBudget()::isDead);
    if (strangers.isEmpty()) {
      return want(0, true);
    }
    Endpoint unit = chance.pick(strangers);
    return new Wish("add " + unit.host(), now -> Plan.withSpare(now, unit));
  }

  private Wish retire(Layout layout) {
    Endpoint unit = chance.pick(layout.units()).endpoint();
    return new Wish(
        "retire " + unit.host(), now -> hasOthers(now, unit) ? retired(now, unit) : now);
  }

  /** Returns whether another log unit is left that can have the unit's contents. */
  private boolean hasOthers(Layout now, Endpoint unit) {
    return now.units().stream()
        .anyMatch(
            member ->
                !member.endpoint().equals(unit)
                    && !member.retiring()
                    && !cluster.faultBudget().isDead(member.endpoint()));
  }

  private static Layout retired(Layout now, Endpoint unit) {
    boolean isMember = now.units().stream().map(Member::endpoint).anyMatch(unit::equals);
    return isMember ? Plan.withRetiring(now, unit) : now;
  }
}
