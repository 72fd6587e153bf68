package corfu.proof.fuzz;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random bytes for every decoder. The build makes a short run with a fixed seed.
 *
 * <p>{@code -Dfuzz.minutes=N} asks for a long run of N minutes for each target, {@code
 * -Dfuzz.targets=frame,segment} for some targets only. {@code -Dfuzz.keep=true} stores inputs that
 * cover something new.
 */
class FuzzTest {

  private static final int SHORT_RUN = 20_000;
  private static final int CHARACTERS_TOLD = 4_000;
  private static final int MOST_BYTES = 4_096;

  @Test
  void nothingIsFound(@TempDir Path directory) throws Exception {
    String minutes = System.getProperty("fuzz.minutes", "");
    if (minutes.isEmpty()) {
      runShortly(directory);
    } else {
      runLong(Double.parseDouble(minutes));
    }
  }

  private static void runShortly(Path directory) throws Exception {
    Fuzzer fuzzer = new Fuzzer(directory);
    for (int i = 0; i < Targets.ALL.size(); i++) {
      List<byte[]> inputs = new ArrayList<>();
      for (Corpus.Input input : Corpus.of(Targets.ALL.get(i))) {
        inputs.add(Bytes.behind(i, input.bytes()));
      }
      Corpus.spread(inputs, fuzzer.corpus());
    }

    Fuzzer.Run run =
        fuzzer.run(
            "", Duration.ofMinutes(5), "-seed=1", "-runs=" + SHORT_RUN, "-max_len=" + MOST_BYTES);

    assertNothingFound("all targets", run);
    assertThat(run.inputs()).isGreaterThanOrEqualTo(SHORT_RUN);
  }

  private static void runLong(double minutes) throws Exception {
    String wanted = System.getProperty("fuzz.targets", "");
    long inputs = 0;
    for (FuzzTarget target : Targets.ALL) {
      if (wanted.isEmpty() || List.of(wanted.split(",")).contains(target.name())) {
        inputs += longRun(target, Math.round(minutes * 60));
      }
    }
    assertThat(inputs).isPositive();
  }

  private static long longRun(FuzzTarget target, long seconds) throws Exception {
    Path directory = Checkout.root().resolve("proof/target/fuzz").resolve(target.name());
    Files.createDirectories(directory);
    Fuzzer fuzzer = new Fuzzer(directory);
    Corpus.spread(Corpus.of(target).stream().map(Corpus.Input::bytes).toList(), fuzzer.corpus());
    Fuzzer.Run run =
        fuzzer.run(
            target.name(),
            Duration.ofSeconds(2 * seconds + 120),
            "-max_total_time=" + seconds,
            "-max_len=" + MOST_BYTES);
    System.out.printf(
        Locale.ROOT, "%s: %,d inputs in %d s%n", target.name(), run.inputs(), seconds);
    assertNothingFound(target.name(), run);
    if (Boolean.getBoolean("fuzz.keep")) {
      keep(target, fuzzer, directory);
    }
    return run.inputs();
  }

  private static void keep(FuzzTarget target, Fuzzer fuzzer, Path directory)
      throws IOException, InterruptedException {
    Path merged = directory.resolve("merged");
    Files.createDirectories(merged);
    Fuzzer.Run run =
        fuzzer.run(target.name(), Duration.ofMinutes(10), "-merge=1", merged.toString());
    assertThat(run.status()).as(run.output()).isZero();
    Corpus.keep(target, merged);
  }

  private static void assertNothingFound(String what, Fuzzer.Run run) {
    String output = run.output();
    int exception = output.indexOf("== Java Exception");
    int from = exception >= 0 ? exception : Math.max(0, output.length() - CHARACTERS_TOLD);
    String end = output.substring(from, Math.min(output.length(), from + CHARACTERS_TOLD));
    assertThat(run.found())
        .as("%s: a file is an input to keep in findings/. %s", what, end)
        .isEmpty();
    assertThat(run.status()).as("%s: %s", what, end).isZero();
  }
}
