package corfu.sim;

import corfu.sim.fault.Fault;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * What came of one simulation.
 *
 * @param arrangement the kind of cluster and the plan of its faults, in words
 * @param simulated how much time passed in it
 * @param events how many events happened
 * @param faults how often each kind was injected
 * @param operations how many operations of clients were checked, by kind and outcome
 * @param reached how often what happens rarely did, such as that a segment was copied
 * @param violations what was found to be wrong; empty if all is well
 * @param traceHash the same for every run of this seed with the same code and options
 * @param trace the last lines of the trace, if it was asked for
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

  /** Of what was reached: the longest time without success that counts, in milliseconds. */
  public static final String LONGEST_OUTAGE = "milliseconds without success, at most";

  /** Whether nothing was found to be wrong. */
  public boolean isClean() {
    return violations.isEmpty();
  }

  /** Everything that a person needs who wants to know what went wrong. */
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
