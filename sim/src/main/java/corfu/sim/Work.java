package corfu.sim;

import corfu.sim.world.SimRandom;
import java.util.Locale;

/** The work of a simulation's clients. */
public enum Work {
  /** The seed chooses: objects in one run of four, the log and streams otherwise. */
  ANY,
  /** They use the log and streams. */
  LOG,
  /** They use replicated objects. */
  OBJECTS,
  /** They make single calls on collections. */
  COLLECTIONS,
  /** They use composed objects and Tango's interface. */
  COMPOSED;

  /** Chosen so that seeds that once found an error in the log still make the same run. */
  private static final long SALT = 124;

  private static final int OBJECTS_ONE_IN = 4;

  /**
   * Returns a separate random generator, so that the choice does not change the rest of the run.
   */
  static SimRandom dice(long seed) {
    return new SimRandom(seed ^ SALT);
  }

  boolean isOnObjects(SimRandom dice) {
    boolean isDrawn = dice.oneIn(OBJECTS_ONE_IN);
    return switch (this) {
      case ANY -> isDrawn;
      case LOG -> false;
      case OBJECTS, COLLECTIONS, COMPOSED -> true;
    };
  }

  /**
   * Returns the work of this name.
   *
   * @throws IllegalArgumentException if no work has this name
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
