package corfu.objects.serial;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** States are compared by digests: so equal ones must have equal ones, and others must not. */
class StateDigestTest {

  enum Colour {
    RED,
    GREEN
  }

  record Pair(String left, Object right) {}

  static class Node {
    private String name = "";
    private List<Node> neighbours = new ArrayList<>();

    private static Node named(String name) {
      Node node = new Node();
      node.name = name;
      return node;
    }
  }

  private static StateDigest digest(@Nullable Object... values) {
    Serializer serializer =
        StandardSerializer.create().knowing(List.of(Colour.class, Pair.class, Node.class));
    Digester digester = serializer.digester().orElseThrow();
    for (Object value : values) {
      ValueOutput out = new ValueOutput();
      serializer.write(new @Nullable Object[] {value}, out);
      digester.add(new ValueInput(out.toBuffer()));
    }
    return digester.digest();
  }

  @Test
  void unorderedCollectionsCountByTheirElementsOnly() {
    Map<String, Integer> grown = new HashMap<>(1024);
    Map<String, Integer> small = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      grown.put("key " + (99 - i), 99 - i);
      small.put("key " + i, i);
    }
    assertThat(List.copyOf(grown.keySet())).isNotEqualTo(List.copyOf(small.keySet()));

    assertThat(digest(grown)).isEqualTo(digest(small));
    assertThat(digest(new HashSet<>(grown.keySet())))
        .isEqualTo(digest(new HashSet<>(small.keySet())));
    small.put("key 7", 8);
    small.put("key 8", 7);
    assertThat(digest(grown)).isNotEqualTo(digest(small));
  }

  @Test
  void theOrderOfOthersIsAPartOfThem() {
    Map<String, Integer> one = new LinkedHashMap<>(Map.of("a", 1));
    one.put("b", 2);
    Map<String, Integer> other = new LinkedHashMap<>(Map.of("b", 2));
    other.put("a", 1);

    assertThat(digest(one)).isNotEqualTo(digest(other));
    assertThat(digest(List.of(1, 2))).isNotEqualTo(digest(List.of(2, 1)));
    assertThat(digest(1, 2)).isNotEqualTo(digest(2, 1));
  }

  @Test
  void eachKindOfValueCounts() {
    List<Object> different =
        Arrays.asList(
            null,
            true,
            false,
            (byte) 1,
            (short) 1,
            1,
            2,
            1L,
            'a',
            1.0,
            1.0f,
            "a",
            "b",
            "a longer text, of more than eight bytes",
            "a longer text, of more than eight bytEs",
            new BigDecimal("1.0"),
            new BigDecimal("1.00"),
            new UUID(1, 2),
            new UUID(2, 1),
            Instant.ofEpochSecond(1, 2),
            Optional.of(1),
            Optional.empty(),
            new int[] {1, 2},
            new int[] {2, 1},
            new byte[] {1, 2},
            new Object[] {1, 2},
            Set.of(1, 2),
            List.of(1, 2),
            Colour.RED,
            Colour.GREEN,
            new Pair("a", 1),
            new Pair("a", 2),
            Node.named("a"),
            Node.named("b"));

    assertThat(different.stream().map(StateDigestTest::digest).map(StateDigest::hash))
        .doesNotHaveDuplicates();
  }

  @Test
  void whatRefersToItselfHasADigestThatIsTheSameAfterReading() {
    Node here = Node.named("here");
    Node there = Node.named("there");
    here.neighbours.add(there);
    there.neighbours.add(here);
    Serializer serializer = StandardSerializer.create().knowing(List.of(Node.class));

    assertThat(digest(serializer.copy(here))).isEqualTo(digest(here));
    assertThat(digest(there)).isNotEqualTo(digest(here));
  }

  @Test
  void classesWithOtherFieldsAreNotCompared() {
    StateDigest now = digest(new Pair("a", 1), Colour.RED);
    Map<Long, Long> shapes = new HashMap<>(now.shapes());
    shapes.replaceAll((type, fields) -> fields + 1);

    assertThat(now.isComparableTo(digest(new Pair("b", Node.named("c"))))).isTrue();
    assertThat(now.isComparableTo(new StateDigest(now.hash(), shapes))).isFalse();
    assertThat(now.isComparableTo(digest("no class at all"))).isTrue();
  }
}
