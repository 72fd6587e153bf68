package corfu.bench.disk;

import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * The choice of measurements, and how thorough they are.
 *
 * @param rows the measurements; empty for all
 * @param rounds the turns of each side
 * @param round the length of a turn
 * @param samples the measurements of each time
 * @param sizeMiB the size of the disk for rates
 * @param fullGiB the size of the full disk for times
 * @param copies the numbers of copies of each entry in the log
 */
public record DiskSettings(
    Set<Row> rows,
    int rounds,
    Duration round,
    int samples,
    int sizeMiB,
    int fullGiB,
    List<Integer> copies) {

  /** A measurement. */
  public enum Row {
    /** Random writes of 4 KiB with a flush each 32, and random reads. */
    RANDOM,
    /** Sequential writes and reads of 1 MiB. */
    SEQUENTIAL,
    /** Snapshots and clones of a full disk. */
    SNAPSHOTS,
    /** The time until a server is ready for a full disk. */
    START
  }

  public DiskSettings {
    rows = Set.copyOf(rows);
    copies = List.copyOf(copies);
    if (rounds < 1
        || samples < 1
        || sizeMiB < 1
        || fullGiB < 1
        || copies.isEmpty()
        || copies.stream().anyMatch(number -> number < 1)) {
      throw new IllegalArgumentException(
          "every number is 1 or more, but this is %d rounds, %d samples, %d MiB, %d GiB, %s copies"
              .formatted(rounds, samples, sizeMiB, fullGiB, copies));
    }
  }

  boolean has(Row row) {
    return rows.isEmpty() || rows.contains(row);
  }
}
