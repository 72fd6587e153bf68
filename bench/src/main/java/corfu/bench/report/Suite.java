package corfu.bench.report;

import corfu.node.local.JavaCommand;
import corfu.world.World;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Runs benchmarks, each as a command in a process of its own. Keeps a file of JSON lines and a
 * picture of each. If a benchmark fails, its former files stay.
 */
public final class Suite {

  private static final Duration MOST_A_STEP = Duration.ofMinutes(20);

  private final World world;
  private final JavaCommand java;
  private final Path figures;
  private final Consumer<String> news;

  /**
   * @param java starts the {@code corfu} command
   * @param figures the directory of the files
   * @param news receives progress messages for people
   */
  public Suite(World world, JavaCommand java, Path figures, Consumer<String> news) {
    this.world = world;
    this.java = java;
    this.figures = figures;
    this.news = news;
  }

  /**
   * A step without new results.
   *
   * @param why the reason why it did not run to its end
   */
  public record Missing(SuiteStep step, String why) {}

  /**
   * Runs the steps until the time is over.
   *
   * @param limit the time for all steps together; a step that exceeds it is stopped
   * @return the steps without new results
   */
  public List<Missing> run(List<SuiteStep> steps, Duration limit)
      throws IOException, InterruptedException {
    Files.createDirectories(figures);
    long begin = world.nanoTime();
    double loadBefore = load();
    List<Missing> missing = new ArrayList<>();
    for (SuiteStep step : steps) {
      Duration left = limit.minusNanos(world.nanoTime() - begin);
      if (!left.isPositive()) {
        missing.add(new Missing(step, "the time was over"));
        continue;
      }
      news.accept("%s ...".formatted(step.command()));
      long beginStep = world.nanoTime();
      run(step, left.compareTo(MOST_A_STEP) < 0 ? left : MOST_A_STEP, missing);
      news.accept("  %d s".formatted(world.millisSince(beginStep) / 1000));
    }
    Duration took = Duration.ofNanos(world.nanoTime() - begin);
    Files.writeString(figures.resolve("machine.json"), machine(loadBefore, took));
    return missing;
  }

  private void run(SuiteStep step, Duration limit, List<Missing> missing)
      throws IOException, InterruptedException {
    Path out = figures.resolve(step.name() + ".json.new");
    Path err = figures.resolve(step.name() + ".err");
    Path picture = figures.resolve(step.name() + ".svg.new");
    List<String> arguments = new ArrayList<>(List.of("bench"));
    arguments.addAll(step.arguments());
    arguments.add("--json");
    if (step.hasPlot()) {
      arguments.addAll(List.of("--plot", picture.toAbsolutePath().toString()));
    }
    Process process =
        java.with(arguments.toArray(String[]::new))
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    boolean ended = waitFor(process, limit);
    if (!ended) {
      process.destroy(); // it stops its servers
      process.waitFor();
      missing.add(new Missing(step, "it was not done after %d s".formatted(limit.toSeconds())));
    } else if (process.exitValue() != 0) {
      String words = Files.readString(err, StandardCharsets.UTF_8).strip();
      missing.add(new Missing(step, "status %d: %s".formatted(process.exitValue(), words)));
    } else {
      Files.writeString(out, commandOf(step) + Files.readString(out, StandardCharsets.UTF_8));
      keep(out, step.name() + ".json");
      if (Files.exists(picture)) {
        keep(picture, step.name() + ".svg");
      }
    }
    for (Path scratch : List.of(out, err, picture)) {
      Files.deleteIfExists(scratch);
    }
  }

  /** Returns the line of JSON that names the command of the results. */
  private static String commandOf(SuiteStep step) {
    return "{\"benchmark\":\"command\",\"command\":\"%s\"}%n".formatted(step.command());
  }

  /** Waits for the benchmark. If the suite is stopped, so is the benchmark. */
  private static boolean waitFor(Process process, Duration limit) throws InterruptedException {
    Thread stopper = new Thread(process::destroy, "stopper");
    Runtime.getRuntime().addShutdownHook(stopper);
    boolean ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
    Runtime.getRuntime().removeShutdownHook(stopper);
    return ended;
  }

  private void keep(Path fresh, String name) throws IOException {
    Files.move(fresh, figures.resolve(name), StandardCopyOption.REPLACE_EXISTING);
  }

  private String machine(double loadBefore, Duration took) {
    Instant now = Instant.ofEpochMilli(world.wallTimeMillis()).truncatedTo(ChronoUnit.MINUTES);
    return String.format(
        Locale.ROOT,
        "{\"benchmark\":\"machine\",\"cores\":%d,\"system\":\"%s %s\",\"java\":\"%s\","
            + "\"date\":\"%s\",\"loadBefore\":%.2f,\"seconds\":%d}%n",
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.version"),
        Runtime.version(),
        now.atOffset(ZoneOffset.UTC).toLocalDate(),
        loadBefore,
        took.toSeconds());
  }

  /** Returns the average number of threads that wanted a core in the last minute. */
  private static double load() {
    return ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage();
  }
}
