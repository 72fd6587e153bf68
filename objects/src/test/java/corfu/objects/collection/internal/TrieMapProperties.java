package corfu.objects.collection.internal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A persistent map beside one of the JDK's. */
class TrieMapProperties {

  /** Many of them have the same hash. */
  record Crowded(int number) implements Comparable<Crowded> {
    @Override
    public int compareTo(Crowded other) {
      return Integer.compare(number, other.number);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Crowded crowded && crowded.number == number;
    }

    @Override
    public int hashCode() {
      return number % 3;
    }
  }

  @Property
  void itHoldsWhatWasPutInAndNotTakenOut(
      @ForAll @Size(max = 200) List<@IntRange(min = -60, max = 60) Integer> steps) {
    check(steps, key -> key);
  }

  @Property(tries = 200)
  void soDoesItWhereHashesAreTheSame(
      @ForAll @Size(max = 60) List<@IntRange(min = -12, max = 12) Integer> steps) {
    check(steps, Crowded::new);
  }

  private interface Keys {
    Object of(int number);
  }

  private static void check(List<Integer> steps, Keys keys) {
    Map<Object, Integer> model = new HashMap<>();
    TrieMap<Object, Integer> map = TrieMap.empty();
    List<TrieMap<Object, Integer>> older = new ArrayList<>();
    List<Map<Object, Integer>> olderModels = new ArrayList<>();
    for (int i = 0; i < steps.size(); i++) {
      Object key = keys.of(Math.abs(steps.get(i)));
      older.add(map);
      olderModels.add(Map.copyOf(model));
      if (steps.get(i) >= 0) {
        model.put(key, i);
        map = map.with(key, i);
      } else {
        model.remove(key);
        map = map.without(key);
      }
      assertThat(map.size()).isEqualTo(model.size());
    }
    assertThat(contentOf(map)).isEqualTo(model);
    model.forEach((key, value) -> {});
    for (int i = 0; i < older.size(); i++) {
      assertThat(contentOf(older.get(i))).isEqualTo(olderModels.get(i));
    }
  }

  private static Map<Object, Integer> contentOf(TrieMap<Object, Integer> map) {
    Map<Object, Integer> content = new HashMap<>();
    for (Map.Entry<Object, Integer> entry : map) {
      assertThat(content.put(entry.getKey(), entry.getValue())).isNull();
      assertThat(map.get(entry.getKey())).isEqualTo(entry.getValue());
    }
    return content;
  }

  @Property(tries = 200)
  void itsOrderDependsOnWhatItHoldsOnly(@ForAll @Size(max = 100) List<Integer> numbers) {
    checkOrder(numbers, number -> number);
  }

  @Property(tries = 100)
  void soItDoesWhereHashesAreTheSameAndKeysHaveAnOrder(
      @ForAll @Size(max = 40) List<@IntRange(max = 40) Integer> numbers) {
    checkOrder(numbers, Crowded::new);
  }

  private static void checkOrder(List<Integer> numbers, Keys keys) {
    TrieMap<Object, Integer> forth = TrieMap.empty();
    for (int number : numbers) {
      forth = forth.with(keys.of(number), 0);
    }
    TrieMap<Object, Integer> back = TrieMap.empty();
    for (int number : numbers.reversed()) {
      back = back.with(keys.of(number + 1), 0).with(keys.of(number), 0);
    }
    for (int number : numbers) {
      back = numbers.contains(number + 1) ? back : back.without(keys.of(number + 1));
    }

    assertThat(forth).containsExactlyElementsOf(back);
  }
}
