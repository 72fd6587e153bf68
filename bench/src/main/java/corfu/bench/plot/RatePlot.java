package corfu.bench.plot;

import java.util.List;
import java.util.Locale;

/**
 * Rates over time around an event at second 0, as an SVG picture: one panel a curve, which share
 * the axis of time.
 *
 * @param startSeconds where the axis of time begins, relative to the event; negative
 * @param periodSeconds how long each value stands for
 */
public record RatePlot(
    String title, double startSeconds, double periodSeconds, List<Curve> curves) {

  private static final int WIDTH = 720;
  private static final int LEFT = 70;
  private static final int RIGHT = 20;
  private static final int TOP = 40;
  private static final int PANEL = 150;
  private static final int GAP = 30;
  private static final int BOTTOM = 45;
  private static final double TICK_SECONDS = 0.5;
  private static final int TICKS = 4;
  private static final List<Double> STEPS = List.of(1.0, 2.0, 5.0);
  private static final double EPSILON = 1e-9;
  private static final List<String> COLOURS = List.of("#c0392b", "#2471a3", "#1e8449");

  public RatePlot {
    curves = List.copyOf(curves);
  }

  /**
   * One of them.
   *
   * @param perSecond its values, a period each
   */
  public record Curve(String name, List<Double> perSecond) {
    public Curve {
      perSecond = List.copyOf(perSecond);
    }

    private double highest() {
      return perSecond.stream().mapToDouble(Double::doubleValue).max().orElse(0);
    }
  }

  public String toSvg() {
    int height = TOP + curves.size() * (PANEL + GAP) - GAP + BOTTOM;
    Svg svg = new Svg(WIDTH, height);
    double centre = (LEFT + WIDTH - RIGHT) / 2.0;
    svg.text(centre, TOP - 20, "middle", title);
    for (int i = 0; i < curves.size(); i++) {
      panel(svg, curves.get(i), TOP + i * (PANEL + GAP), COLOURS.get(i % COLOURS.size()));
    }
    int bottom = height - BOTTOM;
    for (double at = firstTick(); at <= endSeconds() + EPSILON; at += TICK_SECONDS) {
      svg.text(x(at), bottom + 18, "middle", Svg.number(at));
    }
    svg.text(centre, bottom + 36, "middle", "seconds since the kill");
    return svg.end();
  }

  private void panel(Svg svg, Curve curve, int top, String colour) {
    double step = niceStep(Math.max(1, curve.highest()) / TICKS);
    double scale = Math.max(step, Math.ceil(curve.highest() / step) * step);
    for (double value = 0; value <= scale + EPSILON; value += step) {
      double y = y(value, scale, top);
      svg.rule(LEFT, y, WIDTH - RIGHT, y, "#dddddd");
      svg.text(LEFT - 6, y + 4, "end", String.format(Locale.ROOT, "%,.0f", value));
    }
    for (double at = firstTick(); at <= endSeconds() + EPSILON; at += TICK_SECONDS) {
      svg.rule(x(at), top, x(at), top + PANEL, "#eeeeee");
    }
    svg.rule(x(0), top, x(0), top + PANEL, "#555555");
    Svg.Points points = new Svg.Points();
    for (int i = 0; i < curve.perSecond().size(); i++) {
      double middle = startSeconds + (i + 0.5) * periodSeconds;
      points.add(x(middle), y(curve.perSecond().get(i), scale, top));
    }
    svg.curve(points, colour);
    svg.rule(LEFT, top, LEFT, top + PANEL, "#333333");
    svg.rule(LEFT, top + PANEL, WIDTH - RIGHT, top + PANEL, "#333333");
    svg.upright(top + PANEL / 2.0, curve.name() + "/s", colour);
  }

  /** 1, 2 or 5 times a power of ten, not less than this. */
  private static double niceStep(double least) {
    double power = Math.pow(10, Math.floor(Math.log10(least)));
    return STEPS.stream()
        .map(factor -> factor * power)
        .filter(step -> step >= least)
        .findFirst()
        .orElse(10 * power);
  }

  private double endSeconds() {
    return startSeconds + curves.getFirst().perSecond().size() * periodSeconds;
  }

  private double firstTick() {
    return Math.ceil(startSeconds / TICK_SECONDS) * TICK_SECONDS;
  }

  private double x(double seconds) {
    return LEFT + (seconds - startSeconds) / (endSeconds() - startSeconds) * (WIDTH - LEFT - RIGHT);
  }

  private static double y(double value, double scale, int top) {
    return top + PANEL * (1 - value / scale);
  }
}
