package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.cluster.MortalClient;
import corfu.runtime.cluster.MortalClient.LastRequest;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A client may die at each of its requests without disturbing other clients. */
@Timeout(300)
class DyingClientsTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);
  private static final int MOST_REQUESTS = 60;

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  /** Large enough for a checkpoint of three parts. */
  static class Blob {
    private byte[] bytes = new byte[0];
    private long changes;

    @Mutator
    public void fill(int length, byte value) {
      bytes = new byte[length];
      Arrays.fill(bytes, value);
      changes++;
    }

    @Accessor
    public String text() {
      byte last = bytes.length == 0 ? 0 : bytes[bytes.length - 1];
      return bytes.length + " of " + last + " after " + changes;
    }
  }

  @ParameterizedTest
  @EnumSource(LastRequest.class)
  void aCheckpointInterruptedAnywhereHarmsNobody(LastRequest last) {
    boolean isComplete = false;
    int step = 0;
    for (; !isComplete && step < MOST_REQUESTS; step++) {
      String name = "blob " + step;
      Blob blob = clients.here.open(name, Blob.class);
      blob.fill(600_000, (byte) step);
      blob.fill(600_001, (byte) step);
      Address then = clients.corfu.log().tail();

      isComplete = checkpointAndForget(name, step, last);

      Blob there = ReplicatedObjects.over(clients.corfu).open(name, Blob.class);
      assertThat(there.text()).isEqualTo("600001 of " + (byte) step + " after 2");
      blob.fill(7, (byte) 7);
      assertThat(there.text()).isEqualTo(blob.text()).isEqualTo("7 of 7 after 3");
      clients.there.checkpoint(clients.there.open(name, Blob.class));
      assertThat(clients.there.forget(there, clients.corfu.log().tail())).isPresent();
      assertThat(ReplicatedObjects.over(clients.corfu).open(name, Blob.class).text())
          .isEqualTo("7 of 7 after 3");
      assertThat(then).isLessThan(clients.corfu.log().tail());
    }
    assertThat(step).isBetween(10, MOST_REQUESTS - 1);
  }

  /** Returns whether the client lived to the end. */
  private boolean checkpointAndForget(String name, int step, LastRequest last) {
    try (MortalClient mortal = new MortalClient(clients.cluster)) {
      ReplicatedObjects objects = ReplicatedObjects.over(mortal.corfu());
      Blob blob = objects.open(name, Blob.class);
      assertThat(blob.text()).contains("600001");
      mortal.diesAfter(step, last);
      try {
        objects.checkpoint(blob);
        objects.forget(blob, new Address(Long.MAX_VALUE));
      } catch (RuntimeException dead) {
        assertThat(mortal.isDead()).isTrue();
      }
      return !mortal.isDead();
    }
  }

  @ParameterizedTest
  @EnumSource(LastRequest.class)
  void aTransactionOfADyingClientHappensOrDoesNot(LastRequest last) {
    ReplicatedMap<String, Long> left = clients.here.open("left", MAP);
    ReplicatedMap<String, Long> right = clients.here.open("right", MAP);
    left.put("coins", 1_000L);
    right.put("coins", 0L);
    boolean isComplete = false;
    int step = 0;
    for (; !isComplete && step < MOST_REQUESTS; step++) {
      long before = left.get("coins");

      isComplete = moveOne(step, last);

      long after = left.get("coins");
      assertThat(after).isBetween(before - 1, before);
      assertThat(after + right.get("coins")).isEqualTo(1_000);
      assertThat(isComplete && after == before).isFalse();
    }
    assertThat(step).isBetween(3, MOST_REQUESTS - 1);
    assertThat(left.get("coins")).isLessThan(1_000);
  }

  private boolean moveOne(int step, LastRequest last) {
    try (MortalClient mortal = new MortalClient(clients.cluster)) {
      ReplicatedObjects objects = ReplicatedObjects.over(mortal.corfu());
      ReplicatedMap<String, Long> left = objects.open("left", MAP);
      ReplicatedMap<String, Long> right = objects.open("right", MAP);
      assertThat(left.get("coins") + right.get("coins")).isEqualTo(1_000);
      mortal.diesAfter(step, last);
      try {
        objects.transact(
            () -> {
              left.put("coins", left.get("coins") - 1);
              right.put("coins", right.get("coins") + 1);
            });
      } catch (RuntimeException dead) {
        assertThat(mortal.isDead()).isTrue();
      }
      return !mortal.isDead();
    }
  }
}
