package corfu.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicContainer;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** No stored input fails any more. */
class CorpusTest {

  @TestFactory
  Stream<DynamicContainer> everyInputThatIsKeptIsHarmless() {
    return Targets.ALL.stream()
        .map(
            target ->
                DynamicContainer.dynamicContainer(
                    target.name(),
                    Stream.of(
                        DynamicTest.dynamicTest(
                            "kept inputs", () -> Corpus.of(target).forEach(i -> run(target, i))))));
  }

  private static void run(FuzzTarget target, Corpus.Input input) {
    assertThatCode(() -> Bounds.run(target, input.bytes()))
        .as("%s, input %s", target.name(), input)
        .doesNotThrowAnyException();
  }

  @Test
  void targetsHaveNamesOfTheirOwnAndSeeds() {
    assertThat(Targets.ALL).extracting(FuzzTarget::name).doesNotHaveDuplicates();
    assertThat(Targets.ALL).allSatisfy(target -> assertThat(target.seeds()).isNotEmpty());
  }
}
