package corfu.bench.plot;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An axis: a range of values, and round values in it that get a label.
 *
 * @param from the value at the beginning of the axis
 * @param to the value at its end
 * @param isLogarithmic whether equal distances mean equal factors
 * @param ticks the values with a label, in ascending order
 */
record Axis(double from, double to, boolean isLogarithmic, List<Double> ticks) {

  private static final int INTERVALS_UP = 5;
  private static final int INTERVALS_ACROSS = 8;
  private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0, 10.0);

  /**
   * From this ratio of the largest to the smallest value on, an axis of settings is logarithmic.
   */
  private static final double WIDE = 20;

  /** Part of the axis that stays empty before the first point and after the last one. */
  private static final double MARGIN = 0.04;

  /** Settings that are closer together than this part of the axis share a label. */
  private static final double CLOSE = 0.08;

  /** An axis of settings gets a label for each of them if there are no more than this. */
  private static final int FEW = 8;

  private static final double ALMOST = 1e-9;
  private static final double THOUSAND = 1e3;
  private static final double MILLION = 1e6;

  Axis {
    ticks = List.copyOf(ticks);
  }

  /** Returns a vertical axis that begins at 0 and ends at a tick at or above the highest value. */
  static Axis upTo(double highest) {
    double least = highest > 0 ? highest : 1;
    double step = roundStep(least / INTERVALS_UP);
    double end = Math.ceil(least / step - ALMOST) * step;
    return new Axis(0, end, false, multiples(step, 0, end));
  }

  /** Returns an axis whose ends and ticks are powers of ten around these positive values. */
  static Axis decades(double[] values) {
    double first = Math.floor(Math.log10(values[0]) + ALMOST);
    double last = Math.max(first + 1, Math.ceil(Math.log10(values[values.length - 1]) - ALMOST));
    double[] ticks = new double[(int) (last - first) + 1];
    Arrays.setAll(ticks, i -> Math.pow(10, first + i));
    return new Axis(ticks[0], ticks[ticks.length - 1], true, boxed(ticks));
  }

  /** Returns an axis of time from the first to the last of these seconds. */
  static Axis seconds(double[] values) {
    double from = values[0];
    double to = values[values.length - 1];
    double step = roundStep((to - from) / INTERVALS_ACROSS);
    return new Axis(from, to, false, multiples(step, from, to));
  }

  /** Returns an axis that begins just before the first of these settings. */
  static Axis settings(double[] values) {
    double first = values[0];
    double last = values[values.length - 1];
    if (first > 0 && last / first >= WIDE) {
      double margin = Math.pow(last / first, MARGIN);
      Axis wide = new Axis(first / margin, last * margin, true, List.of());
      return new Axis(wide.from(), wide.to(), true, wide.apart(values));
    }
    double margin = last > first ? (last - first) * MARGIN : Math.max(1, Math.abs(first)) / 2;
    Axis narrow = new Axis(first - margin, last + margin, false, List.of());
    List<Double> labels = narrow.apart(values);
    boolean isLabelled = labels.size() == values.length && values.length <= FEW;
    double step = roundStep((last - first + 2 * margin) / INTERVALS_ACROSS);
    return new Axis(
        narrow.from(),
        narrow.to(),
        false,
        isLabelled ? labels : multiples(step, narrow.from(), narrow.to()));
  }

  /** Returns those of the values that are far enough from the one before for a label. */
  private List<Double> apart(double[] values) {
    double[] last = {-1};
    return Arrays.stream(values)
        .filter(
            value -> {
              boolean isApart = part(value) - last[0] >= CLOSE;
              last[0] = isApart ? part(value) : last[0];
              return isApart;
            })
        .boxed()
        .toList();
  }

  /** Returns the smallest of 1, 2 and 5 times a power of ten that is not less than this. */
  private static double roundStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    return STEPS.stream()
        .map(factor -> factor * power)
        .filter(step -> step >= least * (1 - ALMOST))
        .findFirst()
        .orElse(10 * power);
  }

  private static List<Double> multiples(double step, double from, double to) {
    long first = (long) Math.ceil(from / step - ALMOST);
    long last = (long) Math.floor(to / step + ALMOST);
    double[] all = new double[Math.toIntExact(last - first) + 1];
    Arrays.setAll(all, i -> (first + i) * step);
    return boxed(all);
  }

  private static List<Double> boxed(double[] values) {
    return Arrays.stream(values).boxed().toList();
  }

  /** Returns the position of a value: 0 at the beginning of the axis, 1 at its end. */
  double part(double value) {
    double part =
        isLogarithmic
            ? Math.log(Math.max(value, from) / from) / Math.log(to / from)
            : (value - from) / (to - from);
    return Math.clamp(part, 0, 1);
  }

  /** Returns a number as a label: without zeros that say nothing. */
  static String label(double value) {
    double rounded = Math.rint(value * MILLION) / MILLION;
    if (rounded == Math.rint(rounded)) {
      return String.format(Locale.ROOT, "%,.0f", rounded);
    }
    return String.format(Locale.ROOT, "%,.6f", rounded).replaceAll("0+$", "");
  }

  /** Returns microseconds as a label with their unit. */
  static String duration(double micros) {
    if (micros >= MILLION) {
      return label(micros / MILLION) + " s";
    }
    return micros >= THOUSAND ? label(micros / THOUSAND) + " ms" : label(micros) + " µs";
  }
}
