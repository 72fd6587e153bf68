package corfu.bench.plot;

import corfu.bench.harness.Measurement;
import java.util.List;

/**
 * How latencies are distributed, as an SVG picture: which part of all took no longer than so many
 * microseconds, on an axis of powers of ten; one panel a group, whose curves share it.
 */
public record DistributionPlot(String title, List<Panel> panels) {

  private static final int WIDTH = 720;
  private static final int LEFT = 70;
  private static final int RIGHT = 150;
  private static final int TOP = 40;
  private static final int PANEL = 190;
  private static final int GAP = 30;
  private static final int BOTTOM = 45;
  private static final int LEAST_POWER = 1;
  private static final int MOST_POWER = 5;
  private static final int STEP = 20;
  private static final int LINE = 16;
  private static final int PERCENT = 100;
  private static final List<String> COLOURS =
      List.of("#c0392b", "#2471a3", "#1e8449", "#b7950b", "#7f8c8d");

  public DistributionPlot {
    panels = List.copyOf(panels);
  }

  /** Curves that belong together. */
  public record Panel(String name, List<Curve> curves) {
    public Panel {
      curves = List.copyOf(curves);
    }
  }

  /** What was seen of something. */
  public record Curve(String name, Measurement measured) {}

  public String toSvg() {
    int height = TOP + panels.size() * (PANEL + GAP) - GAP + BOTTOM;
    Svg svg = new Svg(WIDTH, height);
    double centre = (LEFT + WIDTH - RIGHT) / 2.0;
    svg.text(centre, TOP - 20, "middle", title);
    for (int i = 0; i < panels.size(); i++) {
      panel(svg, panels.get(i), TOP + i * (PANEL + GAP));
    }
    for (int power = LEAST_POWER; power <= MOST_POWER; power++) {
      String label = "%,d".formatted((long) Math.pow(10, power));
      svg.text(x(Math.pow(10, power)), height - BOTTOM + 18, "middle", label);
    }
    svg.text(centre, height - BOTTOM + 36, "middle", "microseconds");
    return svg.end();
  }

  private static void panel(Svg svg, Panel panel, int top) {
    for (int percent = 0; percent <= PERCENT; percent += STEP) {
      double y = y(percent, top);
      svg.rule(LEFT, y, WIDTH - RIGHT, y, "#dddddd");
      svg.text(LEFT - 6, y + 4, "end", percent + " %");
    }
    for (int power = LEAST_POWER; power <= MOST_POWER; power++) {
      double x = x(Math.pow(10, power));
      svg.rule(x, top, x, top + PANEL, "#dddddd");
    }
    svg.upright(top + PANEL / 2.0, panel.name(), "black");
    for (int i = 0; i < panel.curves().size(); i++) {
      String colour = COLOURS.get(i % COLOURS.size());
      Curve curve = panel.curves().get(i);
      Svg.Points points = new Svg.Points();
      for (double percent = 0; percent < PERCENT; percent += percent < 99 ? 0.5 : 0.1) {
        points.add(x(curve.measured().micros(percent)), y(percent, top));
      }
      svg.curve(points, colour);
      svg.text(WIDTH - RIGHT + 10, top + LINE * (i + 1), "start", curve.name(), colour);
    }
  }

  private static double x(double micros) {
    double power = Math.clamp(Math.log10(Math.max(1, micros)), LEAST_POWER, MOST_POWER);
    double part = (power - LEAST_POWER) / (MOST_POWER - LEAST_POWER);
    return LEFT + part * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double percent, int top) {
    return top + PANEL * (1 - percent / PERCENT);
  }
}
