package corfu.node;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.host.HostOptions;
import corfu.protocol.Limits;
import corfu.roles.logunit.options.UnitMode;
import java.nio.file.Path;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.Test;

class MemoryNeedsTest {

  private static final long MIB = 1 << 20;
  private static final long GIB = 1 << 30;

  private static ClusterConfig cluster() {
    return ClusterConfig.local(Path.of("/nowhere"), 9000, 3, 2, UnitMode.DURABLE);
  }

  private static AbstractThrowableAssert<?, ?> assertRefused(ClusterConfig config, long heap) {
    return assertThatThrownBy(() -> MemoryNeeds.check(config, config.server("n1"), heap))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("server n1: ")
        .hasMessageContaining("-Xmx");
  }

  private static void assertFits(ClusterConfig config, long heap) {
    assertThatCode(() -> MemoryNeeds.check(config, config.server("n1"), heap))
        .doesNotThrowAnyException();
  }

  @Test
  void theDefaultsFitSmallHeaps() {
    assertFits(cluster(), 128 * MIB);
    assertFits(cluster().withViews(HostOptions.DEFAULT), 512 * MIB);
  }

  @Test
  void viewsThatExceedTheHeapAreRefusedWithWhatFits() {
    ClusterConfig config = cluster().withViews(HostOptions.DEFAULT.withRoom(GIB, 10));
    assertFits(config, 2 * GIB);
    assertRefused(config, GIB)
        .hasMessageContaining("[views] memory = \"1 GiB\"")
        .hasMessageContaining("the heap has 1 GiB: memory = \"512 MiB\" fits");
  }

  @Test
  void memoryOfViewsMattersOnlyToServersThatHaveTheRole() {
    ClusterConfig config = cluster().withViews(HostOptions.DEFAULT.withRoom(GIB, 10));
    ServerConfig without = cluster().server("n1");
    assertThatCode(() -> MemoryNeeds.check(config, without, GIB)).doesNotThrowAnyException();
  }

  @Test
  void anEntryThatExceedsTheMemoryIsRefusedWithWhatFits() {
    ClusterConfig config = cluster().withLimits(Limits.ofPayload(512 << 20));
    assertFits(config, 2 * GIB);
    assertRefused(config, GIB)
        .hasMessageContaining("max-entry = \"512 MiB\"")
        .hasMessageContaining("max-entry = \"480 MiB\" fits");
  }
}
