package corfu.peers;

import corfu.peers.PeerReport.Compared;
import java.util.List;
import java.util.Locale;

/**
 * Draws comparisons as an SVG picture. Each bar is a ratio to the other system on a logarithmic
 * axis; bars to the right of 1 mean that Corfu is better.
 */
public record PeersPlot(List<Compared> rows) {

  private static final int WIDTH = 860;
  private static final int LEFT = 420;
  private static final int RIGHT = 70;
  private static final int TOP = 60;
  private static final int ROW = 18;
  private static final int BAR = 12;
  private static final int BOTTOM = 40;

  /** The number of powers of ten that the axis covers on each side of 1. */
  private static final double DECADES = 2;

  private static final String BETTER = "#1e8449";
  private static final String WORSE = "#c0392b";

  public PeersPlot {
    rows = List.copyOf(rows);
  }

  /** One row of the picture: an advantage above 1 means that Corfu is better. */
  private record Bar(String label, double advantage) {}

  /** Returns the picture. */
  public String toSvg() {
    List<Bar> bars = rows.stream().map(PeersPlot::bar).toList();
    int height = TOP + bars.size() * ROW + BOTTOM;
    var svg = new StringBuilder();
    svg.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$d" height="%2$d" viewBox="0 0 %1$d %2$d" \
        font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        """
            .formatted(WIDTH, height));
    text(svg, WIDTH / 2.0, TOP - 36, "middle", "how many times better than the peer");
    for (double decade = -DECADES; decade <= DECADES; decade++) {
      double ratio = Math.pow(10, decade);
      rule(svg, ratio, height, decade == 0 ? "#333333" : "#dddddd");
      text(svg, x(ratio), TOP - 12, "middle", decade < 0 ? "1/" + whole(1 / ratio) : whole(ratio));
    }
    for (int i = 0; i < bars.size(); i++) {
      draw(svg, bars.get(i), TOP + i * ROW);
    }
    text(
        svg,
        WIDTH / 2.0,
        height - 14,
        "middle",
        "operations/s of a flood, of YCSB and of maps; median latency of lone appends and at an"
            + " equal load");
    return svg.append("</svg>\n").toString();
  }

  private static Bar bar(Compared row) {
    String label =
        "%s, %s, %d B, %s"
            .formatted(row.peer(), row.arrangement(), row.sizeBytes(), row.load().text());
    double advantage =
        switch (row.load()) {
          case PeerReport.Load.Flood flood -> row.rateRatio();
          case PeerReport.Load.Workload workload -> row.rateRatio();
          case PeerReport.Load.Calls calls -> row.rateRatio();
          case PeerReport.Load.Lone lone -> 1 / row.p50Ratio();
          case PeerReport.Load.Offered offered -> 1 / row.p50Ratio();
        };
    return new Bar(label, advantage);
  }

  private static void draw(StringBuilder svg, Bar bar, int top) {
    double from = Math.min(x(1), x(bar.advantage()));
    double to = Math.max(x(1), x(bar.advantage()));
    text(svg, LEFT - 8, top + BAR, "end", bar.label());
    svg.append(
        "<rect x=\"%s\" y=\"%d\" width=\"%s\" height=\"%d\" fill=\"%s\"/>\n"
            .formatted(
                number(from),
                top + 2,
                number(to - from),
                BAR,
                bar.advantage() >= 1 ? BETTER : WORSE));
    text(svg, to + 5, top + BAR, "start", "%.2f".formatted(bar.advantage()));
  }

  private static void rule(StringBuilder svg, double ratio, int height, String colour) {
    svg.append(
        "<line x1=\"%1$s\" y1=\"%2$d\" x2=\"%1$s\" y2=\"%3$d\" stroke=\"%4$s\"/>\n"
            .formatted(number(x(ratio)), TOP - 6, height - BOTTOM + 6, colour));
  }

  private static double x(double ratio) {
    double decade = Math.clamp(Math.log10(ratio), -DECADES, DECADES);
    return LEFT + (decade + DECADES) / (2 * DECADES) * (WIDTH - LEFT - RIGHT);
  }

  private static void text(StringBuilder svg, double x, double y, String anchor, String words) {
    String escaped = words.replace("&", "&amp;").replace("<", "&lt;");
    svg.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>\n"
            .formatted(number(x), number(y), anchor, escaped));
  }

  private static String whole(double value) {
    return String.format(Locale.ROOT, "%.0f", value);
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
