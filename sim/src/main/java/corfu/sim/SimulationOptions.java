package corfu.sim;

import corfu.sim.application.Application;
import corfu.sim.fault.Fault;
import corfu.sim.fault.FaultRate;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * The options of a simulation, apart from its seed.
 *
 * @param faults the faults that may be injected; each seed uses some of them
 * @param work the clients' work
 * @param faultsFor the maximum simulated time with faults
 * @param application the application that clients run instead of the work, if any
 * @param pace how soon faults follow each other, and how long they last
 * @param traceLines how many of the last lines of the trace a report contains; 0 for none
 * @param trace receives every line of the trace as it happens, unless {@code traceLines} is 0
 */
public record SimulationOptions(
    Set<Fault> faults,
    Work work,
    Duration faultsFor,
    Optional<Application> application,
    FaultRate pace,
    int traceLines,
    Consumer<String> trace) {

  /** All faults, for up to ten seconds, without a trace. */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(
          EnumSet.allOf(Fault.class),
          Work.ANY,
          Duration.ofSeconds(10),
          Optional.empty(),
          FaultRate.VARIED,
          0,
          line -> {});

  public SimulationOptions {
    faults = Set.copyOf(faults);
    if (faultsFor.isNegative() || traceLines < 0) {
      throw new IllegalArgumentException(
          "a simulation lasts for 0 s or more and keeps 0 lines or more, not "
              + faultsFor
              + " and "
              + traceLines);
    }
  }

  /** Returns options with only these faults. */
  public SimulationOptions withFaults(Set<Fault> others) {
    return new SimulationOptions(others, work, faultsFor, application, pace, traceLines, trace);
  }

  /** Returns options with this work. */
  public SimulationOptions withWork(Work other) {
    return new SimulationOptions(faults, other, faultsFor, application, pace, traceLines, trace);
  }

  /** Returns options with this application. */
  public SimulationOptions withApplication(Application application) {
    return new SimulationOptions(
        faults, work, faultsFor, Optional.of(application), pace, traceLines, trace);
  }

  /** Returns options with this pace; the slow pace has faults for up to a minute. */
  public SimulationOptions withPace(FaultRate other) {
    Duration longest = other == FaultRate.SLOW ? Duration.ofMinutes(1) : faultsFor;
    return new SimulationOptions(faults, work, longest, application, other, traceLines, trace);
  }

  /** Returns options with a trace, whose last lines a report contains. */
  public SimulationOptions withTrace(int lines, Consumer<String> sink) {
    return new SimulationOptions(faults, work, faultsFor, application, pace, lines, sink);
  }
}
