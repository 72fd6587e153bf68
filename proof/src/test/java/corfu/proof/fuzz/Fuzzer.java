package corfu.proof.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Runs Jazzer in its own process: libFuzzer's search, guided by the coverage of Corfu's code. */
final class Fuzzer {

  private static final Pattern DONE = Pattern.compile("Done (\\d+) (?:runs )?in (\\d+) second");

  /** Longer than any input here takes, even on a busy machine. */
  private static final int TIMEOUT_SECONDS = 120;

  private final Path directory;

  /**
   * @param directory the fuzzer's working directory; files in it are used
   */
  Fuzzer(Path directory) {
    this.directory = directory;
  }

  /**
   * The result of a run.
   *
   * @param output the process's output
   * @param found files with inputs for which a property does not hold
   */
  record Run(int status, long inputs, String output, List<Path> found) {}

  /** Returns the directory of inputs, where inputs that cover something new are stored. */
  Path corpus() {
    return directory.resolve("corpus");
  }

  /**
   * Searches. Findings of earlier runs are deleted.
   *
   * @param target the name of a target, or empty for all in turn
   * @param patience the bound on the whole run
   * @param flags flags of libFuzzer
   */
  Run run(String target, Duration patience, String... flags)
      throws IOException, InterruptedException {
    Path artifacts = directory.resolve("artifacts");
    Files.createDirectories(artifacts);
    for (Path earlier : findingsIn(artifacts)) {
      Files.delete(earlier);
    }
    Files.createDirectories(corpus());
    Path log = directory.resolve("log");
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(
        List.of(
            "-Xmx1g",
            "-XX:+UseSerialGC",
            "-XX:-OmitStackTraceInFastThrow",
            "-XX:+EnableDynamicAgentLoading",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow",
            "-Dlogback.configurationFile=silent-logback.xml",
            "-D" + FuzzEntry.TARGET + "=" + target,
            "com.code_intelligence.jazzer.Jazzer",
            "--target_class=" + FuzzEntry.class.getName(),
            "--instrumentation_includes=corfu.**",
            "--instrumentation_excludes=corfu.proof.**",
            "--custom_hook_includes=corfu.**",
            "--reproducer_path=" + artifacts,
            "-artifact_prefix=" + artifacts + "/",
            "-timeout=" + TIMEOUT_SECONDS,
            "-rss_limit_mb=0"));
    command.addAll(List.of(flags));
    command.add(corpus().toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.directory(directory.toFile());
    builder.redirectErrorStream(true).redirectOutput(log.toFile());
    Process process = builder.start();
    boolean isOver = process.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
    process.destroyForcibly().waitFor();
    String output = Files.readString(log, java.nio.charset.StandardCharsets.ISO_8859_1);
    List<Path> found = findingsIn(artifacts);
    int status = isOver ? process.exitValue() : -1;
    return new Run(status, inputsIn(output), output, found);
  }

  private static List<Path> findingsIn(Path artifacts) throws IOException {
    try (var files = Files.list(artifacts)) {
      return files.filter(Fuzzer::isFinding).sorted().toList();
    }
  }

  /** Returns whether the file is a finding. Slow inputs on a busy machine are none. */
  private static boolean isFinding(Path file) {
    return file.getFileName().toString().matches("(crash|timeout|oom)-.*");
  }

  private static long inputsIn(String output) {
    Matcher done = DONE.matcher(output);
    return done.find() ? Long.parseLong(done.group(1)) : 0;
  }
}
