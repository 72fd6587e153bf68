package corfu.bench.silver;

import corfu.bench.harness.BenchCluster;
import corfu.fuse.Result;
import corfu.node.local.JavaCommand;
import corfu.protocol.Endpoint;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A log of three servers in memory with three copies of each entry, a client of it, and the mounts
 * of a benchmark.
 */
final class SilverGround implements AutoCloseable {

  private static final int SERVERS = 3;

  private final JavaCommand java;
  private final BenchCluster log;

  private SilverGround(JavaCommand java, BenchCluster log) {
    this.java = java;
    this.log = log;
  }

  static SilverGround start(JavaCommand java) {
    // A unit in memory holds a quarter of the heap, and each file that was overwritten stays.
    List<String> flags =
        Stream.concat(java.flags().stream(), Stream.of("-XX:MaxRAMPercentage=50")).toList();
    var ofServers = new JavaCommand(java.executable(), flags, java.classPath(), java.mainClass());
    return new SilverGround(
        java,
        BenchCluster.start(ofServers, BenchCluster.Shape.of(SERVERS, SERVERS, UnitMode.MEMORY)));
  }

  BenchCluster log() {
    return log;
  }

  Path directory() {
    return log.directory();
  }

  /** Returns the local directory that the pass-through mount shows. */
  Path local() {
    return directory().resolve("local");
  }

  /** Returns another client of the log. The caller closes it. */
  Corfu connect() {
    return log.connect();
  }

  /** Creates a file system, and leaves it to others. */
  void create(String name) {
    try (Corfu corfu = connect();
        Silver silver = Silver.over(corfu)) {
      SilverFileSystem unused = done(silver.create(name, silver.caller(0, 0)));
    }
  }

  /** Mounts a file system in a process of its own, as {@code silver mount} does. */
  MountedProcess mount(String name, String... more) throws IOException, InterruptedException {
    String servers =
        log.endpoints().stream().map(Endpoint::toString).collect(Collectors.joining(","));
    Path directory = directory().resolve("silver-" + name.replace('@', '-'));
    String[] fixed = {
      "silver", "mount", name, directory.toString(), "--servers", servers, "--foreground"
    };
    String[] all = Stream.concat(Stream.of(fixed), Stream.of(more)).toArray(String[]::new);
    return MountedProcess.start(java, java.mainClass(), directory, all);
  }

  /** Mounts a local directory in a process of its own. */
  MountedProcess passThrough() throws IOException, InterruptedException {
    Path source = Files.createDirectories(local());
    Path directory = directory().resolve("pass-through");
    return MountedProcess.start(
        java, PassThroughMain.class.getName(), directory, source.toString(), directory.toString());
  }

  /** Returns the value of an operation that must succeed. */
  static <T> T done(Result<T> result) {
    return switch (result) {
      case Result.Success<T>(T value) -> value;
      case Result.Failure<T>(var errno) ->
          throw new IllegalStateException("an operation of the benchmark failed: " + errno);
    };
  }

  @Override
  public void close() {
    log.close();
  }
}
