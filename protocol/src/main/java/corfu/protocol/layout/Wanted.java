package corfu.protocol.layout;

/**
 * The cluster's wanted state when nothing is broken.
 *
 * @param units the number of log units in the open segment, 1 or more
 * @param replicas the number of copies of each entry on units that hold the log, 1 or more
 * @param streamReplicas the number of copies of each entry, for each of its streams, on units that
 *     hold streams; 0 if streams have no replicas of their own. Together with {@code replicas} at
 *     most {@code units}
 */
public record Wanted(int units, int replicas, int streamReplicas) {

  public Wanted {
    if (replicas < 1 || streamReplicas < 0 || replicas > units - streamReplicas) {
      throw new IllegalArgumentException(
          streamReplicas == 0
              ? "entries can have from 1 to "
                  + (units + " replicas on " + units + " log units, not " + replicas)
              : "entries can't have "
                  + (replicas
                      + " replicas, and "
                      + streamReplicas
                      + " in each of their streams, on ")
                  + (units + " log units: a unit holds either the log or streams"));
    }
  }

  /** Creates a wanted state in which streams have no replicas of their own. */
  public Wanted(int units, int replicas) {
    this(units, replicas, 0);
  }

  /** Returns the same state with this many units. */
  Wanted withUnits(int other) {
    return new Wanted(other, replicas, streamReplicas);
  }

  /** Returns the number of units needed for all copies of an entry of one stream. */
  public int copies() {
    return replicas + streamReplicas;
  }

  /**
   * Returns how many of this many units hold streams, in proportion to the numbers of replicas. The
   * log comes first: if the units do not suffice for all replicas, streams get fewer or none.
   */
  int streamUnits(int of) {
    if (streamReplicas == 0) {
      return 0;
    }
    int most = Math.max(0, of - replicas);
    int fair = Math.toIntExact(Math.round((double) of * streamReplicas / copies()));
    return Math.clamp(fair, Math.min(streamReplicas, most), most);
  }
}
