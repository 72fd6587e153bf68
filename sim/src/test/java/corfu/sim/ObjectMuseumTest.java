package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Supervision;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.sim.cluster.SimServer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Errors of objects that simulations once found, step by step. */
class ObjectMuseumTest {

  private static final ObjectType<ReplicatedMap<String, Long>> TYPE =
      ReplicatedMap.of(String.class, Long.class);

  private final Scenario scenario =
      new Scenario(new Wanted(2, 2), 0, 1, Supervision.DEFAULT.withAgent(false));

  /** A map, and the client's objects. */
  private record Opened(ReplicatedObjects objects, ReplicatedMap<String, Long> map) {
    ReplicatedMap<String, Long> other() {
      return objects.open("other", TYPE);
    }
  }

  private static Opened open(Corfu corfu) {
    ReplicatedObjects objects = ReplicatedObjects.over(corfu);
    return new Opened(objects, objects.open("map", TYPE));
  }

  /** Seed 1257: the view had once passed the address, when it had no entry. */
  @Test
  void aViewSeesWhatAnEpochIssuesOnceMore() {
    Long seen =
        scenario.client(
            (corfu, way) -> {
              Opened opened = open(corfu);
              opened.map().put("a", 1L);
              takeToken(way);
              assertThat(opened.map().get("a")).isEqualTo(1L);
              forgetTokens().join();
              another(other -> other.map().put("a", 2L)).join();
              return opened.map().get("a");
            });

    assertThat(seen).isEqualTo(2L);
  }

  @Test
  void aTransactionIsAbortedByWhatAnEpochIssuesOnceMore() {
    scenario.client(
        (corfu, way) -> {
          Opened opened = open(corfu);
          opened.map().put("a", 1L);
          takeToken(way);
          opened.objects().txBegin();
          long before = opened.map().getOrDefault("a", 0L);
          forgetTokens().join();
          another(other -> other.map().put("a", 2L)).join();
          opened.map().fastPut("a", before + 1);
          assertThatThrownBy(opened.objects()::txEnd)
              .isInstanceOf(TransactionAbortedException.class);
          return assertThat(opened.map().get("a")).isEqualTo(2L);
        });
  }

  @Test
  void aTransactionDoesNotSeeHalfOfWhatAnEpochIssuesOnceMore() {
    scenario.client(
        (corfu, way) -> {
          Opened opened = open(corfu);
          opened.map().put("a", 1L);
          opened.other().put("a", 1L);
          takeToken(way);
          opened.objects().txBegin(TransactionOptions.READ_ONLY);
          assertThat(opened.map().get("a")).isEqualTo(1L);
          forgetTokens().join();
          another(ObjectMuseumTest::changeBoth).join();
          assertThatThrownBy(() -> opened.other().get("a"))
              .isInstanceOf(TransactionAbortedException.class)
              .hasMessageContaining("the layout has changed from epoch");
          opened.objects().txAbort();
          return assertThat(opened.other().get("a")).isEqualTo(2L);
        });
  }

  @Test
  void aTransactionGoesOnInAnotherEpochThatLosesNothing() {
    scenario.client(
        (corfu, way) -> {
          Opened opened = open(corfu);
          opened.map().put("a", 1L);
          opened.other().put("a", 1L);
          opened.objects().txBegin();
          assertThat(opened.map().get("a")).isEqualTo(1L);
          scenario.anotherReconfigures(how -> how.renew(scenario.newest())).join();
          another(other -> other.objects().open("third", TYPE).put("b", 5L)).join();
          assertThat(opened.other().get("a")).isEqualTo(1L);
          opened.map().fastPut("a", 7L);
          opened.objects().txEnd();
          return assertThat(opened.map().get("a")).isEqualTo(7L);
        });
  }

  /** A state may include an entry that was issued anew below the horizon of its view. */
  @Test
  void aTransactionDoesNotBeginAtWhatAnEarlierEpochKnew() {
    scenario.client(
        (corfu, way) -> {
          Opened opened = open(corfu);
          ReplicatedMap<String, Long> third = opened.objects().open("third", TYPE);
          opened.map().put("a", 1L);
          opened.other().put("a", 1L);
          takeToken(way);
          assertThat(opened.map().get("a")).isEqualTo(opened.other().get("a")).isEqualTo(1L);
          forgetTokens().join();
          another(ObjectMuseumTest::changeAll).join();
          assertThat(third.get("a")).isEqualTo(2L); // this client now knows the new epoch

          List<Long> seen = new ArrayList<>();
          opened
              .objects()
              .transact(
                  () -> {
                    seen.add(opened.other().get("a"));
                    seen.add(opened.map().get("a"));
                    third.fastPut("a", 3L);
                  });
          return assertThat(seen).containsExactly(2L, 2L);
        });
  }

  @Test
  void thePastStaysAsItWasLookedAt() {
    scenario.client(
        (corfu, way) -> {
          Opened opened = open(corfu);
          opened.map().put("a", 1L);
          takeToken(way);
          Address tail = corfu.log().tail();
          assertThat(opened.objects().at(tail).open("map", TYPE).get("a")).isEqualTo(1L);
          forgetTokens().join();
          another(other -> other.map().put("a", 2L)).join();
          return assertThat(opened.objects().at(tail).open("map", TYPE).get("a")).isEqualTo(1L);
        });
  }

  // ----------------------------------------------------------------------------------------------

  private static Void changeBoth(Opened other) {
    other
        .objects()
        .transact(
            () -> {
              other.map().fastPut("a", 2L);
              other.other().fastPut("a", 2L);
            });
    return null;
  }

  private static Void changeAll(Opened other) {
    other
        .objects()
        .transact(
            () -> {
              other.map().fastPut("a", 2L);
              other.other().fastPut("a", 2L);
              other.objects().open("third", TYPE).fastPut("a", 2L);
            });
    return null;
  }

  private <T> CompletableFuture<T> another(Function<Opened, T> deed) {
    return scenario.another(corfu -> deed.apply(open(corfu)));
  }

  /** Gets a token, and abandons it. */
  private void takeToken(TestWay way) {
    ask(way, new SequencerRequest.Next(scenario.newest().epoch(), 1));
  }

  private void ask(TestWay way, SequencerRequest request) {
    way.peer(scenario.arrangement.sequencer()).send(request, 1_000_000_000L).join();
  }

  /** Restarts the sequencer in a new epoch, which begins at the log units' tail. */
  private CompletableFuture<?> forgetTokens() {
    SimServer sequencer = scenario.server(scenario.arrangement.sequencer());
    sequencer.kill();
    sequencer.start();
    return scenario.anotherReconfigures(how -> how.renew(scenario.newest()));
  }
}
