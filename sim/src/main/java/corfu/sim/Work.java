package corfu.sim;

import corfu.sim.world.Chance;
import java.util.Locale;

/** What the clients of a simulation do. */
public enum Work {
  /** What the seed says: in one run of four, objects. */
  ANY,
  /** They use the log and streams. */
  LOG,
  /** They use replicated objects. */
  OBJECTS,
  /** They make single calls on collections. */
  COLLECTIONS,
  /** They use composed objects and Tango's interface. */
  COMPOSED;

  /** Chosen so that seeds that once found something in the log still do the same. */
  private static final long SALT = 124;

  private static final int OBJECTS_ONE_IN = 4;

  /** Dice of its own, so that the rest of the run is what it would be otherwise. */
  static Chance dice(long seed) {
    return new Chance(seed ^ SALT);
  }

  boolean isOnObjects(Chance dice) {
    boolean isDrawn = dice.oneIn(OBJECTS_ONE_IN);
    return switch (this) {
      case ANY -> isDrawn;
      case LOG -> false;
      case OBJECTS, COLLECTIONS, COMPOSED -> true;
    };
  }

  /**
   * Its name as a person writes it.
   *
   * @throws IllegalArgumentException if there is none of the name
   */
  public static Work named(String name) {
    for (Work each : values()) {
      if (each.name().toLowerCase(Locale.ROOT).equals(name.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    throw new IllegalArgumentException(
        "there is no work '" + name + "'; there are any, log, objects, collections and composed");
  }
}
