package corfu.bench.plot;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A picture of curves: one panel above the other, all over the same axis.
 *
 * @param across the axis that all panels share, from left to right
 * @param below the caption of that axis, with its unit
 */
public record Plot(String title, Across across, String below, List<Panel> panels) {

  public Plot {
    panels = List.copyOf(panels);
  }

  /** The kinds of horizontal axes. */
  public enum Across {
    /** A setting of the benchmark, such as the number of clients. */
    SETTING,
    /** Seconds around an event, which happens at second 0. */
    TIME,
    /** Durations in microseconds, on a logarithmic axis. */
    DURATION
  }

  /**
   * Curves that share a vertical axis.
   *
   * @param name the caption of the vertical axis, with its unit
   */
  public record Panel(String name, List<Curve> curves) {
    public Panel {
      curves = List.copyOf(curves);
    }

    DoubleStream heights() {
      return curves.stream().flatMap(curve -> curve.points().stream()).mapToDouble(Point::y);
    }
  }

  /**
   * One curve of a panel.
   *
   * @param points from left to right
   */
  public record Curve(String name, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }
  }

  /** A point in the units of its axes. */
  public record Point(double x, double y) {}

  /** Returns the horizontal positions of all points, in ascending order and without duplicates. */
  double[] positions() {
    return panels.stream()
        .flatMap(panel -> panel.curves().stream())
        .flatMap(curve -> curve.points().stream())
        .mapToDouble(Point::x)
        .sorted()
        .distinct()
        .toArray();
  }

  /** Returns the picture as an SVG document. */
  public String toSvg() {
    return new PlotDrawing(this).svg();
  }
}
