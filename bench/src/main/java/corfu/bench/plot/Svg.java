package corfu.bench.plot;

import java.util.Locale;

/** Writes an SVG document. Positions are pixels from its upper left corner. Not thread-safe. */
final class Svg {

  /** Radius of the largest mark, in pixels. */
  private static final double LARGEST_MARK = 5.5;

  /** Difference between the radii of two sizes, in pixels. */
  private static final double STEP = 1.3;

  private static final int SIZES = 4;

  private final StringBuilder drawn = new StringBuilder();

  Svg(int width, int height) {
    drawn.append(
        """
        <svg xmlns="http://www.w3.org/2000/svg" width="%1$s" height="%2$s" viewBox="0 0 %1$s %2$s" \
        font-family="sans-serif" font-size="12">
        <rect width="100%%" height="100%%" fill="white"/>
        """
            .formatted(number(width), number(height)));
  }

  void rule(double x1, double y1, double x2, double y2, String colour) {
    drawn.append(
        "<line x1=\"%s\" y1=\"%s\" x2=\"%s\" y2=\"%s\" stroke=\"%s\"/>\n"
            .formatted(number(x1), number(y1), number(x2), number(y2), colour));
  }

  void text(double x, double y, String anchor, String words) {
    text(x, y, anchor, words, "black");
  }

  void text(double x, double y, String anchor, String words, String colour) {
    drawn.append(
        "<text x=\"%s\" y=\"%s\" text-anchor=\"%s\" fill=\"%s\">%s</text>\n"
            .formatted(number(x), number(y), anchor, colour, escaped(words)));
  }

  /** Draws the title of the picture. */
  void heading(double x, double y, String words) {
    drawn.append(
        "<text x=\"%s\" y=\"%s\" font-size=\"14\" font-weight=\"bold\">%s</text>\n"
            .formatted(number(x), number(y), escaped(words)));
  }

  void curve(Points points, String colour) {
    drawn.append(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" points=\"%s\"/>\n"
            .formatted(colour, points.all.toString().strip()));
  }

  /**
   * Draws a point of a curve as a ring. Rings of later curves are smaller, so that one inside the
   * other shows both.
   *
   * @param curve the index of the curve in its panel
   */
  void mark(int curve, double x, double y, String colour) {
    drawn.append(
        "<circle cx=\"%s\" cy=\"%s\" r=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\"/>\n"
            .formatted(
                number(x), number(y), number(LARGEST_MARK - STEP * (curve % SIZES)), colour));
  }

  /** The points of a curve, from left to right. */
  static final class Points {
    private final StringBuilder all = new StringBuilder();

    void add(double x, double y) {
      all.append(number(x)).append(',').append(number(y)).append(' ');
    }
  }

  /** Returns the whole document. */
  String end() {
    return drawn + "</svg>\n";
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;");
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
