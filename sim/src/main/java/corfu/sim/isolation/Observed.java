package corfu.sim.isolation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A transaction, or one attempt at it, as its client saw it. A call of its own on one object is a
 * transaction, too.
 *
 * @param name which no other one has
 * @param process whose it is
 * @param invoked when it began, in moments that all processes share
 * @param returned when its client knew its end; {@link #NEVER}: it never did
 * @param fate what its client was told
 * @param promise what it may rely on
 * @param accesses what it did, in its order
 */
public record Observed(
    String name,
    String process,
    long invoked,
    long returned,
    Fate fate,
    Promise promise,
    List<Access> accesses) {

  /** The client was never told. */
  public static final long NEVER = Long.MAX_VALUE;

  /** What a register holds that nobody has written, or whose value was removed. */
  public static final long NOTHING = 0;

  private static final int SHOWN = 12;

  /** What became of it. */
  public enum Fate {
    COMMITTED,
    /** Nothing of it has happened. */
    ABORTED,
    /** Its client does not know. */
    UNKNOWN
  }

  /** Where it may be put among the others. */
  public enum Promise {
    /** All of it at one moment between its beginning and its end. */
    STRICT,
    /** The same if it has happened; else its reads at one moment, however long ago. */
    STRICT_IF_DONE,
    /** Its reads at one moment, its writes at a later one, and none of what it wrote between. */
    SNAPSHOT,
    /** Its reads at one moment, however long ago. */
    PAST,
    /** All of it at one moment, after everything that is known to have happened. */
    LAST
  }

  /** What it did to a key: a list that values are appended to, or a register. */
  public sealed interface Access {
    String key();

    /** To the end of a list; no value is appended twice anywhere. */
    record Appended(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + "+" + value;
      }
    }

    /** All that a list held. */
    record SawList(String key, List<Long> values) implements Access {
      public SawList {
        values = List.copyOf(values);
      }

      @Override
      public String toString() {
        int from = Math.max(0, values.size() - SHOWN);
        return key + "=" + (from > 0 ? ".." : "") + values.subList(from, values.size());
      }
    }

    /** To a register; no value but {@link #NOTHING} is written twice anywhere. */
    record Wrote(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + ":=" + value;
      }
    }

    /** What a register held. */
    record Saw(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + "=" + value;
      }
    }
  }

  public Observed {
    accesses = List.copyOf(accesses);
  }

  /** Whether both are one. */
  boolean is(Observed other) {
    return name.equals(other.name);
  }

  /** Whether it has changed anything, as far as its client knows. */
  boolean writes() {
    return accesses.stream()
        .anyMatch(access -> access instanceof Access.Appended || access instanceof Access.Wrote);
  }

  @Override
  public String toString() {
    return name
        + " ("
        + invoked
        + ".."
        + (returned == NEVER ? "" : returned)
        + (promise == Promise.STRICT ? "" : ", " + promise)
        + (fate == Fate.COMMITTED ? "" : ", " + fate)
        + "): "
        + accesses.stream().map(Access::toString).collect(Collectors.joining(" "));
  }
}
