package corfu.bench.harness;

/**
 * What the machine does at best where ours does more.
 *
 * @param name says what is done, and how much of it at a time
 */
public record MachineLimit(String name, Workload workload) {}
