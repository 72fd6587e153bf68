package corfu.bench.harness;

/**
 * A limit of the machine for a workload.
 *
 * @param name describes the operation and its size
 */
public record MachineLimit(String name, Workload workload) {}
