package corfu.bench.silver;

import corfu.bench.harness.PartResult;
import corfu.bench.harness.PartResult.Value;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** {@code git clone} into a mount beside the same into a local directory, in turns. */
final class GitClones {

  private static final String NAME = "git";
  private static final int FILES_OF_A_DIRECTORY = 50;
  private static final int MOST_LINES = 60;
  private static final long LIMIT_MINUTES = 20;
  private static final double NANOS_A_SECOND = 1e9;

  private final SilverSettings settings;
  private final SilverGround ground;
  private final Consumer<PartResult> results;

  GitClones(SilverSettings settings, SilverGround ground, Consumer<PartResult> results) {
    this.settings = settings;
    this.ground = ground;
    this.results = results;
  }

  void measure() throws Exception {
    Path repository = repository();
    ground.create(NAME);
    Path local = Files.createDirectories(ground.directory().resolve("clones"));
    try (MountedProcess mount = ground.mount(NAME)) {
      int rounds = settings.rounds();
      double[] ours = new double[rounds];
      double[] theirs = new double[rounds];
      for (int i = -1; i < rounds; i++) { // the first turn is a warm-up
        double mine = seconds(repository, mount.directory().resolve("clone" + i));
        double its = seconds(repository, local.resolve("clone" + i));
        if (i >= 0) {
          ours[i] = mine;
          theirs[i] = its;
        }
      }
      Arrays.sort(ours);
      Arrays.sort(theirs);
      double mine = ours[rounds / 2];
      double its = theirs[rounds / 2];
      results.accept(
          new PartResult.Values(
              "git",
              "git clone of %,d files".formatted(settings.repositoryFiles()),
              List.of(
                  new Value("silverSeconds", mine),
                  new Value("localSeconds", its),
                  new Value("timesLocal", mine / its))));
    }
  }

  private Path repository() throws IOException, InterruptedException {
    Path repository = Files.createDirectories(ground.directory().resolve("repository"));
    RandomGenerator random = ground.log().world().random();
    for (int i = 0; i < settings.repositoryFiles(); i++) {
      Path directory = repository.resolve("d" + i / FILES_OF_A_DIRECTORY);
      if (i % FILES_OF_A_DIRECTORY == 0) {
        Files.createDirectories(directory);
      }
      var text = new StringBuilder();
      for (int line = random.nextInt(1, MOST_LINES); line > 0; line--) {
        text.append("line ").append(random.nextLong()).append('\n');
      }
      Path unused = Files.writeString(directory.resolve("f" + i), text, StandardCharsets.US_ASCII);
    }
    git(repository, "init", "--quiet");
    git(repository, "add", ".");
    git(
        repository,
        "-c",
        "user.name=corfu",
        "-c",
        "user.email=corfu@localhost",
        "commit",
        "--quiet",
        "--message",
        "files");
    return repository;
  }

  private double seconds(Path repository, Path target) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    git(
        ground.directory(),
        "clone",
        "--quiet",
        "--no-local",
        repository.toString(),
        target.toString());
    return (System.nanoTime() - begin) / NANOS_A_SECOND;
  }

  private static void git(Path directory, String... arguments)
      throws IOException, InterruptedException {
    String[] command = Stream.concat(Stream.of("git"), Stream.of(arguments)).toArray(String[]::new);
    Process git =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(directory.resolveSibling("git.log").toFile())
            .start();
    if (!git.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || git.exitValue() != 0) {
      git.destroyForcibly();
      throw new IllegalStateException(
          "git %s failed: %s"
              .formatted(arguments[0], Files.readString(directory.resolveSibling("git.log"))));
    }
  }
}
