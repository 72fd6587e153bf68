package corfu.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.bench.plot.Plot.Across;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.xml.sax.InputSource;

class PlotTest {

  private static final double WIDTH = 760;

  private final PlotBuilder curves = new PlotBuilder();

  private Document drawn(Across across) throws Exception {
    String svg = curves.plot("reads & <appends>", across, "clients").toSvg();
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }

  private static List<Element> all(Document svg, String name) {
    List<Element> found = new ArrayList<>();
    for (int i = 0; i < svg.getElementsByTagName(name).getLength(); i++) {
      found.add((Element) svg.getElementsByTagName(name).item(i));
    }
    return found;
  }

  private static double number(Element element, String attribute) {
    return Double.parseDouble(element.getAttribute(attribute));
  }

  private static double[] points(Element line) {
    return List.of(line.getAttribute("points").split("[ ,]")).stream()
        .mapToDouble(Double::parseDouble)
        .toArray();
  }

  @Test
  void aPictureHasATitleCaptionsAndTheNamesOfItsCurves() throws Exception {
    curves.add("reads a second", "local", 1, 10);
    curves.add("reads a second", "remote", 1, 20);

    assertThat(drawn(Across.SETTING).getDocumentElement().getTextContent())
        .contains("reads & <appends>", "reads a second", "clients", "local", "remote", "20");
  }

  @Test
  void aLineGoesThroughThreePointsButNotThroughTwo() throws Exception {
    for (int x = 1; x <= 3; x++) {
      curves.add("ms", "three", x, x);
    }
    curves.add("ms", "two", 1, 1);
    curves.add("ms", "two", 3, 2);

    var svg = drawn(Across.SETTING);

    assertThat(all(svg, "polyline")).hasSize(1);
    assertThat(all(svg, "circle")).hasSize(3 + 2 + 2); // the points, and two of the legend
  }

  @Test
  void curvesOnTopOfEachOtherHaveMarksOfDifferentSizes() throws Exception {
    for (String curve : List.of("mean", "slowest")) {
      curves.add("commands a second", curve, 1, 7_000);
    }

    assertThat(all(drawn(Across.SETTING), "circle").stream().map(ring -> number(ring, "r")))
        .containsOnly(5.5, 4.2);
  }

  @Test
  void aLongLegendGetsMoreRowsAndStaysWithinThePicture() throws Exception {
    for (int i = 0; i < 4; i++) {
      curves.add("ms", "clear and size, by the client that filled it, curve " + i, 1, i);
    }

    var svg = drawn(Across.SETTING);

    var names =
        all(svg, "text").stream()
            .filter(text -> text.getTextContent().startsWith("clear and size"))
            .toList();
    assertThat(names).hasSize(4);
    assertThat(names)
        .allSatisfy(
            name ->
                assertThat(number(name, "x") + name.getTextContent().length() * 6.8)
                    .isLessThan(WIDTH));
    assertThat(names.stream().map(name -> number(name, "y")).distinct()).hasSizeGreaterThan(1);
  }

  @Test
  void theHighestValueIsBelowTheTopOfItsPanelAndAboveTheLowest() throws Exception {
    List.of(7.0, 3.0, 5.0).forEach(y -> curves.add("ms", "ms", y == 7 ? 1 : y, y));

    double[] line = points(all(drawn(Across.SETTING), "polyline").getFirst());

    assertThat(line[1]).isBetween(40.0, line[3]);
  }

  @Test
  void ratesAreInTheMiddleOfTheirPeriodsAroundTheEvent() throws Exception {
    curves.addRates("appends a second", -0.5, 0.25, new long[] {25, 30, 0, 27});

    Plot plot = curves.plot("a kill", Across.TIME, "seconds since the kill");

    assertThat(plot.panels().getFirst().curves().getFirst().points())
        .containsExactly(
            new Plot.Point(-0.375, 100),
            new Plot.Point(-0.125, 120),
            new Plot.Point(0.125, 0),
            new Plot.Point(0.375, 108));
    assertThat(drawn(Across.TIME).getDocumentElement().getTextContent()).contains("-0.3", "150");
  }

  @Test
  void slowerCallsAreFurtherToTheRightOnAnAxisWithUnits() throws Exception {
    for (int percent = 0; percent < 3; percent++) {
      curves.add("%", "read", 20 + percent, percent);
      curves.add("%", "append", 2_000 + percent, percent);
    }

    var svg = drawn(Across.DURATION);

    var lines = all(svg, "polyline");
    assertThat(points(lines.get(0))[0]).isLessThan(points(lines.get(1))[0]);
    assertThat(svg.getDocumentElement().getTextContent()).contains("10 µs", "10 ms");
  }

  @Test
  void aPictureWithoutPointsIsDrawnAllTheSame() throws Exception {
    assertThat(drawn(Across.SETTING).getDocumentElement().getTextContent()).contains("clients");
  }
}
