package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.sim.Linearizability.Answer;
import corfu.sim.Linearizability.Event;
import java.util.ArrayList;
import java.util.List;
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
    write("lost", 2, Operation.NEVER);
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
}
