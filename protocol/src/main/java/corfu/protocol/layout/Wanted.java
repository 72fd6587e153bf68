package corfu.protocol.layout;

/**
 * What the cluster should be like when nothing is broken.
 *
 * @param units how many log units the open segment is spread over, 1 or more
 * @param replicas how many copies each entry has on units that hold the log, 1 or more
 * @param streamReplicas how many copies it has, for each of its streams, on units that hold
 *     streams; 0 where streams have no replicas of their own. With {@code replicas} no more than
 *     {@code units}
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

  /** Where streams have no replicas of their own. */
  public Wanted(int units, int replicas) {
    this(units, replicas, 0);
  }

  /** The same for more units, or fewer. */
  Wanted withUnits(int other) {
    return new Wanted(other, replicas, streamReplicas);
  }

  /** How many units are needed for all copies of an entry in one stream. */
  public int copies() {
    return replicas + streamReplicas;
  }

  /**
   * How many of so many units hold streams: a part that fits the numbers of replicas. The log comes
   * first: where the units do not do for all replicas, streams have fewer, or none.
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
