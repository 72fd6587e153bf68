package corfu.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {

  @Test
  void whatHasNo99thPercentileHasItsRowAllTheSame() {
    var clear =
        Result.parse(
            """
            {"benchmark":"views/clear","what":"clear and size, 10 buckets","buckets":10.0,\
            "count":2.0,"p50Millis":12.5,"maxMillis":16.7}
            """);

    assertThat(Tables.of(List.of(clear))).contains("clear and size, 10 buckets", "12.5");
  }
}
