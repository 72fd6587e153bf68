package corfu.cli.cert;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.PageTour;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CertificatesTourTest {

  @TempDir Path temporary;

  @Test
  void theTourRunsAsPrinted() throws Exception {
    var tour =
        new PageTour("certificates.md", Map.of("/tmp/pki", temporary.resolve("pki").toString()));

    assertThat(tour.run()).isGreaterThan(12);
  }
}
