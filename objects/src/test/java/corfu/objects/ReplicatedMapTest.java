package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A replicated map, compared to one of the JDK's. */
@Timeout(180)
class ReplicatedMapTest {

  private static final ObjectType<ReplicatedMap<String, Integer>> MAP =
      ReplicatedMap.of(String.class, Integer.class);

  private final TwoClients clients = new TwoClients();
  private final ReplicatedMap<String, Integer> here = clients.here.open("map", MAP);
  private final ReplicatedMap<String, Integer> there = clients.there.open("map", MAP);

  @AfterEach
  void stop() {
    clients.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void itDoesWhatAMapOfTheJdkDoes(long seed) {
    Random random = new Random(seed);
    Map<String, Integer> model = new HashMap<>();
    for (int step = 0; step < 400; step++) {
      ReplicatedMap<String, Integer> map = random.nextBoolean() ? here : there;
      String key = "key" + random.nextInt(20);
      int value = random.nextInt(5);
      switch (random.nextInt(14)) {
        case 0, 1, 2 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value));
        case 3 -> {
          map.fastPut(key, value);
          model.put(key, value);
        }
        case 4 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
        case 5 -> assertThat(map.remove(key, value)).isEqualTo(model.remove(key, value));
        case 6 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value));
        case 7 -> assertThat(map.replace(key, value)).isEqualTo(model.replace(key, value));
        case 8 -> assertThat(map.replace(key, value, 7)).isEqualTo(model.replace(key, value, 7));
        case 9 ->
            assertThat(map.merge(key, value, Integer::sum))
                .isEqualTo(model.merge(key, value, Integer::sum));
        case 10 ->
            assertThat(map.computeIfAbsent(key, String::length))
                .isEqualTo(model.computeIfAbsent(key, String::length));
        case 11 ->
            assertThat(map.compute(key, (k, v) -> v == null || v > 2 ? null : v + 1))
                .isEqualTo(model.compute(key, (k, v) -> v == null || v > 2 ? null : v + 1));
        case 12 -> {
          map.putAll(Map.of(key, value, "other", 1));
          model.putAll(Map.of(key, value, "other", 1));
        }
        default -> {
          if (random.nextInt(10) == 0) {
            map.clear();
            model.clear();
          }
        }
      }
      assertThat(map.get(key)).isEqualTo(model.get(key));
      assertThat(map.getOrDefault(key, -1)).isEqualTo(model.getOrDefault(key, -1));
      assertThat(map).hasSameSizeAs(model);
    }
    assertThat(here.entrySet()).isEqualTo(model.entrySet());
    assertThat(here.keySet()).isEqualTo(model.keySet());
    assertThat(here.values()).containsExactlyInAnyOrderElementsOf(model.values());
    assertThat(here.equals(model)).isTrue();
    assertThat(here.hashCode()).isEqualTo(model.hashCode());
    assertThat(new ArrayList<>(there.keySet())).isEqualTo(new ArrayList<>(here.keySet()));
  }

  @Test
  void whatItGivesIsOfOneMomentAndCantBeChanged() {
    here.put("a", 1);
    var entries = here.entrySet();
    there.put("b", 2);

    assertThat(entries).containsExactly(Map.entry("a", 1));
    assertThatThrownBy(entries::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThat(here).containsOnlyKeys("a", "b");
  }

  @Test
  void itIsOpenedFromACheckpointWithAllThatItHeld() {
    Map<String, Integer> model = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      here.fastPut("key" + i, i);
      model.put("key" + i, i);
    }
    var at = clients.here.checkpoint(here);
    here.put("key0", -1);
    model.put("key0", -1);
    assertThat(clients.here.forget(here, at)).contains(at);

    try (Corfu third = clients.cluster.connect()) {
      var fresh = ReplicatedObjects.over(third).open("map", MAP);
      assertThat(fresh.entrySet()).isEqualTo(model.entrySet());
      assertThat(List.copyOf(fresh.keySet())).isEqualTo(List.copyOf(here.keySet()));
    }
  }

  @Test
  void nullsAreRefusedBeforeTheyAreWritten() {
    var tail = clients.corfu.log().tail();
    assertThatThrownBy(() -> here.put("a", null)).isInstanceOf(NullPointerException.class);
    assertThatThrownBy(() -> here.fastPut(null, 1)).isInstanceOf(NullPointerException.class);
    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
  }
}
