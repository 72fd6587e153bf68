package corfu.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.cli.PageTour;
import corfu.cli.Ran;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tours of docs/security.md, with real processes. */
@Timeout(400)
class SecurityTourTest {

  @TempDir Path temporary;

  @AfterEach
  void stop() {
    for (String name : new String[] {"secure", "open", "audited"}) {
      Ran.corfu("cluster", "stop", "--dir", temporary.resolve(name).toString());
    }
  }

  @Test
  void theToursRunAsPrinted() throws Exception {
    var tour =
        new PageTour(
            "security.md",
            Map.of(
                "/tmp/secure", temporary.resolve("secure").toString(),
                "/tmp/open", temporary.resolve("open").toString(),
                "/tmp/audited", temporary.resolve("audited").toString()));

    assertThat(tour.run()).isGreaterThan(15);
  }
}
