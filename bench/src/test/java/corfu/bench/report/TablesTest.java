package corfu.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class TablesTest {

  @Test
  void aResultWithoutA99thPercentileHasARowToo() {
    var clear =
        Result.parse(
            """
            {"benchmark":"views/clear","what":"clear and size, 10 buckets","buckets":10.0,\
            "count":2.0,"p50Millis":12.5,"maxMillis":16.7}
            """);

    assertThat(Tables.of(List.of(clear))).contains("clear and size, 10 buckets", "12.5");
  }

  @Test
  void headsOfColumnsAreWordsWithUnits() {
    var index =
        Result.parse(
            """
            {"benchmark":"footprint/index","what":"a unit","residentMiB":277.0,"p99Millis":2.5,\
            "secondsPer10M":0.5,"scaledTo100MGiB":3.9}
            """);

    assertThat(Tables.of(List.of(index)))
        .contains("| resident MiB | p99 ms | seconds per 10 M | scaled to 100 M GiB |");
  }
}
