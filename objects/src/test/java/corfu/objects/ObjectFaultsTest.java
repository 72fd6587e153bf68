package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.RoleCluster;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects of a client whose transport fails at the worst moment. */
@Timeout(180)
class ObjectFaultsTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @Test
  void aCommitThatIsForgottenBeforeItsWriterLearnsOfItIsNotSaidToHaveLost() {
    try (RoleCluster cluster = RoleCluster.builder().start();
        Corfu other = cluster.connect();
        FaultyWay way = new FaultyWay(cluster.transport());
        Corfu cut =
            Corfu.connect(
                cluster
                    .clientOptions()
                    .withOperationTimeout(PATIENCE)
                    .withReconfigureAfter(PATIENCE),
                cluster.world(),
                way)) {
      ReplicatedObjects elsewhere = ReplicatedObjects.over(other);
      ReplicatedMap<String, Long> there = elsewhere.open("map", MAP);
      there.put("a", 1L);
      ReplicatedObjects objects = ReplicatedObjects.over(cut);
      ReplicatedMap<String, Long> here = objects.open("map", MAP);
      objects.txBegin();
      here.put("a", here.get("a") + 1);

      AtomicInteger written = new AtomicInteger();
      way.plan((server, request) -> fate(request, written, () -> forget(elsewhere, there)));

      assertThatThrownBy(objects::txEnd).isInstanceOf(AppendOutcomeUnknownException.class);
      assertThat(written).hasValueGreaterThan(1); // it was forgotten before that
      assertThat(there.get("a")).isEqualTo(2);
    }
  }

  /**
   * The first write arrives, but its reply is lost. Before the writer's retry, the written entry is
   * forgotten.
   */
  private static Fate fate(Request request, AtomicInteger written, Runnable forget) {
    if (request instanceof LogUnitRequest.Write && written.compareAndSet(0, 1)) {
      return Fate.REPLY_IS_LOST;
    }
    if (request instanceof LogUnitRequest && written.compareAndSet(1, 2)) {
      forget.run();
    }
    return Fate.ARRIVES;
  }

  private static void forget(ReplicatedObjects objects, ReplicatedMap<String, Long> map) {
    assertThat(map.get("a")).isEqualTo(2);
    assertThat(objects.forget(map, objects.checkpoint(map))).isPresent();
  }
}
