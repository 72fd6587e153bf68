package corfu.bench.harness;

/**
 * What is measured.
 *
 * @param benchmark its name
 * @param sizeBytes what an entry carries; 0 where there is none
 * @param clients how many threads ask
 * @param depth how many requests of each are under way
 * @param mode the units' mode; empty where there are none
 * @param replicas copies of each entry; 0 where there are none
 */
public record Scenario(
    String benchmark, int sizeBytes, int clients, int depth, String mode, int replicas) {

  public int inFlight() {
    return clients * depth;
  }
}
