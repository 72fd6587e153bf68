package corfu.spec;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A TLA+ module that TLC checks, with the constants of its configuration file, some of them
 * replaced. TLC runs in a JVM of its own, because it exits and keeps state in statics.
 *
 * @param module the module's name; its .tla and .cfg files are in the directory of this project
 * @param constants the replaced constants: names and values as in TLC's configuration files
 * @param search the kind of search
 */
record Model(String module, Map<String, String> constants, Search search) {

  /** The kind of TLC's search. */
  enum Search {
    /** All states, which may take long. */
    EVERYTHING("auto", "-XX:+UseParallelGC", "-XX:TieredStopAtLevel=4"),
    /** A shortest counterexample. One worker finds it, the same one each time, and soon. */
    COUNTEREXAMPLE("1", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1");

    private final String workers;
    private final String collector;
    private final String compiler;

    Search(String workers, String collector, String compiler) {
      this.workers = workers;
      this.collector = collector;
      this.compiler = compiler;
    }
  }

  private static final Path DIRECTORY = Path.of("").toAbsolutePath();
  private static final Path OUTPUT = DIRECTORY.resolve("target").resolve("tlc");

  private static final Pattern DISTINCT =
      Pattern.compile("([\\d,]+) distinct states found, (\\d+) states left on queue\\.");
  private static final Pattern VIOLATED =
      Pattern.compile("(?:Invariant|Action property) (\\w+) is violated");
  private static final Pattern STEP = Pattern.compile("State \\d+: <(\\w+) ");

  static Model of(String module) {
    return new Model(module, Map.of(), Search.EVERYTHING);
  }

  Model with(String constant, Object value) {
    Map<String, String> more = new LinkedHashMap<>(constants);
    more.put(constant, value.toString());
    return new Model(module, more, search);
  }

  Model without(String rule) {
    Model less = with("Without", "{\"" + rule + "\"}");
    return new Model(module, less.constants, Search.COUNTEREXAMPLE);
  }

  /**
   * The result of TLC.
   *
   * @param distinctStates the number of distinct states
   * @param violated the violated invariant, or an empty text
   * @param counterexample the actions that lead to the violation
   * @param log the output of TLC
   */
  record Verdict(long distinctStates, String violated, String counterexample, Path log) {

    private static Verdict read(Path log) throws IOException {
      String text = Files.readString(log);
      Matcher distinct = DISTINCT.matcher(text);
      if (!distinct.find()) {
        throw new IllegalStateException("TLC has not come to an end, its output:\n" + text);
      }
      Matcher violated = VIOLATED.matcher(text);
      StringBuilder steps = new StringBuilder();
      Matcher step = STEP.matcher(text);
      while (step.find()) {
        steps.append(steps.isEmpty() ? "" : " ").append(step.group(1));
      }
      return new Verdict(
          Long.parseLong(distinct.group(1).replace(",", "")),
          violated.find() ? violated.group(1) : "nothing",
          steps.toString(),
          log);
    }
  }

  /**
   * Checks the model completely, or up to the first counterexample.
   *
   * @throws IllegalStateException if TLC cannot read the model, or exceeds the time limit
   */
  Verdict check(String name, Duration limit) {
    try {
      Path directory = OUTPUT.resolve(module + "-" + name.replaceAll("\\W+", "-"));
      Files.createDirectories(directory);
      Path configuration = directory.resolve(module + ".cfg");
      Files.writeString(configuration, configured());
      Path log = directory.resolve("log");
      Process tlc =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  search.collector,
                  search.compiler,
                  "-Djava.io.tmpdir=" + directory, // TLC puts its own modules there
                  "-cp",
                  System.getProperty("java.class.path"),
                  "tlc2.TLC",
                  "-workers",
                  search.workers,
                  "-metadir",
                  directory.resolve("states").toString(),
                  "-config",
                  configuration.toString(),
                  DIRECTORY.resolve(module + ".tla").toString())
              .directory(directory.toFile())
              .redirectErrorStream(true)
              .redirectOutput(log.toFile())
              .start();
      try {
        if (!tlc.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException("TLC needs more than " + limit + ", see " + log);
        }
      } finally {
        tlc.destroyForcibly();
      }
      return Verdict.read(log);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while TLC was running", e);
    }
  }

  private String configured() throws IOException {
    String text = Files.readString(DIRECTORY.resolve(module + ".cfg"));
    for (var constant : constants.entrySet()) {
      Matcher line = Pattern.compile("(?m)^ +" + constant.getKey() + " = .*$").matcher(text);
      if (!line.find()) {
        throw new IllegalStateException(module + ".cfg has no constant " + constant.getKey());
      }
      String replaced = "  " + constant.getKey() + " = " + constant.getValue();
      text = line.replaceFirst(Matcher.quoteReplacement(replaced));
    }
    return text;
  }
}
