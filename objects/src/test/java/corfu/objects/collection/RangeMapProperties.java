package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.type.ObjectType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NoSuchElementException;
import java.util.TreeMap;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** A range map beside a tree map of the JDK's. */
class RangeMapProperties {

  private static final int KEYS = 60;
  private static final int OPERATIONS = 12;

  private static final ObjectType<ReplicatedRangeMap<Integer, Integer>> TYPE =
      ReplicatedRangeMap.of(Integer.class, Integer.class);

  @Property(tries = 200)
  void itIsATreeMap(
      @ForAll @Size(max = 200) List<@IntRange(max = KEYS * OPERATIONS) Integer> steps) {
    new History<ReplicatedRangeMap<Integer, Integer>, TreeMap<Integer, Integer>>(
            TYPE,
            new TreeMap<>(),
            TreeMap::new,
            map -> new ArrayList<>(map.entrySet()),
            model -> new ArrayList<>(model.entrySet()))
        .run(steps, RangeMapProperties::onMap);
  }

  private static void onMap(
      ReplicatedRangeMap<Integer, Integer> map, TreeMap<Integer, Integer> model, int step) {
    int key = step % KEYS;
    switch (step / KEYS) {
      case 0, 1, 2, 3 -> assertThat(map.put(key, step)).isEqualTo(model.put(key, step));
      case 4 -> assertThat(map.remove(key)).isEqualTo(model.remove(key));
      case 5 -> assertThat(map.putIfAbsent(key, step)).isEqualTo(model.putIfAbsent(key, step));
      case 6 -> assertThat(map.replace(key, step)).isEqualTo(model.replace(key, step));
      case 7 -> assertThat(map.pollFirstEntry()).isEqualTo(model.pollFirstEntry());
      case 8 -> assertThat(map.pollLastEntry()).isEqualTo(model.pollLastEntry());
      case 9 -> {
        map.removeRange(key, key + 3);
        model.subMap(key, key + 3).clear();
      }
      case 10 -> {
        if (key < 5) {
          map.clear();
          model.clear();
        }
      }
      default -> {
        map.putAll(Map.of(key, step, key + 1, step));
        model.putAll(Map.of(key, step, key + 1, step));
      }
    }
    assertThat(map.equals(model)).isTrue();
    checkNavigation(map, model, key);
  }

  private static void checkNavigation(
      NavigableMap<Integer, Integer> map, NavigableMap<Integer, Integer> model, int key) {
    assertThat(map.get(key)).isEqualTo(model.get(key));
    assertThat(map.firstEntry()).isEqualTo(model.firstEntry());
    assertThat(map.lastEntry()).isEqualTo(model.lastEntry());
    assertThat(map.lowerKey(key)).isEqualTo(model.lowerKey(key));
    assertThat(map.floorEntry(key)).isEqualTo(model.floorEntry(key));
    assertThat(map.ceilingKey(key)).isEqualTo(model.ceilingKey(key));
    assertThat(map.higherEntry(key)).isEqualTo(model.higherEntry(key));
  }

  @Property(tries = 200)
  void itsRangesAreThose(
      @ForAll @Size(max = 60) List<@IntRange(max = 100) Integer> keys,
      @ForAll @IntRange(max = 100) int from,
      @ForAll @IntRange(max = 100) int to,
      @ForAll @IntRange(max = 100) int key,
      @ForAll boolean withFrom,
      @ForAll boolean withTo) {
    ReplicatedRangeMap<Integer, Integer> map = TYPE.create();
    TreeMap<Integer, Integer> model = new TreeMap<>();
    for (int each : keys) {
      map.put(each, -each);
      model.put(each, -each);
    }
    checkRange(map.headMap(to, withTo), model.headMap(to, withTo), key);
    checkRange(map.tailMap(from, withFrom), model.tailMap(from, withFrom), key);
    if (from > to) {
      assertThatThrownBy(() -> map.subMap(from, withFrom, to, withTo))
          .isInstanceOf(IllegalArgumentException.class);
      return;
    }
    NavigableMap<Integer, Integer> range = map.subMap(from, withFrom, to, withTo);
    NavigableMap<Integer, Integer> wanted = model.subMap(from, withFrom, to, withTo);
    checkRange(range, wanted, key);
    checkRange(range.descendingMap(), wanted.descendingMap(), key);
    if (from < key && key < to) {
      checkRange(range.tailMap(key, false), wanted.tailMap(key, false), key + 1);
      checkRange(
          range.descendingMap().headMap(key, true), wanted.descendingMap().headMap(key, true), key);
    }
  }

  private static void checkRange(
      NavigableMap<Integer, Integer> range, NavigableMap<Integer, Integer> wanted, int key) {
    assertThat(new ArrayList<>(range.entrySet())).isEqualTo(new ArrayList<>(wanted.entrySet()));
    assertThat(range.values()).containsExactlyElementsOf(wanted.values());
    assertThat(range.keySet()).isEqualTo(wanted.keySet());
    assertThat(new ArrayList<>(range.descendingKeySet()))
        .isEqualTo(new ArrayList<>(wanted.descendingKeySet()));
    assertThat(range.navigableKeySet().floor(key)).isEqualTo(wanted.navigableKeySet().floor(key));
    assertThat(range.navigableKeySet().higher(key)).isEqualTo(wanted.navigableKeySet().higher(key));
    assertThat(range.containsKey(key)).isEqualTo(wanted.containsKey(key));
    assertThat(range).isEqualTo(wanted).hasSameSizeAs(wanted);
    checkNavigation(range, wanted, key);
    if (wanted.isEmpty()) {
      assertThatThrownBy(range::firstKey).isInstanceOf(NoSuchElementException.class);
    } else {
      assertThat(range.firstKey()).isEqualTo(wanted.firstKey());
      assertThat(range.lastKey()).isEqualTo(wanted.lastKey());
    }
  }

  @Example
  void whatItGivesCantBeChanged() {
    ReplicatedRangeMap<Integer, Integer> map = TYPE.create();
    map.put(1, 1);
    NavigableMap<Integer, Integer> given = map.tailMap(0);

    assertThatThrownBy(given::clear).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(given::pollFirstEntry).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> given.put(2, 2)).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> map.firstEntry().setValue(2))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(given.navigableKeySet()::pollLast)
        .isInstanceOf(UnsupportedOperationException.class);
  }
}
