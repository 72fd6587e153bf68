package corfu.sim.linearizability;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.linearizability.Linearizability.Event;
import corfu.sim.linearizability.OrderSearch.Answer;
import corfu.sim.linearizability.OrderSearch.Step;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

class LinearizabilityTest {

  private final List<Event> history = new ArrayList<>();

  @Test
  void aReadReturnsWhatWasWrittenLast() {
    write("a", 0, 1);
    read("a", 2, 3);

    assertThat(answer()).isEqualTo(Answer.YES);
  }

  @Test
  void aReadThatMissesAWriteWhichHadReturnedIsWrong() {
    write("a", 0, 1);
    write("b", 2, 3);
    read("a", 4, 5);

    assertThat(answer()).isEqualTo(Answer.NO);
  }

  @Test
  void whatOverlapsMayComeInAnyOrder() {
    write("a", 0, 10);
    write("b", 1, 9);
    read("a", 2, 3);
    read("b", 4, 5);

    assertThat(answer()).isEqualTo(Answer.YES);
  }

  @Test
  void butInTheSameOrderForAll() {
    write("a", 0, 10);
    write("b", 1, 9);
    read("a", 2, 3);
    read("b", 4, 5);
    read("a", 6, 7);

    assertThat(answer()).isEqualTo(Answer.NO);
  }

  @Test
  void aWriteWithoutAnswerMayHaveHappenedLaterOrNever() {
    write("a", 0, 1);
    write("lost", 2, Linearizability.NEVER);
    read("a", 3, 4);
    read("lost", 5, 6);

    assertThat(answer()).isEqualTo(Answer.YES);
    read("a", 7, 8);
    assertThat(answer()).isEqualTo(Answer.NO);
  }

  @Test
  void nobodyReadsWhatNobodyWrote() {
    write("a", 0, 1);
    read("b", 2, 3);

    assertThat(answer()).isEqualTo(Answer.NO);
  }

  @Test
  void nothingIsReadOnlyBeforeTheFirstWriteHasReturned() {
    read(Linearizability.NOTHING, 0, 1);
    write("a", 2, 5);
    read(Linearizability.NOTHING, 3, 4);
    assertThat(answer()).isEqualTo(Answer.YES);

    read(Linearizability.NOTHING, 6, 7);
    assertThat(answer()).isEqualTo(Answer.NO);
  }

  private Answer answer() {
    return Linearizability.of(history);
  }

  private void write(String value, long invoked, long returned) {
    history.add(Event.write(value, invoked, returned));
  }

  private void read(String value, long invoked, long returned) {
    history.add(Event.read(value, invoked, returned));
  }

  @Test
  void aQueueGivesAnElementOnceAndInOrder() {
    Step<List<String>> both = step(0, 1, queue -> queue.isEmpty(), List.of("a", "b"));
    Step<List<String>> first = step(2, 5, queue -> queue.equals(List.of("a", "b")), List.of("b"));
    Step<List<String>> second = step(3, 4, queue -> queue.equals(List.of("b")), List.of());
    Step<List<String>> none = step(6, 7, List::isEmpty, List.of());

    assertThat(OrderSearch.of(List.of(), List.of(both, second, first, none))).isEqualTo(Answer.YES);
    assertThat(OrderSearch.of(List.of(), List.of(both, first, first))).isEqualTo(Answer.NO);
    assertThat(OrderSearch.of(List.of(), List.of(both, second))).isEqualTo(Answer.NO);
    assertThat(OrderSearch.of(List.of(), List.of(both, first, none))).isEqualTo(Answer.NO);
  }

  private static Step<List<String>> step(
      long invoked, long returned, Predicate<List<String>> fits, List<String> left) {
    return new Step<>(
        queue -> fits.test(queue) ? Optional.of(left) : Optional.empty(), invoked, returned);
  }
}
