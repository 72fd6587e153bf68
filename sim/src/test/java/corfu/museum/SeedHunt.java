package corfu.museum;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.Work;
import corfu.sim.fault.Fault;
import java.util.List;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** Looks for a seed with a violation, in the classes of any class loader. */
public final class SeedHunt implements BiFunction<Integer, String, OptionalInt> {

  /**
   * @param most the number of seeds to try, from 1 on
   * @param workAndPlan the clients' work, and after a space the plan of faults if not all
   * @return the first seed with a violation
   */
  @Override
  public OptionalInt apply(Integer most, String workAndPlan) {
    List<String> words = List.of(workAndPlan.split(" "));
    SimulationOptions usual = SimulationOptions.DEFAULT;
    SimulationOptions options =
        usual
            .withWork(Work.valueOf(words.getFirst().toUpperCase(Locale.ROOT)))
            .withFaults(words.size() > 1 ? Fault.plan(words.get(1)) : usual.faults());
    for (int seed = 1; seed <= most; seed++) {
      if (!Simulation.run(seed, options).isClean()) {
        return OptionalInt.of(seed);
      }
    }
    return OptionalInt.empty();
  }
}
