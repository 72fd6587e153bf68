package corfu.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FormattingTest {

  @Test
  void everySourceIsFormatted() throws IOException {
    var sources = Sources.ofThisRepository();
    var unformatted =
        Formatting.check(sources)
            .filter(outcome -> outcome.kind() != Formatting.Kind.AS_IT_SHOULD_BE)
            .map(outcome -> sources.nameOf(outcome.file()))
            .toList();

    assertThat(unformatted).as("not formatted; run ./corfu format").isEmpty();
  }
}
