package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import corfu.runtime.cluster.MortalClient;
import corfu.runtime.cluster.MortalClient.LastRequest;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Readers of an object skip in-flight changes that no client can know yet. */
@Timeout(60)
class UnfinishedChangesTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);
  private static final int MOST_REQUESTS = 20;

  private final TwoClients clients = new TwoClients();
  private final Corfu patient =
      clients.cluster.connect(clients.cluster.clientOptions().withHoleTimeout(Duration.ofDays(1)));
  private final ReplicatedMap<String, Long> written = clients.here.open("map", MAP);
  private final ReplicatedMap<String, Long> read = ReplicatedObjects.over(patient).open("map", MAP);

  @AfterEach
  void stop() {
    patient.close();
    clients.close();
  }

  /** Changes the map, and dies at this request. */
  private boolean dieChanging(long to, int requests, LastRequest last) {
    try (MortalClient mortal = new MortalClient(clients.cluster)) {
      ReplicatedMap<String, Long> map = ReplicatedObjects.over(mortal.corfu()).open("map", MAP);
      assertThat(map.get("coins")).isNotNull();
      mortal.diesAfter(requests, last);
      try {
        map.put("coins", to);
      } catch (RuntimeException dead) {
        assertThat(mortal.isDead()).isTrue();
      }
      return mortal.isDead();
    }
  }

  @Test
  void aTokenThatNobodyHasUsedYetIsNotWaitedFor() {
    written.put("coins", 1L);
    assertThat(read.get("coins")).isEqualTo(1);

    assertThat(dieChanging(2, 1, LastRequest.IS_LOST)).isTrue();

    assertThat(patient.log().tail()).isEqualTo(clients.corfu.log().tail());
    assertThat(read.get("coins")).isEqualTo(1);
    assertThat(read.get("coins")).isEqualTo(1);
  }

  @Test
  void whatIsCompleteBehindSuchATokenIsRead() {
    written.put("coins", 1L);
    assertThat(read.get("coins")).isEqualTo(1);
    assertThat(dieChanging(2, 1, LastRequest.IS_LOST)).isTrue();
    assertThat(read.get("coins")).isEqualTo(1);

    written.put("coins", 3L);

    assertThat(written.get("coins")).isEqualTo(3); // its client has not waited this long
    assertThat(read.get("coins")).isEqualTo(3);
  }

  @ParameterizedTest
  @EnumSource(LastRequest.class)
  void whatOneHasReadEverybodyReads(LastRequest last) {
    written.put("coins", 0L);
    assertThat(read.get("coins")).isEqualTo(0);
    ReplicatedMap<String, Long> others = clients.there.open("map", MAP);
    boolean hasDied = true;
    int step = 0;
    for (; hasDied && step < MOST_REQUESTS; step++) {
      long before = others.get("coins");

      hasDied = dieChanging(before + 1, step, last);

      long now = read.get("coins");
      assertThat(now).isBetween(hasDied ? before : before + 1, before + 1);
      assertThat(others.get("coins")).isEqualTo(now);
      assertThat(read.get("coins")).isEqualTo(now);
    }
    assertThat(step).isBetween(3, MOST_REQUESTS - 1);
  }
}
