package corfu.bench.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FioLoadTest {

  private static final String REPORT =
      """
      fio: a warning before the report
      {"fio version":"fio-3.33",
       "global options":{"iops":"5"},
       "jobs":[{"jobname":"load","error":0,
         "read":{"io_bytes":0,"iops":0.0,"clat_ns":{"iops":7}},
         "write":{"io_bytes":9,"iops":1234.5,"lat_ns":{"mean":1}},
         "trim":{"iops":99.0},
         "sync":{"total_ios":3}}]}
      """;

  @Test
  void theRequestsOfReadsAndWritesCount() throws IOException {
    assertThat(FioLoad.requestsPerSecond(REPORT)).isEqualTo(1234.5);
  }

  @Test
  void aReportWithoutRequestsIsAnError() {
    assertThatThrownBy(() -> FioLoad.requestsPerSecond("{\"jobs\":[]}"))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("no requests");
  }
}
