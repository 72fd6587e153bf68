package corfu.bench.plot;

import corfu.bench.plot.Plot.Across;
import corfu.bench.plot.Plot.Curve;
import corfu.bench.plot.Plot.Panel;
import corfu.bench.plot.Plot.Point;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Collects the points of a {@link Plot} while a benchmark runs. Not thread-safe. */
public final class PlotBuilder {

  private final Map<String, Map<String, List<Point>>> panels = new LinkedHashMap<>();

  /** Adds a point to a curve. The points of a curve are added from left to right. */
  public void add(String panel, String curve, double x, double y) {
    panels
        .computeIfAbsent(panel, first -> new LinkedHashMap<>())
        .computeIfAbsent(curve, first -> new ArrayList<>())
        .add(new Point(x, y));
  }

  /**
   * Adds a curve of rates over time.
   *
   * @param start the beginning of the first period, in seconds since the event; negative before it
   * @param period the length of each period, in seconds
   * @param counts the number of operations in each period
   */
  public void addRates(String panel, double start, double period, long[] counts) {
    for (int i = 0; i < counts.length; i++) {
      add(panel, panel, start + (i + 0.5) * period, counts[i] / period);
    }
  }

  /**
   * Returns the plot of all points so far.
   *
   * @param below the caption of the horizontal axis, with its unit
   */
  public Plot plot(String title, Across across, String below) {
    List<Panel> built = new ArrayList<>();
    panels.forEach(
        (panel, curves) -> {
          List<Curve> lines = new ArrayList<>();
          curves.forEach((name, points) -> lines.add(new Curve(name, points)));
          built.add(new Panel(panel, lines));
        });
    return new Plot(title, across, below, built);
  }
}
