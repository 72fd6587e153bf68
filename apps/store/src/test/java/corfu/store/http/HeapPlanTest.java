package corfu.store.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.store.StoreOptions;
import java.net.InetSocketAddress;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class HeapPlanTest {

  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static StoreServerOptions defaultsFor(long heap) {
    return StoreServerOptions.of(InetSocketAddress.createUnresolved("localhost", 0), heap);
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(
      StoreServerOptions options, long heap) {
    return assertThatThrownBy(() -> HeapPlan.check(options, StoreOptions.DEFAULT, heap))
        .isInstanceOf(StoreServerException.class);
  }

  @Test
  void theDefaultsFitAHeapOfHalfAGibibyteAndMore() {
    for (long heap : new long[] {512 * MIB, GIB, 4 * GIB, 64 * GIB}) {
      assertThatCode(() -> HeapPlan.check(defaultsFor(heap), StoreOptions.DEFAULT, heap))
          .doesNotThrowAnyException();
    }
    assertThat(defaultsFor(GIB).maxBodyBytes()).isGreaterThan(90 << 20);
    assertThat(defaultsFor(4 * GIB).maxBodyBytes()).isEqualTo(96 << 20);
  }

  @Test
  void aBodyThatTheMemoryIsTooSmallForIsRefusedWithWhatFits() {
    assertRefused(defaultsFor(GIB).withMaxBodyBytes(1 << 30), GIB)
        .hasMessageContaining("max-body 1073741824 bytes")
        .hasMessageContaining("a max-body of " + defaultsFor(GIB).maxBodyBytes() + " fits");
  }

  @Test
  void whatFitsIsTheMostThatFits() {
    for (long memory : new long[] {MIB, 8 * MIB, 11 * MIB, 12 * MIB, 256 * MIB, GIB}) {
      int longest = RequestBody.longest(memory);
      assertThat(RequestBody.cost(longest)).isLessThanOrEqualTo(memory);
      assertThat(RequestBody.cost(longest + 1L)).isGreaterThan(memory);
    }
  }

  @Test
  void limitsThatTogetherExceedTheHeapAreRefusedByName() {
    assertRefused(defaultsFor(GIB).withMaxMemoryBytes(900 * MIB), GIB)
        .hasMessageContaining("it has 1024 MiB")
        .hasMessageContaining("max-memory 900 MiB")
        .hasMessageContaining("784 MiB are left");
    assertRefused(defaultsFor(GIB).withMaxConnections(1_000_000), GIB)
        .hasMessageContaining("max-connections 1000000 of 64 KiB");
    assertRefused(defaultsFor(128 * MIB), 128 * MIB).hasMessageContaining("-Xmx");
  }
}
