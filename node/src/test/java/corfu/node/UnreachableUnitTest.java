package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.FaultyWay;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A cluster with agents in which clients lose a log unit that the other servers reach. */
@Timeout(300)
final class UnreachableUnitTest {

  private final EmbeddedCluster cluster =
      EmbeddedCluster.builder().nodes(3).spares(1).replicas(2).start();
  private final List<FaultyWay> ways =
      List.of(new FaultyWay(cluster.transport()), new FaultyWay(cluster.transport()));
  private final List<Corfu> clients = ways.stream().map(this::connect).toList();

  private Corfu connect(FaultyWay way) {
    return Corfu.connect(cluster.clientOptions(), cluster.world(), way);
  }

  @AfterEach
  void stop() {
    clients.forEach(Corfu::close);
    cluster.close();
  }

  private static Address append(Corfu client) {
    return client.log().append("entry".getBytes(UTF_8));
  }

  /** The transport is never repaired: without reports no append would succeed. */
  @Test
  void appendsGoOnWithoutIt() {
    clients.forEach(UnreachableUnitTest::append);
    Endpoint lost = clients.getFirst().layout().chainOf(0).replicas().getLast();
    for (FaultyWay way : ways) {
      way.plan(
          (server, request) ->
              server.equals(lost) ? FaultyWay.Fate.IS_NOT_SENT : FaultyWay.Fate.ARRIVES);
    }

    for (Corfu client : clients) {
      assertThat(append(client)).isNotNull();
      assertThat(client.layout().logUnits()).doesNotContain(lost);
    }
  }
}
