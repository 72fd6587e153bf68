package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.type.ObjectType;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Indexes hold what going through the whole map would find. */
class IndexProperties {

  private static final int KEYS = 8;
  private static final int VALUES = 30;
  private static final int OPERATIONS = 9;

  private static final Index<Integer, Integer> LAST_DIGIT =
      Index.of("last digit", (key, value) -> value % 10);
  private static final Index<Integer, Integer> FACTORS =
      Index.ofMany(
          "factors",
          (key, value) -> IntStream.of(2, 3, 5).filter(n -> value % n == 0).boxed().toList());

  private static final ObjectType<ReplicatedIndexedMap<Integer, Integer>> TYPE =
      ReplicatedIndexedMap.of(Integer.class, Integer.class, LAST_DIGIT, FACTORS);

  @Property(tries = 300)
  void theyFindWhatTheMapHolds(
      @ForAll @Size(max = 100) List<@IntRange(max = KEYS * VALUES * OPERATIONS) Integer> steps) {
    new History<ReplicatedIndexedMap<Integer, Integer>, Map<Integer, Integer>>(
            TYPE, new HashMap<>(), HashMap::new, IndexProperties::shown, IndexProperties::wanted)
        .run(steps, IndexProperties::onMap);
  }

  private static void onMap(
      ReplicatedIndexedMap<Integer, Integer> map, Map<Integer, Integer> model, int step) {
    int key = step % KEYS;
    int value = step / KEYS % VALUES;
    switch (step / KEYS / VALUES) {
      case 0, 1 -> assertThat(map.put(key, value)).isEqualTo(model.put(key, value));
      case 2 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
      case 3 -> assertThat(map.putIfAbsent(key, value)).isEqualTo(model.putIfAbsent(key, value));
      case 4 -> assertThat(map.replace(key, value)).isEqualTo(model.replace(key, value));
      case 5 -> {
        Map<Integer, Integer> several = Map.of(key, value, key + 1, value + 1);
        map.putAll(several);
        model.putAll(several);
      }
      case 6 -> {
        map.fastRemove(key);
        model.remove(key);
      }
      case 7 -> assertThat(map.remove(key, value)).isEqualTo(model.remove(key, value));
      default -> {
        if (value == 0) {
          map.clear();
          model.clear();
        }
      }
    }
    assertThat(map.equals(model)).isTrue();
  }

  private static List<Map<Object, Map<Integer, Integer>>> shown(
      ReplicatedIndexedMap<Integer, Integer> map) {
    return List.of(
        Map.of("all", map),
        map.indexKeys("last digit").stream()
            .collect(Collectors.toMap(k -> k, k -> map.byIndex("last digit", k))),
        map.indexKeys("factors").stream()
            .collect(Collectors.toMap(k -> k, k -> map.byIndex("factors", k))));
  }

  private static List<Map<Object, Map<Integer, Integer>>> wanted(Map<Integer, Integer> model) {
    return List.of(
        Map.of("all", model),
        grouped(model, Set.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), (n, value) -> value % 10 == n),
        grouped(model, Set.of(2, 3, 5), (n, value) -> value % n == 0));
  }

  private static Map<Object, Map<Integer, Integer>> grouped(
      Map<Integer, Integer> model, Set<Integer> under, BiPredicate<Integer, Integer> belongs) {
    Map<Object, Map<Integer, Integer>> groups = new HashMap<>();
    for (int n : under) {
      Map<Integer, Integer> group =
          model.entrySet().stream()
              .filter(entry -> belongs.test(n, entry.getValue()))
              .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
      if (!group.isEmpty()) {
        groups.put(n, group);
      }
    }
    return groups;
  }

  @Example
  void aMapsCheckpointIsThatOfAnIndexedOne() {
    ObjectType<ReplicatedMap<Integer, Integer>> plain =
        ReplicatedMap.of(Integer.class, Integer.class);
    ReplicatedMap<Integer, Integer> map = plain.create();
    map.putAll(Map.of(1, 11, 2, 21, 3, 32));

    var indexed = History.loaded(TYPE, History.bytesOf(plain, map));

    assertThat(indexed.byIndex("last digit", 1)).isEqualTo(Map.of(1, 11, 2, 21));
    assertThat(TYPE.stateName()).isEqualTo(plain.stateName());
  }

  @Example
  void anIndexThatWasNotDeclaredIsToldFromAnEmptyOne() {
    assertThat(TYPE.create().byIndex("factors", 7)).isEmpty();
    assertThatThrownBy(() -> TYPE.create().byIndex("colour", 7))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("without an index colour; it has these: [last digit, factors]");
    assertThatThrownBy(
            () -> ReplicatedIndexedMap.of(Integer.class, Integer.class, FACTORS, FACTORS))
        .hasMessageContaining("two indexes factors");
  }
}
