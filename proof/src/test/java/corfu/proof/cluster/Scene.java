package corfu.proof.cluster;

import corfu.world.World;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** The machines of a cluster, the network between them, and a random generator. */
record Scene(World world, List<Machine> machines, Network network, SplittableRandom chance) {

  /** The operation timeout of clients. */
  static final long CALL_MILLIS_MAX = 3_000;

  Machine anyone() {
    return machines.get(chance.nextInt(machines.size()));
  }

  /** Waits while clients make their calls. */
  void pass(Duration time) {
    world.pause(time);
  }

  /** Starts every server that is not running. */
  void startAll() {
    machines.stream().filter(machine -> !machine.isRunning()).forEach(Machine::start);
  }

  /** Divides all machines, including the clients', into two non-empty parts. */
  void divide(List<Integer> here, List<Integer> there) {
    List<Integer> all = new ArrayList<>(List.of(Network.CLIENTS));
    machines.forEach(machine -> all.add(machine.number()));
    int sure = chance.nextInt(all.size());
    boolean single = chance.nextBoolean();
    for (int i = 0; i < all.size(); i++) {
      boolean isHere = i == sure || (!single && chance.nextInt(3) == 0);
      (isHere ? here : there).add(all.get(i));
    }
    if (there.isEmpty()) {
      there.add(here.removeLast());
    }
  }
}
