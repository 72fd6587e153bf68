package corfu.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class RatePlotTest {

  @Test
  void aPictureHasACurveAPanelAndAxesWithUnits() throws Exception {
    var plot =
        new RatePlot(
            "reads & <appends>",
            -0.5,
            0.25,
            List.of(
                new RatePlot.Curve("appends", List.of(100.0, 120.0, 0.0, 110.0)),
                new RatePlot.Curve("reads", List.of(0.0, 0.0, 0.0, 0.0))));

    var svg = parsed(plot.toSvg());

    assertThat(svg.getElementsByTagName("polyline").getLength()).isEqualTo(2);
    assertThat(svg.getDocumentElement().getTextContent())
        .contains("reads & <appends>", "appends/s", "reads/s", "seconds since the kill", "-0.5")
        .contains("150");
  }

  @Test
  void theHighestValueIsDrawnBelowTheTopOfItsPanel() throws Exception {
    var plot = new RatePlot("one", 0, 1, List.of(new RatePlot.Curve("x", List.of(7.0, 3.0))));

    var svg = parsed(plot.toSvg());

    String points =
        svg.getElementsByTagName("polyline")
            .item(0)
            .getAttributes()
            .getNamedItem("points")
            .getNodeValue();
    double highest = Double.parseDouble(points.split("[ ,]")[1]);
    double lower = Double.parseDouble(points.split("[ ,]")[3]);
    assertThat(highest).isBetween(40.0, lower);
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
