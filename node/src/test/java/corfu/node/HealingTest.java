package corfu.node;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster with agents in which servers die. */
@Timeout(300)
final class HealingTest {

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder()
          .nodes(4)
          .spares(1)
          .replicas(2)
          .supervision(Supervision.DEFAULT.withTrust(Duration.ofMillis(500)))
          .start();
  private final Corfu corfu = cluster.connect();
  private final Log log = corfu.log();

  @AfterEach
  void stop() {
    cluster.close();
  }

  private List<Address> append(int from, int count) {
    List<Address> addresses = new ArrayList<>();
    for (int i = from; i < from + count; i++) {
      addresses.add(log.append(("entry " + i).getBytes(UTF_8)));
    }
    return addresses;
  }

  /** Waits until the cluster has such a layout. */
  private Layout eventuallyIs(Predicate<Layout> what) {
    return eventually(
        () -> {
          corfu.servers(); // asks for the newest layout, too
          return corfu.layout();
        },
        layout -> assertThat(layout).matches(what));
  }

  private static boolean isWhole(Layout layout) {
    return layout.segments().stream()
            .allMatch(
                segment ->
                    !segment.hasTarget()
                        && segment.log().stream()
                            .allMatch(
                                chain -> chain.replicas().size() == layout.wanted().replicas()))
        && layout.openSegment().units().size() == layout.wanted().units();
  }

  private Endpoint endpointOf(String name) {
    return corfu.layout().servers().stream()
        .filter(server -> cluster.nameOf(server).equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static List<String> texts(List<LogEntry> entries) {
    return entries.stream()
        .filter(LogEntry.Data.class::isInstance)
        .map(entry -> ((LogEntry.Data) entry).text())
        .toList();
  }

  @Test
  void appendsGoOnWhenALogUnitDiesAndItsEntriesGetTheirCopiesBack() {
    append(0, 100);
    Endpoint dead = endpointOf("n3");
    cluster.kill("n3");
    append(100, 100);

    Layout whole = eventuallyIs(layout -> !layout.logUnits().contains(dead) && isWhole(layout));

    assertThat(whole.logUnits()).contains(endpointOf("n4"));
    List<String> texts = texts(log.read(Address.ZERO, log.tail()));
    for (int i = 0; i < 200; i++) {
      assertThat(texts).contains("entry " + i);
    }
  }

  @Test
  void whenTheSequencersServerDiesAnotherOneServes() {
    append(0, 10);
    Endpoint dead = corfu.layout().sequencers().getFirst();
    cluster.kill(cluster.nameOf(dead));

    List<Address> later = append(10, 10);

    assertThat(corfu.layout().sequencers().getFirst()).isNotEqualTo(dead);
    assertThat(later).allMatch(address -> address.value() >= 10);
    assertThat(log.tail().value()).isGreaterThan(later.getLast().value());
    Layout whole = eventuallyIs(layout -> !layout.logUnits().contains(dead) && isWhole(layout));
    assertThat(whole.openSegment().units()).hasSize(3);
  }

  @Test
  void aServerThatComesBackEmptyIsUsedAgainWhenAnotherOneDies() {
    append(0, 50);
    Endpoint first = endpointOf("n2");
    cluster.kill("n2");
    eventuallyIs(layout -> !layout.logUnits().contains(first) && isWhole(layout));
    cluster.restart("n2");
    append(50, 50);
    Endpoint second = endpointOf("n4");
    cluster.kill("n4");

    Layout whole = eventuallyIs(layout -> !layout.logUnits().contains(second) && isWhole(layout));

    assertThat(whole.logUnits()).contains(first);
    assertThat(texts(log.read(Address.ZERO, log.tail()))).contains("entry 0", "entry 99");
  }
}
