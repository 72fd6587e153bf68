package corfu.sim;

import corfu.sim.application.Application;
import corfu.sim.fault.Fault;
import corfu.sim.fault.Pace;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * What a simulation is like, apart from its seed.
 *
 * @param faults what may go wrong; each seed takes some of them
 * @param work what clients do
 * @param faultsFor for how long, in simulated time, faults are injected at the most
 * @param application what they run instead, if it is none of that
 * @param pace how soon faults follow each other, and how long they last
 * @param traceLines how many of the last lines of the trace a report has; 0 for none
 * @param trace gets every line of the trace, as it happens, unless {@code traceLines} is 0
 */
public record SimulationOptions(
    Set<Fault> faults,
    Work work,
    Duration faultsFor,
    Optional<Application> application,
    Pace pace,
    int traceLines,
    Consumer<String> trace) {

  /** All faults, for up to ten seconds, without a trace. */
  public static final SimulationOptions DEFAULT =
      new SimulationOptions(
          EnumSet.allOf(Fault.class),
          Work.ANY,
          Duration.ofSeconds(10),
          Optional.empty(),
          Pace.VARIED,
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

  /** With these faults only. */
  public SimulationOptions withFaults(Set<Fault> others) {
    return new SimulationOptions(others, work, faultsFor, application, pace, traceLines, trace);
  }

  /** With clients that do this. */
  public SimulationOptions withWork(Work other) {
    return new SimulationOptions(faults, other, faultsFor, application, pace, traceLines, trace);
  }

  /** With clients that run this. */
  public SimulationOptions withApplication(Application application) {
    return new SimulationOptions(
        faults, work, faultsFor, Optional.of(application), pace, traceLines, trace);
  }

  /** With faults at this pace; at a slow one, for up to a minute. */
  public SimulationOptions withPace(Pace other) {
    Duration longest = other == Pace.SLOW ? Duration.ofMinutes(1) : faultsFor;
    return new SimulationOptions(faults, work, longest, application, other, traceLines, trace);
  }

  /** With a trace, of which a report has the last lines. */
  public SimulationOptions withTrace(int lines, Consumer<String> sink) {
    return new SimulationOptions(faults, work, faultsFor, application, pace, lines, sink);
  }
}
