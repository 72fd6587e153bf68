package corfu.proof.load;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.local.FreePorts;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.runtime.CorfuException;
import corfu.world.World;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A shipped server with all roles as a process, and its resource usage as the operating system
 * reports it.
 */
final class ServerUnderLoad implements AutoCloseable {

  private static final Pattern LIVE =
      Pattern.compile("^Total\\s+\\d+\\s+(\\d+)", Pattern.MULTILINE);
  private static final Path JAVA = Path.of(System.getProperty("java.home"), "bin");

  private final Process process;
  private final Endpoint endpoint;

  /**
   * A server's resource usage at a moment.
   *
   * @param descriptors the number of open files and connections
   * @param threads the number of operating system threads
   * @param heapBytes the size of all reachable objects
   * @param residentBytes the process's resident memory
   */
  record Footprint(int descriptors, int threads, long heapBytes, long residentBytes) {}

  /** Starts a server whose memory outside the heap is as small as its heap. */
  ServerUnderLoad(World world, Path home) throws IOException {
    this(world, home, 112);
  }

  /**
   * @param directMebibytes the maximum memory outside the heap
   */
  ServerUnderLoad(World world, Path home, int directMebibytes) throws IOException {
    this.endpoint = new Endpoint("127.0.0.1", FreePorts.consecutive(1, world.random()));
    Path config = home.resolve("corfu.toml");
    Files.writeString(
        config,
        """
        replicas = 1
        [log-unit]
        segment = "1 MiB"
        [[server]]
        name = "n1"
        listen = "%s"
        directory = "n1"
        roles = ["sequencer", "layout-server", "log-unit"]
        """
            .formatted(endpoint));
    ProcessBuilder builder =
        new ProcessBuilder(
            JAVA.resolve("java").toString(),
            "-Xms112m",
            "-Xmx112m",
            "-XX:+AlwaysPreTouch", // so that resident memory only changes outside the heap
            "-XX:MaxDirectMemorySize=" + directMebibytes + "m",
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "corfu.cli.Main",
            "server",
            "--config",
            config.toString());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectErrorStream(true).redirectOutput(home.resolve("n1.log").toFile());
    this.process = builder.start();
    ClusterConfig cluster = ClusterConfig.read(config);
    eventually(Duration.ofSeconds(90), () -> assertThat(serves(cluster)).isTrue());
  }

  private static boolean serves(ClusterConfig cluster) {
    try {
      Layout unused = Bootstrap.bootstrap(cluster);
      return true;
    } catch (CorfuException notYet) {
      return false;
    }
  }

  Endpoint endpoint() {
    return endpoint;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  Footprint footprint() {
    return new Footprint(descriptors(), threads(), heapBytes(), residentBytes());
  }

  int descriptors() {
    try (Stream<Path> files = Files.list(proc("fd"))) {
      return (int) files.count();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private int threads() {
    return (int) status("Threads");
  }

  private long residentBytes() {
    return status("VmRSS") << 10;
  }

  private long status(String what) {
    try {
      return Files.readAllLines(proc("status")).stream()
          .filter(line -> line.startsWith(what + ":"))
          .map(line -> line.replaceAll("[^0-9]", ""))
          .mapToLong(Long::parseLong)
          .findFirst()
          .orElseThrow();
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private Path proc(String file) {
    return Path.of("/proc", Long.toString(process.pid()), file);
  }

  /** Returns the heap usage after a full garbage collection. */
  private long heapBytes() {
    List<String> command =
        List.of(
            JAVA.resolve("jcmd").toString(), Long.toString(process.pid()), "GC.class_histogram");
    try {
      Process jcmd = new ProcessBuilder(command).redirectErrorStream(true).start();
      String said = new String(jcmd.getInputStream().readAllBytes(), UTF_8);
      Matcher total = LIVE.matcher(said);
      if (!total.find()) {
        throw new IllegalStateException("jcmd said: " + said);
      }
      return Long.parseLong(total.group(1));
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
