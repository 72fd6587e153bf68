package corfu.bench.harness;

import corfu.bench.plot.Plot;
import java.util.List;
import java.util.OptionalDouble;

/** A result of one part of a benchmark that has several parts. */
public sealed interface PartResult {

  /**
   * Returns the name of the part, such as "stages" or "read", or "machine" for a limit of the
   * machine.
   */
  String part();

  /** Returns a description of the operation and its circumstances. */
  String what();

  /**
   * The duration of an operation.
   *
   * @param count the number of measurements
   * @param p50Millis the median, in milliseconds
   * @param machineMillis the time of the round trips and syncs that the operation cannot avoid, in
   *     the same run. They run one after the other. Empty if the operation waits for something
   *     else.
   */
  record Times(
      String part,
      String what,
      int count,
      double p50Millis,
      double p99Millis,
      double maxMillis,
      OptionalDouble machineMillis)
      implements PartResult {

    /** Returns the machine's part of the median. */
    public OptionalDouble ratio() {
      return machineMillis.isPresent()
          ? OptionalDouble.of(machineMillis.getAsDouble() / p50Millis)
          : OptionalDouble.empty();
    }
  }

  /**
   * A rate beside its limit.
   *
   * @param unit the counted unit
   * @param perSecond the rate of the median round
   * @param limit the name of the limit
   */
  record Rate(
      String part, String what, String unit, double perSecond, String limit, double limitPerSecond)
      implements PartResult {

    /** Returns the ratio of ours to the limit. */
    public double ratio() {
      return perSecond / limitPerSecond;
    }
  }

  /**
   * Several named values of one run.
   *
   * @param values the values, in the order of the report
   */
  record Values(String part, String what, List<Value> values) implements PartResult {
    public Values {
      values = List.copyOf(values);
    }
  }

  /**
   * A named value.
   *
   * @param name the name with its unit, such as "p50Millis"
   */
  record Value(String name, double value) {}

  /** The points of a picture. */
  record Picture(Plot plot) implements PartResult {

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
