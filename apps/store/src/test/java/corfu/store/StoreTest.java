package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.runtime.CorfuOptions;
import corfu.smr.HistoryForgottenException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StoreTest {

  private static final StoreOptions OPTIONS = StoreOptions.DEFAULT.withCheckpointEvery(0);

  /** So that nobody fills what a busy machine keeps others from writing: entries are counted. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private final List<KeyValueStore> stores = new ArrayList<>();

  @AfterEach
  void stop() {
    stores.forEach(KeyValueStore::close);
    cluster.close();
  }

  private KeyValueStore store(StoreOptions options) {
    CorfuOptions patient = cluster.clientOptions().withHoleTimeout(PATIENCE);
    KeyValueStore store = KeyValueStore.open(cluster.connect(patient), "things", options);
    stores.add(store);
    return store;
  }

  private KeyValueStore store() {
    return store(OPTIONS);
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static Map<String, String> texts(Map<String, Versioned> values) {
    Map<String, String> texts = new LinkedHashMap<>();
    values.forEach((key, value) -> texts.put(key, value.text()));
    return texts;
  }

  private static Changes many(int count, String value) {
    Changes changes = new Changes();
    IntStream.range(0, count).forEach(i -> changes.put("key %04d".formatted(i), bytes(value + i)));
    return changes;
  }

  @Test
  void whatOneClientPutsAllOthersGet() {
    KeyValueStore one = store();
    long version = one.put("a", bytes("1"));

    assertThat(store().get("a")).contains(new Versioned(ByteBuffer.wrap(bytes("1")), version));
    assertThat(store().get("b")).isEmpty();
    one.remove("a");
    assertThat(store().get("a")).isEmpty();
  }

  @Test
  void aChangeOfManyKeysIsOneEntry() {
    KeyValueStore store = store();
    long version = store.put("before", bytes("x"));

    WriteOutcome outcome = store.write(many(10, "v").remove("before"));

    assertThat(outcome).isEqualTo(new WriteOutcome.Written(version + 1));
    assertThat(texts(store.getAll(List.of("key 0003", "before", "key 0009"))))
        .containsExactly(Map.entry("key 0003", "v3"), Map.entry("key 0009", "v9"));
  }

  /** In an entry of values the empty one begins where the next one does. */
  @Test
  void anEmptyValueIsNotTakenForTheOneBehindIt() {
    KeyValueStore store = store(OPTIONS.withInlineBytes(1));
    store.write(new Changes().put("empty", bytes("")).put("full", bytes("much")));

    assertThat(store.get("empty").map(Versioned::text)).contains("");
    assertThat(store.get("full").map(Versioned::text)).contains("much");
  }

  @Test
  void aThousandKeysChangeTogether() {
    KeyValueStore store = store();
    assertThat(store.write(many(1000, "v"))).isInstanceOf(WriteOutcome.Written.class);
    assertThat(store().scan("", 2000)).hasSize(1000);
  }

  @Test
  void aThousandValuesThatFitIntoNoEntryChangeTogetherAllTheSame() {
    KeyValueStore store = store();
    String large = "x".repeat(20_000);
    assertThat(store.write(many(1000, large))).isInstanceOf(WriteOutcome.Written.class);

    KeyValueStore other = store();
    assertThat(other.snapshot().size()).isEqualTo(1000);
    assertThat(other.get("key 0777").orElseThrow().text()).isEqualTo(large + 777);
  }

  @Test
  void valuesMayHaveEntriesOfTheirOwnBeforeTheChange() {
    KeyValueStore store = store(OPTIONS.withInlineBytes(0));

    WriteOutcome outcome = store.write(many(5, "v"));

    assertThat(outcome).as("k + 1 appends").isEqualTo(new WriteOutcome.Written(5));
    assertThat(store().scan("", 10)).hasSize(5);
  }

  @Test
  void readersSeeAllOfAChangeOrNothing() {
    KeyValueStore writer = store();
    KeyValueStore reader = store(OPTIONS.withInlineBytes(0));
    writer.write(new Changes().put("a", bytes("0")).put("b", bytes("0")));
    List<CompletableFuture<WriteOutcome>> writes = new ArrayList<>();
    for (int i = 1; i <= 300; i++) {
      Changes both = new Changes().put("a", bytes("" + i)).put("b", bytes("" + i));
      writes.add((i % 2 == 0 ? writer : reader).writeAsync(both));
      if (i % 10 == 0) {
        Map<String, String> seen = texts(reader.getAll(List.of("a", "b")));
        assertThat(seen.get("a")).isEqualTo(seen.get("b"));
      }
    }
    writes.forEach(CompletableFuture::join);
  }

  @Test
  void aChangeHappensOnlyIfAllIsAsExpected() {
    KeyValueStore store = store();
    long first = store.put("a", bytes("1"));

    assertThat(store.write(new Changes().put("a", bytes("2")).expect("a", first)))
        .isInstanceOf(WriteOutcome.Written.class);
    long second = store.get("a").orElseThrow().version();
    assertThat(store.write(new Changes().put("a", bytes("3")).expect("a", first)))
        .isEqualTo(new WriteOutcome.Conflict(Optional.of("a"), OptionalLong.of(second)));
    assertThat(store.write(new Changes().put("b", bytes("1")).expectAbsent("a")))
        .isEqualTo(new WriteOutcome.Conflict(Optional.of("a"), OptionalLong.of(second)));
    assertThat(store.write(new Changes().put("b", bytes("1")).expect("b", 5)))
        .isEqualTo(new WriteOutcome.Conflict(Optional.of("b"), OptionalLong.empty()));
    assertThat(store.write(new Changes().put("b", bytes("1")).expectAbsent("b")))
        .isInstanceOf(WriteOutcome.Written.class);
    assertThat(texts(store.scan("", 9))).containsExactly(Map.entry("a", "2"), Map.entry("b", "1"));
  }

  @Test
  void countersThatManyClientsCompareAndSetLoseNothing() throws Exception {
    store().put("n", bytes("0"));
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 3; t++) {
      KeyValueStore mine = store();
      threads.add(Thread.startVirtualThread(() -> countUp(mine, 50)));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(store().get("n").orElseThrow().text()).isEqualTo("150");
  }

  private static void countUp(KeyValueStore store, int times) {
    for (int done = 0; done < times; ) {
      Versioned now = store.get("n").orElseThrow();
      byte[] next = bytes("" + (Integer.parseInt(now.text()) + 1));
      var outcome = store.write(new Changes().put("n", next).expect("n", now.version()));
      done += outcome instanceof WriteOutcome.Written ? 1 : 0;
    }
  }

  @Test
  void aSnapshotStaysAsItIs() {
    KeyValueStore store = store();
    store.write(new Changes().put("a", bytes("1")).put("b", bytes("1")));
    StoreSnapshot then = store.snapshot();
    store.write(new Changes().put("a", bytes("2")).remove("b").put("c", bytes("2")));

    assertThat(texts(then.scan("", 9))).containsExactly(Map.entry("a", "1"), Map.entry("b", "1"));
    StoreSnapshot elsewhere = store().at(then.address());
    assertThat(texts(elsewhere.scan("b", 1))).containsExactly(Map.entry("b", "1"));
    assertThat(store.at(new Address(0)).size()).isZero();
  }

  @Test
  void theStoreIsRolledBackInOneChangeAndItsHistoryStays() {
    KeyValueStore store = store();
    store.write(new Changes().put("a", bytes("1")).put("b", bytes("1")));
    Address good = store.snapshot().address();
    store.write(new Changes().put("a", bytes("2")).remove("b").put("c", bytes("2")));
    Address bad = store.snapshot().address();

    assertThat(store.rollBack(good)).isInstanceOf(WriteOutcome.Written.class);

    assertThat(texts(store().scan("", 9)))
        .containsExactly(Map.entry("a", "1"), Map.entry("b", "1"));
    assertThat(texts(store.at(bad).scan("", 9)))
        .containsExactly(Map.entry("a", "2"), Map.entry("c", "2"));
    List<StoreChange> history = new ArrayList<>();
    store.history(good, store.snapshot().address(), history::add);
    assertThat(history).hasSize(2);
    assertThat(history.getFirst().written()).containsExactly("a", "c");
    assertThat(history.getFirst().removed()).containsExactly("b");
    assertThat(history.getLast().removed()).containsExactly("c");
  }

  @Test
  void historyHasOnlyWhatHappened() {
    KeyValueStore store = store();
    store.put("a", bytes("1"));
    store.write(new Changes().put("a", bytes("2")).expectAbsent("a"));
    long third = store.put("b", bytes("3"));

    List<StoreChange> history = new ArrayList<>();
    store.history(new Address(1), store.snapshot().address(), history::add);
    assertThat(history).containsExactly(new StoreChange(third, List.of("b"), List.of()));
  }

  @Test
  void aCompactedStoreHoldsWhatItHeldAndForgetsWhatWas() {
    KeyValueStore store = store();
    store.write(many(200, "x".repeat(5000)));
    long kept = store.put("kept", bytes("for long"));
    StoreSnapshot before = store.snapshot();
    for (int i = 0; i < 200; i++) {
      store.remove("key %04d".formatted(i));
    }

    Address from = store.compact();

    KeyValueStore other = store();
    assertThat(other.scan("", 10)).hasSize(1);
    assertThat(other.get("kept")).contains(new Versioned(ByteBuffer.wrap(bytes("for long")), kept));
    assertThat(other.at(from).size()).isEqualTo(1);
    assertThatThrownBy(() -> other.at(before.address()))
        .isInstanceOf(HistoryForgottenException.class);
    assertThatThrownBy(() -> other.rollBack(before.address()))
        .isInstanceOf(HistoryForgottenException.class);
    assertThat(store(OPTIONS.withCacheBytes(0)).get("kept").orElseThrow().text())
        .isEqualTo("for long");
  }

  @Test
  void readersAndWritersGoOnWhileTheStoreIsCompacted() {
    KeyValueStore writer = store(OPTIONS.withInlineBytes(0).withCacheBytes(0));
    KeyValueStore compacting = store();
    writer.write(many(100, "0:"));
    for (int round = 1; round <= 5; round++) {
      List<CompletableFuture<WriteOutcome>> writes = new ArrayList<>();
      for (int i = 0; i < 100; i += 2) {
        writes.add(
            writer.writeAsync(new Changes().put("key %04d".formatted(i), bytes(round + ":" + i))));
      }
      compacting.compact();
      assertThat(writer.scan("", 200)).hasSize(100);
      writes.forEach(CompletableFuture::join);
    }
    Map<String, String> all = texts(store(OPTIONS.withCacheBytes(0)).scan("", 200));
    assertThat(all).containsEntry("key 0000", "5:0").containsEntry("key 0001", "0:1").hasSize(100);
  }

  @Test
  void whatIsTooLargeIsRefusedBeforeAnythingIsSent() {
    KeyValueStore store = store(OPTIONS.withBounds(10, 100, 500));
    Changes tooMany = many(11, "v");
    Changes tooLong = new Changes().put("a", new byte[101]);
    Changes tooMuch = new Changes();
    IntStream.range(0, 6).forEach(i -> tooMuch.put("k" + i, new byte[100]));

    assertThatThrownBy(() -> store.write(tooMany))
        .isInstanceOf(StoreLimitException.class)
        .hasMessageContaining("one call may name 10");
    assertThatThrownBy(() -> store.write(tooLong)).hasMessageContaining("a value may have 100");
    assertThatThrownBy(() -> store.write(tooMuch)).hasMessageContaining("one call may change 500");
    assertThatThrownBy(() -> store.put("", new byte[1])).hasMessageContaining("a key has from 1");
    assertThatThrownBy(() -> store.put("k".repeat(1025), new byte[1])).hasMessageContaining("1025");
    assertThatThrownBy(() -> store.put("\ud800", new byte[1])).hasMessageContaining("half");
    assertThat(cluster.connect().log().tail()).isEqualTo(new Address(0));
  }

  @Test
  void theStoreGoesOnWhenAServerDies() {
    KeyValueStore store = store();
    store.write(many(10, "before "));
    cluster.kill("n1");
    store.put("after", bytes("it"));

    assertThat(store().scan("", 20)).hasSize(11);
  }
}
