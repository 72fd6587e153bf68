package corfu.store.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class MemoryBudgetTest {

  private static final long MIB = 1 << 20;
  private final MemoryBudget budget = new MemoryBudget(8 * MIB);

  private static int statusOf(Runnable refused) {
    try {
      refused.run();
    } catch (HttpErrorException refusal) {
      return refusal.status();
    }
    return 200;
  }

  @Test
  void sharesTogetherHaveNoMoreThanTheBudget() {
    var first = budget.open();
    var second = budget.open();
    first.reserve(5 * MIB);
    assertThat(statusOf(() -> second.reserve(2 * MIB))).isEqualTo(503);
    assertThat(second.held()).isZero();
    second.reserve(MIB);
    assertThat(budget.reserved()).isEqualTo(6 * MIB);

    first.close();
    second.reserve(2 * MIB);
    assertThat(budget.reserved()).isEqualTo(3 * MIB);
  }

  @Test
  void largeRequestsLeaveAQuarterToSmallOnes() {
    budget.open().reserve(6 * MIB);
    assertThat(statusOf(() -> budget.open().check(MIB))).isEqualTo(503);
    for (int i = 0; i < 8; i++) {
      budget.open().reserve(MemoryBudget.SMALL_BYTES);
    }
    assertThat(budget.reserved()).isEqualTo(8 * MIB);
    assertThat(statusOf(() -> budget.open().reserve(1))).isEqualTo(503);
  }

  @Test
  void aRequestThatCanNeverHaveRoomIsTooLarge() {
    assertThat(statusOf(() -> budget.open().check(7 * MIB))).isEqualTo(413);
    assertThatThrownBy(() -> budget.open().check(7 * MIB)).hasMessageContaining("split it");
  }

  @Test
  void aShareGrowsOnlyByWhatItHasNotYet() {
    var share = budget.open();
    share.reserve(MIB);
    share.growTo(2 * MIB);
    share.growTo(2 * MIB);
    share.growTo(1);
    assertThat(share.held()).isEqualTo(2 * MIB);
  }
}
