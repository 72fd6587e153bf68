package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.composed.ComposedMap;
import corfu.objects.composed.ComposedMapType;
import corfu.objects.composed.ComposedTree;
import corfu.objects.composed.ComposedTreeType;
import corfu.objects.internal.value.LogValue;
import corfu.objects.serial.InLog;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.LogEntry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Values that stay in the log, in composed objects. */
@Timeout(180)
class ComposedInLogTest {

  private static final ComposedMapType<String, InLog<String>> MAP =
      ComposedMap.<String, InLog<String>>ofTypes(String.class, InLog.type(String.class))
          .withBuckets(1)
          .withBucketSize(4);

  private static final ComposedTreeType<String, InLog<String>> TREE =
      ComposedTree.<String, InLog<String>>ofTypes(String.class, InLog.type(String.class))
          .withNodes(4, 4);

  /** Each part has a checkpoint after a few changes, and forgets everything before it. */
  private static final CheckpointPolicy OFTEN =
      CheckpointPolicy.DEFAULT.withEveryUpdates(20).withHistory(History.ofAddresses(0));

  private final TwoClients clients =
      new TwoClients(ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL));

  @AfterEach
  void stop() {
    clients.close();
  }

  private static Map<String, InLog<String>> open(ReplicatedObjects objects, String kind) {
    return kind.equals("map") ? objects.open("map", MAP) : objects.open("tree", TREE);
  }

  private static Map<String, InLog<String>> open(PastObjects objects, String kind) {
    return kind.equals("map") ? objects.open("map", MAP) : objects.open("tree", TREE);
  }

  private static String text(Map<String, InLog<String>> map, String key) {
    InLog<String> value = map.get(key);
    return value == null ? "nothing" : value.get();
  }

  private static Map<String, String> texts(Map<String, InLog<String>> map) {
    List<String> keys = new ArrayList<>();
    List<InLog<String>> values = new ArrayList<>();
    map.forEach(
        (key, value) -> {
          keys.add(key);
          values.add(value);
        });
    List<String> read = InLog.getAll(values);
    Map<String, String> all = new TreeMap<>();
    for (int i = 0; i < keys.size(); i++) {
      all.put(keys.get(i), read.get(i));
    }
    return all;
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "tree"})
  void valuesAreReadWhenTheyAreWantedNowAndInThePast(String kind) {
    Map<String, InLog<String>> here = open(clients.here, kind);
    Map<String, InLog<String>> there = open(clients.there, kind);
    assertThat(here.put("a", InLog.of("one"))).isNull();
    here.putAll(Map.of("b", InLog.of("two"), "c", InLog.of("three")));
    Address then = clients.corfu.log().tail();

    InLog<String> before = there.put("a", InLog.of("four"));

    assertThat(before).isNotNull();
    assertThat(before.get()).isEqualTo("one");
    assertThat(here.get("a")).isInstanceOf(LogValue.InUpdate.class);
    assertThat(texts(here)).isEqualTo(Map.of("a", "four", "b", "two", "c", "three"));
    assertThat(here.replace("a", InLog.of("one"), InLog.of("five"))).isFalse();
    assertThat(here.replace("a", InLog.of("four"), InLog.of("five"))).isTrue();
    assertThat(there.containsValue(InLog.of("five"))).isTrue();
    assertThat(there.remove("b")).isEqualTo(InLog.of("two"));
    assertThat(text(here, "b")).isEqualTo("nothing");
    assertThat(texts(open(clients.there.at(then), kind)))
        .isEqualTo(Map.of("a", "one", "b", "two", "c", "three"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "tree"})
  void theyAreMovedToOtherPartsWhileTheyAreRead(String kind) {
    Map<String, InLog<String>> here = open(clients.here, kind);
    Map<String, InLog<String>> there = open(clients.there, kind);
    Map<String, String> model = new HashMap<>();
    Map<String, InLog<String>> kept = new HashMap<>();
    AtomicBoolean isOver = new AtomicBoolean();
    here.put("key 0", InLog.of("value 0"));
    CompletableFuture<Void> reader =
        CompletableFuture.runAsync(
            () -> {
              while (!isOver.get()) {
                assertThat(text(there, "key 0")).isEqualTo("value 0");
                texts(there).forEach((key, value) -> assertThat(value).endsWith(key.substring(4)));
              }
            });
    for (int i = 0; i < 60; i++) {
      here.put("key " + i, InLog.of("value " + i));
      model.put("key " + i, "value " + i);
      kept.put("key " + i, here.get("key " + i));
      if (kind.equals("map") && i % 4 == 0) {
        ((ComposedMap<String, InLog<String>>) here).addBucket();
      }
    }
    isOver.set(true);
    reader.join();

    assertThat(texts(there)).isEqualTo(model);
    kept.forEach((key, value) -> assertThat(value.get()).isEqualTo(model.get(key)));
    if (kind.equals("map")) {
      assertThat(clients.here.open("map", MAP).buckets()).isGreaterThan(10);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "tree"})
  void aTransactionSeesItsOwnAndThoseOfItsSnapshot(String kind) {
    Map<String, InLog<String>> here = open(clients.here, kind);
    Map<String, InLog<String>> there = open(clients.there, kind);
    for (int i = 0; i < 20; i++) {
      here.put("key " + i, InLog.of("value " + i));
    }

    clients.here.transact(
        () -> {
          InLog<String> moved = here.remove("key 1");
          here.put("key 2", moved == null ? InLog.of("nothing") : moved);
          here.put("new", InLog.of(text(here, "key 3") + " and more"));
          assertThat(text(here, "key 2")).isEqualTo("value 1");
          assertThat(text(here, "new")).isEqualTo("value 3 and more");
        });
    clients.there.txBegin();
    there.put("key 4", InLog.of("never"));
    clients.there.txAbort();

    assertThat(text(there, "key 1")).isEqualTo("nothing");
    assertThat(text(there, "key 2")).isEqualTo("value 1");
    assertThat(text(there, "new")).isEqualTo("value 3 and more");
    assertThat(text(there, "key 4")).isEqualTo("value 4");
  }

  @ParameterizedTest
  @ValueSource(strings = {"map", "tree"})
  void theyOutliveTheHistoryOfTheirPart(String kind) {
    ReplicatedObjects forgetting =
        ReplicatedObjects.over(clients.corfu, ObjectOptions.DEFAULT.withCheckpoints(OFTEN));
    Map<String, InLog<String>> here = open(forgetting, kind);
    Map<String, InLog<String>> there = open(clients.there, kind);
    here.put("first", InLog.of("to stay"));
    Address written = new Address(clients.corfu.log().tail().value() - 1);
    for (int i = 0; i < 20; i++) {
      here.put("key " + i, InLog.of("value " + i));
    }
    InLog<String> kept = there.get("first");
    int rounds = 0;
    while (!(clients.corfu.log().read(written) instanceof LogEntry.Trimmed)) {
      // By then a checkpoint of each part is due. A split that is tried at the same time as changes
      // may fail again and again, and the checkpoint waits for it.
      for (int i = 0; i < 20 && rounds < 100; i++) {
        here.put("key " + i, InLog.of("round %d of %d".formatted(rounds, i)));
      }
      rounds++;
      assertThat(text(here, "first")).isEqualTo("to stay");
    }

    assertThat(text(there, "first")).isEqualTo("to stay");
    assertThat(texts(there)).isEqualTo(texts(here)).hasSize(21);
    try (Corfu third = clients.cluster.connect()) {
      Map<String, InLog<String>> anew = open(ReplicatedObjects.over(third), kind);
      assertThat(texts(anew)).isEqualTo(texts(here));
    }
    assertThat(there.get("first")).isEqualTo(kept);
  }

  @Test
  void aBucketIsCheckpointedAndForgottenByItself() {
    ComposedMap<String, InLog<String>> here = clients.here.open("map", MAP);
    here.put("a", InLog.of("one"));
    here.put("b", InLog.of("two"));
    ReplicatedMap<String, InLog<String>> bucket =
        Parts.of(here).open("0/0", ReplicatedMap.inLog(String.class, String.class));
    Address of = clients.here.checkpoint(bucket);
    assertThat(clients.here.forget(bucket, of)).contains(of);
    here.addBucket();
    here.addBucket();

    try (Corfu third = clients.cluster.connect()) {
      ComposedMap<String, InLog<String>> anew = ReplicatedObjects.over(third).open("map", MAP);
      assertThat(texts(anew)).isEqualTo(Map.of("a", "one", "b", "two"));
      assertThat(anew.buckets()).isEqualTo(3);
    }
    assertThat(texts(here)).isEqualTo(Map.of("a", "one", "b", "two"));
  }

  @Test
  void halfABucketThatDoesNotFitIntoAnEntryStaysWhereItIs() {
    ComposedMap<String, InLog<byte[]>> large =
        clients.here.open(
            "large",
            ComposedMap.<String, InLog<byte[]>>ofTypes(String.class, InLog.type(byte[].class))
                .withBuckets(1));
    for (int i = 0; i < 40; i++) {
      large.fastPut("key " + i, InLog.of(new byte[1 << 20]));
    }

    assertThatThrownBy(large::addBucket)
        .isInstanceOf(EntryTooLargeException.class)
        .hasMessageContaining("max-entry");
    assertThat(large.buckets()).isEqualTo(1);
    assertThat(large).hasSize(40);
    large.keySet().stream().limit(38).toList().forEach(large::fastRemove);
    large.addBucket();
    assertThat(large.buckets()).isEqualTo(2);
    assertThat(InLog.getAll(large.values())).hasSize(2);
  }
}
