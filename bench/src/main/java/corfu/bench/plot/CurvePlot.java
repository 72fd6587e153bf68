package corfu.bench.plot;

import java.util.List;
import java.util.Locale;

/** Curves over something that is not time, as an SVG picture: one panel above the other. */
public record CurvePlot(String title, String below, List<Panel> panels) {

  private static final int WIDTH = 720;
  private static final int LEFT = 80;
  private static final int RIGHT = 190;
  private static final int TOP = 40;
  private static final int PANEL = 170;
  private static final int GAP = 30;
  private static final int BOTTOM = 45;
  private static final int LINE = 16;
  private static final int TICKS = 4;
  private static final double DOT = 2;
  private static final List<String> COLOURS =
      List.of("#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7f8c8d");

  public CurvePlot {
    panels = List.copyOf(panels);
  }

  /** Curves that share an axis. */
  public record Panel(String name, List<Curve> curves) {
    public Panel {
      curves = List.copyOf(curves);
    }

    private double highest() {
      return curves.stream()
          .flatMap(curve -> curve.points().stream())
          .mapToDouble(Point::y)
          .max()
          .orElse(1);
    }
  }

  /** One of them; its points from left to right. */
  public record Curve(String name, List<Point> points) {
    public Curve {
      points = List.copyOf(points);
    }
  }

  public record Point(double x, double y) {}

  public String toSvg() {
    int height = TOP + panels.size() * (PANEL + GAP) - GAP + BOTTOM;
    Svg svg = new Svg(WIDTH, height);
    double centre = (LEFT + WIDTH - RIGHT) / 2.0;
    svg.text(centre, TOP - 20, "middle", title);
    for (int i = 0; i < panels.size(); i++) {
      panel(svg, panels.get(i), TOP + i * (PANEL + GAP));
    }
    for (int tick = 0; tick <= TICKS; tick++) {
      double at = widest() * tick / TICKS;
      svg.text(x(at), height - BOTTOM + 18, "middle", label(at));
    }
    svg.text(centre, height - BOTTOM + 36, "middle", below);
    return svg.end();
  }

  private void panel(Svg svg, Panel panel, int top) {
    double highest = Math.max(1e-9, panel.highest());
    for (int tick = 0; tick <= TICKS; tick++) {
      double value = highest * tick / TICKS;
      double y = y(value, highest, top);
      svg.rule(LEFT, y, WIDTH - RIGHT, y, "#dddddd");
      svg.text(LEFT - 6, y + 4, "end", label(value));
      svg.rule(x(widest() * tick / TICKS), top, x(widest() * tick / TICKS), top + PANEL, "#eeeeee");
    }
    svg.upright(top + PANEL / 2.0, panel.name(), "black");
    for (int i = 0; i < panel.curves().size(); i++) {
      Curve curve = panel.curves().get(i);
      String colour = COLOURS.get(i % COLOURS.size());
      Svg.Points line = new Svg.Points();
      for (Point point : curve.points()) {
        double y = y(point.y(), highest, top);
        line.add(x(point.x()), y);
        svg.rule(x(point.x()) - DOT, y, x(point.x()) + DOT, y, colour);
      }
      svg.curve(line, colour);
      svg.text(WIDTH - RIGHT + 8, top + LINE * (i + 1), "start", curve.name(), colour);
    }
  }

  private static String label(double value) {
    if (value == 0) {
      return "0";
    }
    return value >= 100
        ? String.format(Locale.ROOT, "%,.0f", value)
        : String.format(Locale.ROOT, "%.3g", value);
  }

  private double widest() {
    return panels.stream()
        .flatMap(panel -> panel.curves().stream())
        .flatMap(curve -> curve.points().stream())
        .mapToDouble(Point::x)
        .max()
        .orElse(1);
  }

  private double x(double value) {
    return LEFT + value / widest() * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double highest, int top) {
    return top + PANEL * (1 - value / highest);
  }
}
