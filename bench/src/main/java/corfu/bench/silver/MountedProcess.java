package corfu.bench.silver;

import corfu.bench.harness.TetheredMain;
import corfu.fuse.mount.FuseMount;
import corfu.fuse.mount.MountException;
import corfu.node.local.JavaCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Stream;

/** A process that serves one mount. It ends with this process. */
final class MountedProcess implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final long PAUSE_MILLIS = 5;

  private final Process process;
  private final Path directory;

  private MountedProcess(Process process, Path directory) {
    this.process = process;
    this.directory = directory;
  }

  /**
   * Starts a process, and waits until its mount is usable.
   *
   * @param main the main class
   * @param directory the mount point, which the arguments name; it is created
   */
  static MountedProcess start(JavaCommand java, String main, Path directory, String... arguments)
      throws IOException, InterruptedException {
    Files.createDirectories(directory);
    Path log = directory.resolveSibling(directory.getFileName() + ".log");
    String[] all = Stream.concat(Stream.of(main), Stream.of(arguments)).toArray(String[]::new);
    var builder = java.withMainClass(TetheredMain.class.getName()).with(all);
    builder
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
    var mounted = new MountedProcess(builder.start(), directory);
    mounted.await(log);
    return mounted;
  }

  private void await(Path log) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    while (!isMounted()) {
      if (!process.isAlive() || System.nanoTime() - begin > START.toNanos()) {
        process.destroyForcibly();
        throw new IOException(
            "%s was not mounted: %s"
                .formatted(directory, Files.readString(log, StandardCharsets.UTF_8)));
      }
      Thread.sleep(PAUSE_MILLIS);
    }
  }

  private boolean isMounted() throws IOException {
    return Files.readString(Path.of("/proc/self/mountinfo")).contains(" " + directory + " ");
  }

  Path directory() {
    return directory;
  }

  long pid() {
    return process.pid();
  }

  /** Unmounts, and waits for the end of the process. */
  @Override
  public void close() {
    try {
      FuseMount.unmount(directory, true);
    } catch (MountException gone) {
      process.destroyForcibly();
    }
    try {
      if (!process.waitFor(START)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      process.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }
}
