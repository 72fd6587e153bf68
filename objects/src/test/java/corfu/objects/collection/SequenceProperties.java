package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.internal.Sequence;
import corfu.objects.collection.internal.SequenceList;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

/** A persistent sequence beside a list of the JDK's, large enough for several levels. */
class SequenceProperties {

  @Property(tries = 60)
  void itIsWhatWasDoneToIt(
      @ForAll @IntRange(min = 0, max = 5000) int size,
      @ForAll @IntRange(min = 0, max = 4) int style,
      @ForAll long seed) {
    Random random = new Random(seed);
    List<Integer> model = new ArrayList<>(IntStream.range(0, size).boxed().toList());
    Sequence<Integer> sequence = Sequence.copyOf(model.iterator());
    List<Sequence<Integer>> older = new ArrayList<>();
    List<List<Integer>> olderModels = new ArrayList<>();
    for (int step = 0; step < 2000; step++) {
      boolean grows = model.isEmpty() || random.nextInt(10) < 2 * style + 1;
      int place = placeOf(random, grows ? model.size() + 1 : model.size());
      if (random.nextInt(8) == 0 && !model.isEmpty()) {
        place = Math.min(place, model.size() - 1);
        model.set(place, step);
        sequence = sequence.with(place, step);
      } else if (grows) {
        model.add(place, step);
        sequence = sequence.inserted(place, step);
      } else {
        model.remove(place);
        sequence = sequence.without(place);
      }
      if (step % 500 == 0) {
        older.add(sequence);
        olderModels.add(List.copyOf(model));
      }
    }
    older.add(sequence);
    olderModels.add(model);
    for (int i = 0; i < older.size(); i++) {
      checkSame(older.get(i), olderModels.get(i));
    }
  }

  /** Often at the ends, and often at the same place in the middle. */
  private static int placeOf(Random random, int bound) {
    return switch (random.nextInt(4)) {
      case 0 -> 0;
      case 1 -> bound - 1;
      case 2 -> bound / 2;
      default -> random.nextInt(bound);
    };
  }

  private static void checkSame(Sequence<Integer> sequence, List<Integer> model) {
    SequenceList<Integer> list = new SequenceList<>(sequence);
    assertThat(list).hasSize(model.size()).containsExactlyElementsOf(model);
    assertThat(IntStream.range(0, model.size()).mapToObj(sequence::get).toList()).isEqualTo(model);
    int from = model.size() / 3;
    int to = model.size() / 2;
    assertThat(list.subList(from, to)).isEqualTo(model.subList(from, to));
  }

  @Property(tries = 200)
  void aSearchFindsWhereSomethingBelongs(
      @ForAll @IntRange(min = 0, max = 3000) int size, @ForAll @IntRange(max = 7000) int wanted) {
    Sequence<Integer> even = Sequence.copyOf(IntStream.range(0, size).map(i -> 2 * i).iterator());

    int place = even.search(element -> Integer.compare(element, wanted));

    assertThat(place).isEqualTo(Math.min(size, (wanted + 1) / 2));
  }

  @Example
  void whatIsAddedAtAnEndLeavesFullNodesBehind() {
    Sequence<Integer> back = Sequence.empty();
    Sequence<Integer> forth = Sequence.empty();
    for (int i = 0; i < 40_000; i++) {
      back = back.added(i);
      forth = forth.inserted(0, i);
    }

    assertThat(back.depth()).isEqualTo(4); // 32 * 32 * 32 is less, 32 * 32 * 32 * 32 is more
    assertThat(forth.depth()).isEqualTo(4);
  }

  @Example
  void whatIsLeftOfALargeOneIsSmall() {
    Sequence<Integer> sequence = Sequence.copyOf(IntStream.range(0, 40_000).iterator());
    Random random = new Random(1);
    while (sequence.size() > 32) {
      sequence = sequence.without(random.nextInt(sequence.size()));
    }

    assertThat(sequence.depth()).isLessThanOrEqualTo(2);
  }

  @Example
  void anIndexBeyondItIsRefused() {
    Sequence<Integer> three = Sequence.copyOf(List.of(1, 2, 3).iterator());
    assertThatThrownBy(() -> three.get(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> three.with(-1, 0)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> three.without(3)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> three.inserted(4, 0)).isInstanceOf(IndexOutOfBoundsException.class);
  }
}
