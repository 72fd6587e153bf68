package corfu.museum;

import corfu.sim.Simulation;
import corfu.sim.SimulationOptions;
import corfu.sim.Work;
import java.util.Locale;
import java.util.OptionalInt;
import java.util.function.BiFunction;

/** Looks for a seed that finds something, wherever its class was loaded. */
public final class SeedHunt implements BiFunction<Integer, String, OptionalInt> {

  /**
   * @param most how many seeds are tried, from 1 on
   * @param work what clients do
   * @return the first seed that found something
   */
  @Override
  public OptionalInt apply(Integer most, String work) {
    SimulationOptions options =
        SimulationOptions.DEFAULT.withWork(Work.valueOf(work.toUpperCase(Locale.ROOT)));
    for (int seed = 1; seed <= most; seed++) {
      if (!Simulation.run(seed, options).isClean()) {
        return OptionalInt.of(seed);
      }
    }
    return OptionalInt.empty();
  }
}
