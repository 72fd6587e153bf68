package corfu.bench;

/**
 * What the machine does at best where ours does more.
 *
 * @param name says what is done, and how much of it at a time
 */
record Limit(String name, Workload workload) {}
