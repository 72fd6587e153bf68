package corfu.bench.report;

import corfu.bench.plot.Plot;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads the points of a picture from the results of a benchmark. */
final class Pictures {

  private Pictures() {}

  /** Returns whether this result holds the points of a picture. */
  static boolean isPicture(Result result) {
    return result.has("panels");
  }

  /** Returns the last picture of a benchmark, or nothing if its results hold none. */
  static Optional<Plot> of(List<Result> results) {
    return results.stream()
        .filter(Pictures::isPicture)
        .reduce((earlier, last) -> last)
        .map(Pictures::plot);
  }

  private static Plot plot(Result result) {
    return new Plot(
        result.text("title"),
        Plot.Across.valueOf(result.text("across")),
        result.text("below"),
        result.all("panels").stream().map(Pictures::panel).toList());
  }

  private static Plot.Panel panel(Result panel) {
    return new Plot.Panel(
        panel.text("name"), panel.all("curves").stream().map(Pictures::curve).toList());
  }

  private static Plot.Curve curve(Result curve) {
    double[] x = curve.array("x");
    double[] y = curve.array("y");
    List<Plot.Point> points = new ArrayList<>();
    for (int i = 0; i < Math.min(x.length, y.length); i++) {
      points.add(new Plot.Point(x[i], y[i]));
    }
    return new Plot.Curve(curve.text("name"), points);
  }
}
