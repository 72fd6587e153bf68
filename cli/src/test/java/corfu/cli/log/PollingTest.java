package corfu.cli.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.cli.output.CommandOutput;
import corfu.cli.output.Terminal;
import corfu.runtime.UnavailableException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;

class PollingTest {

  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final Terminal terminal =
      new Terminal(new ByteArrayInputStream(new byte[0]), out, err, () -> false);
  private final CommandOutput output = new CommandOutput(out);

  private static final BooleanSupplier AWAY =
      () -> {
        throw new UnavailableException("nobody there");
      };

  private void look(BooleanSupplier... looks) throws InterruptedException {
    Deque<BooleanSupplier> left = new ArrayDeque<>(List.of(looks));
    new Polling(terminal, output).until(left::isEmpty, () -> left.removeFirst().getAsBoolean());
  }

  @Test
  void itGoesOnWhenServersWereAwayAndSaysSoOnceATime() throws InterruptedException {
    look(() -> true, AWAY, AWAY, () -> false, AWAY, () -> true);

    assertThat(err.toString(StandardCharsets.UTF_8).lines())
        .hasSize(2)
        .allMatch(line -> line.equals("corfu: nobody there; still trying"));
  }

  @Test
  void whatIsNewShowsAtOnce() throws InterruptedException {
    look(
        () -> {
          output.line("news");
          return true;
        },
        () -> {
          assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("news\n");
          return true;
        });
  }

  @Test
  void whatCannotPassEndsIt() {
    assertThatThrownBy(
            () ->
                look(
                    () -> {
                      throw new IllegalStateException("broken");
                    }))
        .hasMessage("broken");
  }
}
