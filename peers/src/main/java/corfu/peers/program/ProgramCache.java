package corfu.peers.program;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Gets other systems' programs with the usual tools: jars with Maven, Go programs with Go, and
 * packages with the distribution's own tool. Packages need the user's consent. A cache keeps the
 * results.
 *
 * @param home the checkout with {@code peers/drivers}, or empty without one
 * @param cache the directory that keeps programs between runs
 * @param mayInstall whether the user allows the installation of packages on this machine
 */
public record ProgramCache(Optional<Path> home, Path cache, boolean mayInstall) {

  private static final Duration PATIENCE = Duration.ofMinutes(10);

  /** The file that marks a directory as complete, and records what it was made from. */
  private static final String STAMP = "made-from";

  /**
   * Returns the driver's directory in the checkout, which has the peer's dependencies and its load.
   *
   * @param peer the name of the directory
   * @throws AbsentException if there is no checkout
   */
  public Path driver(String peer) throws AbsentException {
    Path root =
        home.orElseThrow(
            () -> new AbsentException("its driver is in a checkout only: run ./corfu there"));
    return root.resolve("peers/drivers").resolve(peer);
  }

  /**
   * Returns a directory with the jars that the driver's POM names.
   *
   * @param peer the name of the driver's directory
   * @throws AbsentException if there is no checkout, or Maven cannot get the jars
   */
  public Path jars(String peer) throws AbsentException {
    Path pom = driver(peer).resolve("pom.xml");
    return make(
        peer,
        read(pom),
        directory ->
            run(
                "Maven could not get its jars",
                directory,
                Map.of(),
                maven(),
                "-B",
                "-ntp",
                "-f",
                pom.toString(),
                "dependency:copy-dependencies",
                "-DincludeScope=runtime",
                "-DoutputDirectory=" + directory));
  }

  private String maven() throws AbsentException {
    Optional<Path> own = home.map(root -> root.resolve("mvnw")).filter(Files::isExecutable);
    return find("mvn")
        .or(() -> own)
        .orElseThrow(() -> new AbsentException("it needs Maven: put mvn on the PATH"))
        .toString();
  }

  /**
   * Returns a directory of classes compiled from these sources.
   *
   * @param name the name of the directory in the cache
   * @param sources the texts of the sources by the names of their files
   * @throws AbsentException if they cannot be compiled
   */
  public Path compiled(String name, Map<String, String> sources) throws AbsentException {
    return make(
        name,
        new TreeMap<>(sources).toString(),
        directory -> {
          List<String> command = new ArrayList<>();
          command.add(Path.of(System.getProperty("java.home"), "bin", "javac").toString());
          command.addAll(List.of("-d", directory.toString()));
          for (Map.Entry<String, String> each : sources.entrySet()) {
            Path file = directory.resolve(each.getKey());
            write(file, each.getValue());
            command.add(file.toString());
          }
          run(
              "javac could not compile a part of it",
              directory,
              Map.of(),
              command.toArray(String[]::new));
        });
  }

  /**
   * Returns an executable that Go builds and installs.
   *
   * @param peer the name of the system
   * @param module the Go module and its version, as in {@code go install}
   * @param executable the name of the executable
   * @throws AbsentException if Go is missing, or cannot build it
   */
  public Path goInstall(String peer, String module, String executable) throws AbsentException {
    String go = go();
    return make(
            peer + "-server",
            module,
            directory ->
                run(
                    "Go could not build it",
                    directory,
                    Map.of("GOBIN", directory.toString()),
                    go,
                    "install",
                    module))
        .resolve(executable);
  }

