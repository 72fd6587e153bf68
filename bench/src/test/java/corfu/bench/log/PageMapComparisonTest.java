package corfu.bench.log;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.RealWorld;
import java.util.List;
import org.junit.jupiter.api.Test;

class PageMapComparisonTest {

  @Test
  void itReportsEveryMapAndThePageMapTakesTheLeastMemoryByFar() {
    List<PageMapComparison.Row> rows;
    try (RealWorld world = new RealWorld()) {
      rows = PageMapComparison.run(world, 64_000, 3);
    }

    assertThat(rows)
        .extracting(PageMapComparison.Row::name)
        .containsExactly("page map (cuckoo)", "chained table", "java.util.HashMap");
    assertThat(rows)
        .allSatisfy(
            row -> {
              assertThat(row.entries()).isEqualTo(64_000);
              assertThat(row.insertNanos()).isPositive();
              assertThat(row.lookupNanos()).isPositive();
            });
    assertThat(rows.getFirst().bytesPerEntry()).isLessThan(8);
    assertThat(rows.get(1).bytesPerEntry()).isEqualTo(36);
    assertThat(rows.get(2).bytesPerEntry()).isBetween(68.0, 73.0);
  }
}
