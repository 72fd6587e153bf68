package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.TooManyStreamsException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The guarantees of transactions, with two independent clients. */
@Timeout(180)
class TransactionsTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  private final TwoClients clients = new TwoClients();
  private final ReplicatedObjects objects = clients.here;
  private final Map<String, Long> here = clients.here.open("map", MAP);
  private final Map<String, Long> there = clients.there.open("map", MAP);
  private final Map<String, Long> other = clients.here.open("other", MAP);

  @AfterEach
  void stop() {
    clients.close();
  }

  @Test
  void ownChangesAreSeenBeforeAnybodyElseSeesThem() {
    objects.txBegin();
    assertThat(here.put("a", 1L)).isNull();
    assertThat(here.put("a", 2L)).isEqualTo(1L);
    assertThat(here).containsEntry("a", 2L).hasSize(1);
    assertThat(there).isEmpty();
    objects.txEnd();

    assertThat(there).containsEntry("a", 2L).hasSize(1);
  }

  @Test
  void whatIsGivenUpLeavesNoTraceInTheLog() {
    Address tail = clients.corfu.log().tail();
    objects.txBegin();
    here.put("a", 1L);
    objects.txAbort();

    assertThatThrownBy(
            () ->
                objects.transact(
                    () -> {
                      here.put("b", 1L);
                      throw new IllegalArgumentException("no");
                    }))
        .hasMessage("no");

    assertThat(here).isEmpty();
    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
  }

  @Test
  void allReadsAreOfOneMomentWhateverOthersDoMeanwhile() {
    here.put("a", 1L);
    other.put("b", 1L);
    clients.there.open("other", MAP).get("b");

    objects.txBegin(TransactionOptions.READ_ONLY);
    assertThat(here.get("a")).isEqualTo(1L);
    clients.there.transact(
        () -> {
          there.put("a", 2L);
          clients.there.open("other", MAP).put("b", 2L);
        });
    // Another thread of this client has seen both already.
    onAnotherThread(() -> assertThat(here.get("a") + other.get("b")).isEqualTo(4L));
    assertThat(other.get("b")).isEqualTo(1L);
    assertThat(here.get("a")).isEqualTo(1L);
    objects.txEnd();

    assertThat(other.get("b")).isEqualTo(2L);
  }

  private static void onAnotherThread(Runnable body) {
    try (ExecutorService executor = Executors.newSingleThreadExecutor()) {
      Future<?> done = executor.submit(body);
      done.get();
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void whoeverReadWhatAnotherChangedIsToldTheObjectTheKeyAndTheWinner() {
    here.put("a", 1L);
    objects.txBegin();
    long read = here.get("a");
    there.put("a", 5L);
    Address winner = new Address(clients.corfu.log().tail().value() - 1);
    here.put("b", read);

    assertThatThrownBy(objects::txEnd)
        .isInstanceOfSatisfying(
            TransactionAbortedException.class,
            aborted ->
                assertThat(aborted.conflict())
                    .contains(
                        new TransactionAbortedException.Conflict(
                            objects.idOf(here), "map", Optional.of("a"), winner)));
    assertThat(here).doesNotContainKey("b");
  }

  @Test
  void differentKeysDoNotConflictAndTheSizeDoes() {
    here.putAll(Map.of("a", 1L, "b", 1L));

    objects.txBegin();
    here.put("a", here.get("a") + 1);
    there.put("b", 7L);
    objects.txEnd();
    assertThat(there).isEqualTo(Map.of("a", 2L, "b", 7L));

    objects.txBegin();
    here.put("count", (long) here.size());
    there.put("c", 7L);
    assertThatThrownBy(objects::txEnd).isInstanceOf(TransactionAbortedException.class);
  }

  @Test
  void writesWithoutReadsNeverLose() {
    ReplicatedMap<String, Long> blind = objects.open("map", MAP);
    objects.txBegin();
    blind.fastPut("a", 1L);
    there.put("a", 2L);
    objects.txEnd();

    assertThat(there.get("a")).isEqualTo(1L);
  }

  @Test
  void underSnapshotIsolationOnlyWhatIsChangedConflicts() {
    here.putAll(Map.of("a", 1L, "b", 1L));
    var snapshot = TransactionOptions.DEFAULT.with(Isolation.SNAPSHOT);

    objects.txBegin(snapshot);
    long read = here.get("a");
    ((ReplicatedMap<String, Long>) here).fastPut("b", read);
    there.put("a", 2L);
    objects.txEnd();
    assertThat(there.get("b")).isEqualTo(1L);

    objects.txBegin(snapshot);
    ((ReplicatedMap<String, Long>) here).fastPut("b", here.get("a"));
    there.put("b", 9L);
    assertThatThrownBy(objects::txEnd).isInstanceOf(TransactionAbortedException.class);
  }

  @Test
  void innerTransactionsArePartOfTheOutermost() {
    objects.transact(
        () -> {
          here.put("a", 1L);
          objects.transact(() -> other.put("b", 2L));
          assertThat(there).isEmpty();
        });
    assertThat(there.get("a") + other.get("b")).isEqualTo(3);

    objects.txBegin();
    here.put("a", 5L);
    objects.txBegin();
    other.put("b", 5L);
    objects.txAbort();
    assertThatThrownBy(objects::txEnd)
        .isInstanceOf(TransactionAbortedException.class)
        .hasMessageContaining("inside");
    assertThat(there.get("a") + other.get("b")).isEqualTo(3);
  }

  @Test
  void readOnlyTransactionsRefuseChangesAndReadThePast() {
    here.put("a", 1L);
    Address then = clients.corfu.log().tail();
    here.put("a", 2L);
    other.put("b", 1L);

    assertThat(
            clients.there.<List<Long>>transact(
                TransactionOptions.at(then),
                () -> List.of(there.get("a"), (long) clients.there.open("other", MAP).size())))
        .containsExactly(1L, 0L);
    assertThatThrownBy(() -> objects.transact(TransactionOptions.READ_ONLY, here::clear))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void incrementsByManyThreadsOfTwoClientsAllCount() {
    List<Runnable> all =
        IntStream.range(0, 8)
            .<Runnable>mapToObj(i -> i % 2 == 0 ? this::incrementHere : this::incrementThere)
            .toList();
    try (ExecutorService executor = Executors.newFixedThreadPool(all.size())) {
      List<? extends Future<?>> running = all.stream().map(executor::submit).toList();
      for (Future<?> one : running) {
        one.get();
      }
    } catch (Exception e) {
      throw new AssertionError(e);
    }
    assertThat(here.get("n")).isEqualTo(80);
  }

  private void incrementHere() {
    for (int i = 0; i < 10; i++) {
      here.merge("n", 1L, Long::sum);
    }
  }

  private void incrementThere() {
    var patient = TransactionOptions.DEFAULT.withAttempts(1000);
    for (int i = 0; i < 10; i++) {
      clients.there.transact(patient, () -> there.put("n", there.getOrDefault("n", 0L) + 1));
    }
  }

  @Test
  void aReconfigurationInTheMiddleDoesNotLetAConflictThrough() {
    here.put("a", 1L);
    other.put("x", 1L);
    objects.txBegin();
    long read = here.get("a");
    there.put("a", 2L);
    clients.changeEpoch();
    other.put("x", read);

    assertThatThrownBy(objects::txEnd).isInstanceOf(TransactionAbortedException.class);

    objects.transact(() -> other.put("x", here.get("a")));
    assertThat(other.get("x")).isEqualTo(2L);
  }

  @Test
  void moreObjectsThanAnEntryCanNameAreRefusedBeforeAnythingHappens() {
    Address tail = clients.corfu.log().tail();
    assertThatThrownBy(
            () ->
                objects.transact(
                    () -> {
                      for (int i = 0; i < 65; i++) {
                        objects.open("map" + i, MAP).fastPut("k", 1L);
                      }
                    }))
        .isInstanceOf(TooManyStreamsException.class);
    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
  }
}
