package corfu.store;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class OrderedIndexTest {

  private static ValueLocation slot(int i) {
    return new ValueLocation(i, new Address(i), i, i);
  }

  /** Even numbers put, odd ones remove, whatever a tree map does. */
  @Property(tries = 300)
  void isWhatASortedMapIs(@ForAll @Size(max = 200) List<@IntRange(max = 120) Integer> steps) {
    TreeMap<String, ValueLocation> model = new TreeMap<>();
    OrderedIndex index = OrderedIndex.EMPTY;
    for (int i = 0; i < steps.size(); i++) {
      String key = "k" + steps.get(i) / 2;
      if (steps.get(i) % 2 == 0) {
        model.put(key, slot(i));
        index = index.with(key, slot(i));
      } else {
        model.remove(key);
        index = index.without(key);
      }
    }
    assertThat(index.size()).isEqualTo(model.size());
    assertThat(entries(index.from(""))).isEqualTo(List.copyOf(model.entrySet()));
    assertThat(entries(index.from("k3"))).isEqualTo(List.copyOf(model.tailMap("k3").entrySet()));
    for (int i = 0; i < 61; i++) {
      assertThat(index.find("k" + i)).isEqualTo(Optional.ofNullable(model.get("k" + i)));
    }
  }

  private static List<Map.Entry<String, ValueLocation>> entries(
      Iterator<Map.Entry<String, ValueLocation>> from) {
    List<Map.Entry<String, ValueLocation>> all = new ArrayList<>();
    from.forEachRemaining(all::add);
    return all;
  }

  @Test
  void whatWasKeptDoesNotChange() {
    OrderedIndex before = OrderedIndex.EMPTY.with("a", slot(1)).with("b", slot(2));
    OrderedIndex after = before.without("a").with("b", slot(3));

    assertThat(before.find("a")).contains(slot(1));
    assertThat(before.find("b")).contains(slot(2));
    assertThat(after.find("a")).isEmpty();
    assertThat(after.find("b")).contains(slot(3));
  }

  @Test
  void keysInTheirOrderDoNotMakeItDeep() {
    OrderedIndex index = OrderedIndex.EMPTY;
    for (int i = 0; i < 200_000; i++) {
      index = index.with("user%08d".formatted(i), slot(i)); // recursion goes as deep as the tree
    }
    assertThat(index.size()).isEqualTo(200_000);
    assertThat(index.find("user00123456")).contains(slot(123_456));
  }
}
