package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.collection.internal.StableHash;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The hash that arranges keys is the same in every process. */
class StableHashTest {

  /** An enum, whose {@code hashCode} differs between processes. */
  enum Colour {
    RED,
    BLUE
  }

  record Point(int x, Colour colour) {}

  /** Names can be equal although their components differ. */
  record Name(String text) {
    @Override
    public boolean equals(Object other) {
      return other instanceof Name name && name.text.equalsIgnoreCase(text);
    }

    @Override
    public int hashCode() {
      return Objects.hash(text.toLowerCase(Locale.ROOT));
    }
  }

  static Object[][] keys() {
    return new Object[][] {
      {Colour.RED, 1_284_134_565},
      {List.of(Colour.RED, 1), -1_605_647_574},
      {Set.of(Colour.BLUE, Colour.RED), 1_383_912_441},
      {Map.of(Colour.RED, "a", Colour.BLUE, "b"), -1_288_247_359},
      {Optional.of(Colour.RED), 1_708_629_741},
      {new Point(1, Colour.BLUE), 1_077_316_170},
    };
  }

  @ParameterizedTest
  @MethodSource("keys")
  void itIsTheSameInEveryProcess(Object key, int hash) {
    assertThat(StableHash.of(key)).isEqualTo(hash);
  }

  @Test
  void equalKeysHaveEqualOnes() {
    List<Integer> numbers = List.of(3, 1, 2);
    assertThat(StableHash.of(new ArrayList<>(numbers))).isEqualTo(StableHash.of(numbers));
    assertThat(StableHash.of(new LinkedHashSet<>(numbers)))
        .isEqualTo(StableHash.of(new HashSet<>(numbers)))
        .isNotEqualTo(StableHash.of(numbers));
    assertThat(StableHash.of(new TreeMap<>(Map.of(1, 2, 3, 4))))
        .isEqualTo(StableHash.of(Map.of(3, 4, 1, 2)));
    assertThat(StableHash.of(new Name("Ann"))).isEqualTo(StableHash.of(new Name("ANN")));
  }

  @Test
  void differentKeysDifferAsARule() {
    assertThat(
            IntStream.range(0, 1000).mapToObj(i -> StableHash.of(new Name("name " + i))).distinct())
        .hasSizeGreaterThan(990);
    assertThat(
            IntStream.range(0, 1000)
                .mapToObj(i -> StableHash.of(List.of(i, Colour.RED)))
                .distinct())
        .hasSizeGreaterThan(990);
  }
}
