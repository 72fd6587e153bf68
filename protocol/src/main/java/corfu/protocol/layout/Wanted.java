package corfu.protocol.layout;

/**
 * What the cluster should be like when nothing is broken.
 *
 * @param units how many log units the open segment is spread over, 1 or more
 * @param replicas how many copies each entry has, from 1 to {@code units}
 */
public record Wanted(int units, int replicas) {

  public Wanted {
    if (replicas < 1 || replicas > units) {
      throw new IllegalArgumentException(
          "entries can have from 1 to "
              + units
              + " replicas on "
              + units
              + " log units, not "
              + replicas);
    }
  }
}
