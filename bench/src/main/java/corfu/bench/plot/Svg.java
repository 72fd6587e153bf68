package corfu.bench.plot;

import java.util.Locale;

/** A picture that is being drawn; places are pixels from its upper left corner. For one thread. */
final class Svg {

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

  /** Words along the left edge, from below. */
  void upright(double y, String words, String colour) {
    drawn.append(
        ("<text x=\"14\" y=\"%1$s\" text-anchor=\"middle\" fill=\"%2$s\""
                + " transform=\"rotate(-90 14 %1$s)\">%3$s</text>\n")
            .formatted(number(y), colour, escaped(words)));
  }

  void curve(Points points, String colour) {
    drawn.append(
        "<polyline fill=\"none\" stroke=\"%s\" stroke-width=\"1.4\" points=\"%s\"/>\n"
            .formatted(colour, points.all.toString().strip()));
  }

  /** What a curve goes through. */
  static final class Points {
    private final StringBuilder all = new StringBuilder();

    void add(double x, double y) {
      all.append(number(x)).append(',').append(number(y)).append(' ');
    }
  }

  /** The whole picture. */
  String end() {
    return drawn + "</svg>\n";
  }

  private static String escaped(String words) {
    return words.replace("&", "&amp;").replace("<", "&lt;");
  }

  static String number(double value) {
    return String.format(Locale.ROOT, "%.1f", value);
  }
}
