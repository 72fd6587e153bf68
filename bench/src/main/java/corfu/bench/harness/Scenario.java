package corfu.bench.harness;

/**
 * The scenario of a figure.
 *
 * @param benchmark the name of the benchmark
 * @param sizeBytes the payload of an entry in bytes, or 0 without entries
 * @param clients the number of threads
 * @param depth the in-flight requests of each thread
 * @param mode the mode of the log units, or empty without units
 * @param replicas the copies of each entry, or 0 without entries
 */
public record Scenario(
    String benchmark, int sizeBytes, int clients, int depth, String mode, int replicas) {

  public int inFlight() {
    return clients * depth;
  }
}
