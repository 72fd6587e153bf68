package corfu.bench.plot;

import corfu.bench.plot.Plot.Across;
import corfu.bench.plot.Plot.Curve;
import corfu.bench.plot.Plot.Panel;
import corfu.bench.plot.Plot.Point;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws one {@link Plot}. Each panel has its caption, below that a legend, and below that its
 * curves. A curve of two points is drawn as two points: a line between them would claim values that
 * nobody has measured. Curves that lie on each other stay visible, because their marks differ in
 * size.
 */
final class PlotDrawing {

  private static final int WIDTH = 760;
  private static final int LEFT = 80;
  private static final int RIGHT = 25;
  private static final int TITLE = 34;
  private static final int LINE = 18;
  private static final int PANEL = 160;
  private static final int GAP = 22;
  private static final int BOTTOM = 48;

  /** Pixels that a letter of a legend needs at most. */
  private static final double LETTER = 6.8;

  private static final int LEGEND_MARK = 26;
  private static final int LEGEND_GAP = 22;

  /** A curve of fewer points has no line. */
  private static final int FEWEST_OF_A_LINE = 3;

  /** A curve of more points has no marks. */
  private static final int MOST_OF_MARKS = 24;

  private static final String GRID = "#dddddd";
  private static final String EDGE = "#333333";
  private static final List<String> COLOURS =
      List.of("#c0392b", "#2471a3", "#1e8449", "#b7950b", "#6c3483");

  private final Plot plot;
  private final Axis across;

  PlotDrawing(Plot plot) {
    this.plot = plot;
    double[] positions = plot.positions();
    double[] shown = positions.length == 0 ? new double[] {1} : positions;
    this.across =
        switch (plot.across()) {
          case SETTING -> Axis.settings(shown);
          case TIME -> Axis.seconds(shown);
          case DURATION -> Axis.decades(shown);
        };
  }

  /** A place in the legend, in pixels from the panel's upper left corner. */
  private record Place(double x, int row) {}

  String svg() {
    List<Integer> tops = new ArrayList<>();
    int bottom = TITLE;
    for (Panel panel : plot.panels()) {
      int top = bottom + LINE * (1 + legendRows(panel)) + 6;
      tops.add(top);
      bottom = top + PANEL + GAP;
    }
    int height = bottom - GAP + BOTTOM;
    Svg svg = new Svg(WIDTH, height);
    svg.heading(LEFT, TITLE - 12, plot.title());
    for (int i = 0; i < tops.size(); i++) {
      panel(svg, plot.panels().get(i), tops.get(i));
    }
    for (double tick : across.ticks()) {
      String label = plot.across() == Across.DURATION ? Axis.duration(tick) : Axis.label(tick);
      svg.text(x(tick), height - BOTTOM + 18, "middle", label);
    }
    svg.text((LEFT + WIDTH - RIGHT) / 2.0, height - BOTTOM + 38, "middle", below());
    return svg.end();
  }

  private String below() {
    boolean isUnusual = plot.across() == Across.SETTING && across.isLogarithmic();
    return isUnusual ? plot.below() + " (logarithmic axis)" : plot.below();
  }

  private void panel(Svg svg, Panel panel, int top) {
    Axis up = Axis.upTo(panel.heights().max().orElse(1));
    for (double tick : up.ticks()) {
      double y = y(up, tick, top);
      svg.rule(LEFT, y, WIDTH - RIGHT, y, GRID);
      svg.text(LEFT - 6, y + 4, "end", Axis.label(tick));
    }
    for (double tick : across.ticks()) {
      boolean isEvent = plot.across() == Across.TIME && Math.abs(tick) < 1e-9;
      svg.rule(x(tick), top, x(tick), top + PANEL, isEvent ? EDGE : GRID);
    }
    svg.rule(LEFT, top, LEFT, top + PANEL, EDGE);
    svg.rule(LEFT, top + PANEL, WIDTH - RIGHT, top + PANEL, EDGE);
    int captions = top - 6 - LINE * (1 + legendRows(panel));
    svg.text(LEFT, captions + 12, "start", panel.name());
    List<Place> places = legend(panel);
    for (int i = 0; i < places.size(); i++) {
      Place place = places.get(i);
      double y = captions + LINE * (1 + place.row()) + 8;
      String colour = colour(i);
      svg.rule(place.x(), y, place.x() + LEGEND_MARK - 6, y, colour);
      if (hasMarks(panel.curves().get(i))) {
        svg.mark(i, place.x() + LEGEND_MARK / 2.0 - 3, y, colour);
      }
      svg.text(place.x() + LEGEND_MARK, y + 4, "start", panel.curves().get(i).name(), colour);
    }
    for (int i = 0; i < panel.curves().size(); i++) {
      curve(svg, panel.curves().get(i), i, up, top);
    }
  }

  private void curve(Svg svg, Curve curve, int index, Axis up, int top) {
    List<Point> points = curve.points();
    if (points.size() >= FEWEST_OF_A_LINE) {
      Svg.Points line = new Svg.Points();
      points.forEach(point -> line.add(x(point.x()), y(up, point.y(), top)));
      svg.curve(line, colour(index));
    }
    if (hasMarks(curve)) {
      points.forEach(point -> svg.mark(index, x(point.x()), y(up, point.y(), top), colour(index)));
    }
  }

  private static boolean hasMarks(Curve curve) {
    return curve.points().size() <= MOST_OF_MARKS;
  }

  /** Returns the places of the curves' names; a single curve of its panel's name needs none. */
  private static List<Place> legend(Panel panel) {
    List<Place> places = new ArrayList<>();
    if (panel.curves().size() == 1 && panel.curves().getFirst().name().equals(panel.name())) {
      return places;
    }
    double x = LEFT;
    int row = 0;
    for (Curve curve : panel.curves()) {
      double width = LEGEND_MARK + curve.name().length() * LETTER;
      if (x > LEFT && x + width > WIDTH - RIGHT) {
        x = LEFT;
        row++;
      }
      places.add(new Place(x, row));
      x += width + LEGEND_GAP;
    }
    return places;
  }

  private static int legendRows(Panel panel) {
    List<Place> places = legend(panel);
    return places.isEmpty() ? 0 : places.getLast().row() + 1;
  }

  private static String colour(int curve) {
    return COLOURS.get(curve % COLOURS.size());
  }

  private double x(double value) {
    return LEFT + across.part(value) * (WIDTH - LEFT - RIGHT);
  }

  private static double y(Axis up, double value, int top) {
    return top + PANEL * (1 - up.part(value));
  }
}
