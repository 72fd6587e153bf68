package corfu.bench.plot;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Points of a picture, as they become known. For one thread. */
public final class CurvePlotBuilder {

  private final Map<String, Map<String, List<CurvePlot.Point>>> panels = new LinkedHashMap<>();

  /** A point of a curve; those of a curve come from left to right. */
  public void add(String panel, String curve, double x, double y) {
    panels
        .computeIfAbsent(panel, first -> new LinkedHashMap<>())
        .computeIfAbsent(curve, first -> new ArrayList<>())
        .add(new CurvePlot.Point(x, y));
  }

  /**
   * Draws them.
   *
   * @param file empty: nobody wants the picture
   */
  public void draw(Optional<Path> file, String title, String below) throws IOException {
    if (file.isPresent()) {
      Files.writeString(file.get(), plot(title, below).toSvg());
    }
  }

  private CurvePlot plot(String title, String below) {
    List<CurvePlot.Panel> drawn = new ArrayList<>();
    panels.forEach(
        (panel, curves) -> {
          List<CurvePlot.Curve> lines = new ArrayList<>();
          curves.forEach((name, points) -> lines.add(new CurvePlot.Curve(name, points)));
          drawn.add(new CurvePlot.Panel(panel, lines));
        });
    return new CurvePlot(title, below, drawn);
  }
}
