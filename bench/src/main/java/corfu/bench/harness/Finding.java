package corfu.bench.harness;

import corfu.bench.plot.Plot;
import java.util.List;
import java.util.OptionalDouble;

/** The results of one part of a benchmark that has parts, such as the benchmark of streams. */
public sealed interface Finding {

  /** Which part, as "stages" or "read"; "machine": what the machine does by itself. */
  String part();

  /** What was done, and under which circumstances. */
  String what();

  /**
   * How long something took.
   *
   * @param count how often it was measured
   * @param p50Millis half of the times were no longer
   * @param machineMillis what the round trips and syncs that it cannot do without, one after the
   *     other, took on this machine in the same run; empty where it waits for something else
   */
  record Times(
      String part,
      String what,
      int count,
      double p50Millis,
      double p99Millis,
      double maxMillis,
      OptionalDouble machineMillis)
      implements Finding {

    /** The machine's part of the median. */
    public OptionalDouble ratio() {
      return machineMillis.isPresent()
          ? OptionalDouble.of(machineMillis.getAsDouble() / p50Millis)
          : OptionalDouble.empty();
    }
  }

  /**
   * How much of something was done in a second, beside the best that could be.
   *
   * @param unit what is counted
   * @param perSecond in the median round
   * @param limit the name of the best
   */
  record Rate(
      String part, String what, String unit, double perSecond, String limit, double limitPerSecond)
      implements Finding {

    /** Our part of the best. */
    public double ratio() {
      return perSecond / limitPerSecond;
    }
  }

  /**
   * Several values of one thing, which have names of their own.
   *
   * @param values in the order in which people shall see them
   */
  record Values(String part, String what, List<Value> values) implements Finding {
    public Values {
      values = List.copyOf(values);
    }
  }

  /**
   * One of them.
   *
   * @param name what it is, with its unit, as in "p50Millis"
   */
  record Value(String name, double value) {}

  /** The points of a picture. */
  record Picture(Plot plot) implements Finding {

    @Override
    public String part() {
      return "picture";
    }

    @Override
    public String what() {
      return plot.title();
    }
  }
}