  /**
   * Returns an executable that Go builds from the sources beside the driver.
   *
   * @param peer the name of the driver's directory
   * @param executable the name of the executable
   * @throws AbsentException if there is no checkout, or Go is missing or cannot build it
   */
  public Path goBuild(String peer, String executable) throws AbsentException {
    String go = go();
    Path module = driver(peer).resolve("go.mod");
    Path main = driver(peer).resolve("main.go");
    return make(
            peer + "-server",
            read(module) + read(main),
            directory -> {
              // Go writes its findings about modules beside the sources, so it gets a copy of them.
              write(directory.resolve("go.mod"), read(module));
              write(directory.resolve("main.go"), read(main));
              run(
                  "Go could not build it",
                  directory,
                  Map.of(),
                  go,
                  "build",
                  "-mod=mod",
                  "-o",
                  executable,
                  ".");
            })
        .resolve(executable);
  }

  private String go() throws AbsentException {
    return find("go")
        .orElseThrow(() -> new AbsentException("it is built by Go: put go on the PATH"))
        .toString();
  }

  /**
   * Returns a program of the distribution, which is installed first if it is missing and the user
   * allows that.
   *
   * @param executable the name of the executable
   * @param debianPackage the package that has it
   * @throws AbsentException if it is missing, and is not or cannot be installed
   */
  public Path packaged(String executable, String debianPackage) throws AbsentException {
    if (find(executable).isEmpty() && mayInstall && find("apt-get").isPresent()) {
      run(
          debianPackage + " could not be installed",
          cache,
          Map.of("DEBIAN_FRONTEND", "noninteractive"),
          "apt-get",
          "install",
          "-y",
          "--no-install-recommends",
          debianPackage);
    }
    return find(executable)
        .orElseThrow(
            () ->
                new AbsentException(
                    "%s is not on the PATH: install it (Debian: apt-get install %s), or let"
                            .formatted(executable, debianPackage)
                        + " --install do that"));
  }

  private static Optional<Path> find(String executable) {
    return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
        .filter(directory -> !directory.isEmpty())
        .map(directory -> Path.of(directory, executable))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /** Fills a directory. */
  private interface Making {
    void into(Path directory) throws AbsentException;
  }

  private Path make(String name, String from, Making making) throws AbsentException {
    Path directory = cache.resolve(name);
    Path stamp = directory.resolve(STAMP);
    if (Files.exists(stamp) && read(stamp).equals(from)) {
      return directory;
    }
    try {
      if (Files.exists(directory)) {
        try (Stream<Path> old = Files.list(directory)) {
          for (Path file : old.filter(Files::isRegularFile).toList()) {
            Files.delete(file);
          }
        }
      }
      Files.createDirectories(directory);
    } catch (IOException e) {
      throw new AbsentException("cannot prepare the directory " + directory, e);
    }
    making.into(directory);
    write(stamp, from);
    return directory;
  }

  private static void run(
      String failure, Path directory, Map<String, String> environment, String... command)
      throws AbsentException {
    Path log = directory.resolve("making.log");
    try {
      Files.createDirectories(directory);
      var builder = new ProcessBuilder(command).directory(directory.toFile());
      builder.environment().putAll(environment);
      builder.redirectErrorStream(true).redirectOutput(log.toFile());
      builder.redirectInput(new File("/dev/null"));
      Process process = builder.start();
      try {
        if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
          throw new AbsentException("%s within %s".formatted(failure, PATIENCE));
        }
      } finally {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
      }
      if (process.exitValue() != 0) {
        throw new AbsentException("%s: %s".formatted(failure, reason(read(log))));
      }
    } catch (IOException e) {
      throw new AbsentException("%s: %s".formatted(failure, e.getMessage()), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbsentException(failure + ": interrupted", e);
    }
  }

  /** Returns the first line with an error, or else the last line. */
  private static String reason(String log) {
    var lines = log.lines().filter(line -> !line.isBlank()).toList();
    return lines.stream()
        .filter(line -> line.contains("ERROR") || line.startsWith("E:"))
        .findFirst()
        .orElse(lines.isEmpty() ? "it says nothing" : lines.getLast());
  }

  private static String read(Path file) throws AbsentException {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new AbsentException("cannot read " + file, e);
    }
  }

  private static void write(Path file, String text) throws AbsentException {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new AbsentException("cannot write " + file, e);
    }
  }
}
