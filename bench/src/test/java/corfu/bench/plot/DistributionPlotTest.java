package corfu.bench.plot;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.bench.harness.Measurement;
import java.io.StringReader;
import java.util.List;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.xml.sax.InputSource;

class DistributionPlotTest {

  @Test
  void whatTakesLongerIsFurtherToTheRight() throws Exception {
    var panel =
        new DistributionPlot.Panel(
            "in <memory>",
            List.of(
                new DistributionPlot.Curve("read", always(20_000)),
                new DistributionPlot.Curve("append", always(2_000_000))));

    var svg = parsed(new DistributionPlot("lone calls", List.of(panel)).toSvg());

    assertThat(svg.getDocumentElement().getTextContent())
        .contains("lone calls", "in <memory>", "read", "append", "microseconds", "10,000");
    assertThat(leftOf(svg, 0)).isLessThan(leftOf(svg, 1));
  }

  private static double leftOf(Document svg, int curve) {
    var points = svg.getElementsByTagName("polyline").item(curve).getAttributes();
    return Double.parseDouble(points.getNamedItem("points").getNodeValue().split("[ ,]", 2)[0]);
  }

  private static Measurement always(long nanos) throws Exception {
    Measurement measured = new Measurement();
    measured.round(
        (time, latencies) -> {
          latencies.recordValue(nanos);
          return 1;
        },
        1);
    return measured;
  }

  private static Document parsed(String svg) throws Exception {
    return DocumentBuilderFactory.newInstance()
        .newDocumentBuilder()
        .parse(new InputSource(new StringReader(svg)));
  }
}
