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

  @Test
  void figuresBesideZooKeeperStandBesideTheirAims() {
    var results =
        List.of(
            Result.parse(
                """
                {"benchmark":"zookeeper/writes","what":"50 clients","corfuPerSecond":24000.0,\
                "zookeeperPerSecond":6000.0,"ratio":4.0,"corfuP50Millis":2.5}
                """),
            Result.parse(
                """
                {"benchmark":"zookeeper/recipes","what":"lock, poll 10ms","corfuMillis":40.0,\
                "zookeeperMillis":2.0,"ratio":20.0,"paperZkSlMillis":33.0,"paperZkMillis":8.0}
                """),
            Result.parse(
                """
                {"benchmark":"zookeeper/recipes","what":"lock, poll push","corfuMillis":1.5,\
                "zookeeperMillis":2.0,"ratio":0.75,"paperZkMillis":8.0}
                """),
            Result.parse(
                """
                {"benchmark":"zookeeper/simulated","what":"corfu, 9 servers","readPercent":0.0,\
                "servers":9.0,"perSecond":31000.0,"ofOneServerFewer":0.97}
                """),
            Result.parse(
                """
                {"benchmark":"zookeeper/start","what":"a server","nodes":1000000.0,\
                "corfuSeconds":2.0,"corfuHeapMiB":400.0,"heapRatio":1.25}
                """));

    assertThat(Tables.of(results))
        .contains(
            "| zookeeper/writes | corfu per second | zookeeper per second | ratio | corfu p50 ms |")
        .contains("| 50 clients | 24.0 K | 6.0 K | 4 | 2.50 | ratio at least 3: **met** |")
        .contains("corfu ms at most 33: missed", "corfu ms below zookeeper: **met**")
        .contains("of one server fewer at least 0.9: **met**")
        .contains("corfu seconds at most 3: **met**; heap ratio at most 1: missed");
  }
}
