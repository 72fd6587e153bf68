package corfu.sim.isolation;

import java.util.List;
import java.util.stream.Collectors;

/**
 * A transaction, or one attempt at it, as its client saw it. A single call on one object is a
 * transaction, too.
 *
 * @param name the transaction's unique name
 * @param process the process that ran it
 * @param invoked when it began, in moments that all processes share
 * @param returned when its client knew its end, or {@link #NEVER}
 * @param fate the result that its client got
 * @param promise its guarantee
 * @param accesses its reads and writes, in order
 */
public record ObservedTransaction(
    String name,
    String process,
    long invoked,
    long returned,
    Fate fate,
    Promise promise,
    List<Access> accesses) {

  /** The client never got a result. */
  public static final long NEVER = Long.MAX_VALUE;

  /** The value of a register that was never written, or whose value was removed. */
  public static final long NOTHING = 0;

  private static final int SHOWN = 12;

  /** The result of a transaction. */
  public enum Fate {
    COMMITTED,
    /** Nothing of it has happened. */
    ABORTED,
    /** Its client does not know. */
    UNKNOWN
  }

  /** The possible positions among the other transactions. */
  public enum Promise {
    /** All of it at one moment between its beginning and its end. */
    STRICT,
    /** The same if it has happened; otherwise its reads at one moment, however long ago. */
    STRICT_IF_DONE,
    /**
     * Its reads at one moment and its writes at a later one, with no other write to the same keys
     * in between.
     */
    SNAPSHOT,
    /** Its reads at one moment, however long ago. */
    PAST,
    /** All of it at one moment, after everything that is known to have happened. */
    LAST
  }

  /** A read or write of a key, which is a register or a list that values are appended to. */
  public sealed interface Access {
    String key();

    /** An append to the end of a list; no value is appended twice anywhere. */
    record Appended(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + "+" + value;
      }
    }

    /** A read of a whole list. */
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

    /** A write to a register; no value but {@link #NOTHING} is written twice anywhere. */
    record Wrote(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + ":=" + value;
      }
    }

    /** A read of a register. */
    record Saw(String key, long value) implements Access {
      @Override
      public String toString() {
        return key + "=" + value;
      }
    }
  }

  public ObservedTransaction {
    accesses = List.copyOf(accesses);
  }

  /** Returns whether both are the same transaction. */
  boolean is(ObservedTransaction other) {
    return name.equals(other.name);
  }

  /** Returns whether it has changed anything, as far as its client knows. */
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
