package corfu.nbd.testing;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The clients of other projects that this machine has. A test that needs a missing one is skipped,
 * with the reason. With {@code CORFU_TEST_NBD=required} in the environment it fails instead.
 */
public final class NbdTools {

  private static final long DEADLINE_SECONDS = 100;

  private NbdTools() {}

  /** Skips or fails the calling test if a program is missing. */
  public static void require(String... programs) {
    List<String> missing = Arrays.stream(programs).filter(name -> !isInstalled(name)).toList();
    requireNone(
        missing,
        "is not installed; packages: libnbd-bin, qemu-utils, qemu-system-x86, fio, gnutls-bin");
  }

  /** Returns a Python with the module {@code nbd}, or skips or fails the calling test. */
  public static String requirePython() throws IOException, InterruptedException {
    for (String python : List.of("python3", "/usr/bin/python3")) {
      boolean exists = python.startsWith("/") ? Files.exists(Path.of(python)) : isInstalled(python);
      if (exists && run(python, "-c", "import nbd").status() == 0) {
        return python;
      }
    }
    requireNone(List.of("the Python module nbd"), "is not installed; package python3-libnbd");
    return "python3";
  }

  private static void requireNone(List<String> missing, String what) {
    String text = missing + " " + what;
    if ("required".equals(System.getenv("CORFU_TEST_NBD"))) {
      assertThat(missing).as(text).isEmpty();
    } else {
      assumeTrue(missing.isEmpty(), text);
    }
  }

  private static boolean isInstalled(String name) {
    return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
        .anyMatch(path -> Files.isExecutable(Path.of(path, name)));
  }

  /**
   * The end of a program.
   *
   * @param status its exit status
   * @param output what it has written, errors included
   */
  public record Run(int status, String output) {}

  /** Runs a program to its end. */
  public static Run run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("nbd-tool", ".txt");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start();
      if (!process.waitFor(DEADLINE_SECONDS, TimeUnit.SECONDS)) {
        process.destroyForcibly().waitFor();
        throw new AssertionError(
            String.join(" ", command) + " does not end: " + Files.readString(output));
      }
      byte[] written = Files.readAllBytes(output);
      return new Run(process.exitValue(), new String(written, UTF_8));
    } finally {
      Files.delete(output);
    }
  }

  /** Runs a program that has to succeed, and returns its output. */
  public static String succeed(String... command) throws IOException, InterruptedException {
    Run run = run(command);
    assertThat(run.status()).as("%s: %s", String.join(" ", command), run.output()).isZero();
    return run.output();
  }
}
