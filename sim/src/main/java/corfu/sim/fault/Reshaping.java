package corfu.sim.fault;

import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutChanges;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Plan;
import corfu.protocol.layout.Wanted;
import corfu.sim.cluster.Arrangement;
import corfu.sim.cluster.Operator;
import corfu.sim.cluster.SimCluster;
import corfu.sim.world.Chance;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * What operators make of a cluster while it runs: units and layout servers come and go, more units
 * are wanted, or more replicas. Two operators may wish for the same at the same time, or for
 * different things.
 */
final class Reshaping {

  private static final int REPLICAS_MAX = 3;

  private final Arrangement arrangement;
  private final SimCluster cluster;
  private final Chance chance;

  /** Something to wish for. */
  private record Wish(String text, UnaryOperator<Layout> change) {}

  Reshaping(Arrangement arrangement, SimCluster cluster, Chance chance) {
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

  /** Both operators want another layout next, at the same moment. */
  void duel() {
    List<Operator> operators = cluster.operators();
    for (int i = 0; i < operators.size(); i++) {
      Wish wish = want(i, chance.oneIn(2));
      operators.get(i).wish(wish.text(), wish.change());
    }
  }

  /** Other layout servers: one more, one less, or one for another. */
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

  /** Somebody else may have dropped the others meanwhile. */
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

  /** More replicas, or fewer; perhaps as many units as there are. */
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

  /** Somebody must be left who holds what it holds. */
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
