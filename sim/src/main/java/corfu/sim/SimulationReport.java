package corfu.sim;

import corfu.sim.fault.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The result of one simulation.
 *
 * @param arrangement a description of the cluster and of its fault plan
 * @param simulated the simulated time
 * @param events the number of events
 * @param faults how often each kind of fault was injected
 * @param operations the number of checked client operations, by kind and outcome
 * @param reached how often rare events happened, such as the copy of a segment
 * @param violations the violations found; empty if the run is clean
 * @param traceHash the same for every run of this seed with the same code and options
 * @param trace the last lines of the trace, if requested
 */
public record SimulationReport(
    long seed,
    String arrangement,
    Duration simulated,
    long events,
    Map<Fault, Integer> faults,
    Map<String, Integer> operations,
    Map<String, Integer> reached,
    List<String> violations,
    long traceHash,
    List<String> trace) {

  /**
   * The key in {@code reached} for the longest time without success that counts, in milliseconds.
   */
  public static final String LONGEST_OUTAGE = "milliseconds without success, at most";

  /** Returns whether no violation was found. */
  public boolean isClean() {
    return violations.isEmpty();
  }

  /** Returns a text with everything that helps a person to find the cause. */
  public String explain() {
    StringBuilder text = new StringBuilder();
    text.append("seed ").append(seed).append(": ").append(arrangement).append('\n');
    text.append("faults ").append(faults).append(", operations ").append(operations);
    text.append(", ").append(events).append(" events in ").append(simulated).append('\n');
    if (!trace.isEmpty()) {
      text.append(String.join("\n", trace)).append('\n');
    }
    violations.forEach(violation -> text.append(violation).append('\n'));
    return text.toString();
  }
}
