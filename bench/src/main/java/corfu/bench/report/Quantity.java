package corfu.bench.report;

import java.util.Locale;

/** Quantities as text, with their units. */
final class Quantity {

  private static final double KILO = 1e3;

  private Quantity() {}

  static String time(double millis) {
    if (millis >= 1) {
      return String.format(Locale.ROOT, millis >= 10 ? "%.0f ms" : "%.1f ms", millis);
    }
    return String.format(Locale.ROOT, "%.0f µs", millis * KILO);
  }
}
