package corfu.proof.cluster;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThatCode;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.Health;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.runtime.ServerReport;
import corfu.transport.ClientOptions;
import corfu.transport.tcp.TcpTransport;
import corfu.world.RealWorld;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * A cluster of real processes that clients use while one fault after another is injected. It must
 * be started inside an {@link Enclosure}, with seconds, a seed and a directory as arguments.
 *
 * <p>At the end everything must work again, and the history is checked. The process ends with
 * status 0 if nothing is wrong.
 */
public final class Campaign {

  private static final int SERVERS = 4;
  private static final int PORT = 9000;
  private static final int CLIENTS = 3;
  private static final int THREADS = 2;
  private static final Duration START = Duration.ofSeconds(60);

  /** The bound on the time from the end of a trial's faults until the cluster is whole again. */
  private static final Duration RECOVERY = Duration.ofSeconds(60);

  /** Allows for a busy machine. */
  private static final long SLACK_MILLIS = 10_000;

  private static final Duration POLL = Duration.ofMillis(100);

  private final RealWorld world = new RealWorld();
  private final RealHistory history = new RealHistory(world);
  private final SplittableRandom chance;
  private final Path home;
  private final Scene scene;
  private final ClusterConfig config;
  private final Map<Trial, Integer> tried = new EnumMap<>(Trial.class);
  private final long began = world.nanoTime();
  private long longestRecoveryMillis;

  private Campaign(long seed, Path home) throws IOException {
    this.chance = new SplittableRandom(seed);
    this.home = home;
    Files.createDirectories(home);
    Files.writeString(home.resolve("corfu.toml"), configuration());
    this.config = ClusterConfig.read(home.resolve("corfu.toml"));
    Network network = new Network(world, SERVERS);
    List<Machine> machines = new ArrayList<>();
    for (int i = 1; i <= SERVERS; i++) {
      machines.add(new Machine(i, network, home));
    }
    this.scene = new Scene(world, machines, network, chance);
  }

  public static void main(String[] arguments) throws Exception {
    Thread.ofPlatform().daemon().start(Campaign::endWithParent);
    long seconds = Long.parseLong(arguments[0]);
    long seed = Long.parseLong(arguments[1]);
    Campaign campaign = new Campaign(seed, Path.of(arguments[2]));
    List<String> found = campaign.run(seconds);
    found.forEach(what -> System.out.println("WRONG: " + what));
    System.out.flush();
    Runtime.getRuntime().halt(found.isEmpty() ? 0 : 1);
  }

  /** Ends this process with its parent, which holds the other end of its input. */
  private static void endWithParent() {
    try {
      while (System.in.read() >= 0) {
        // the input is ignored
      }
    } catch (IOException gone) {
      // the same as the end of the input
    }
    Runtime.getRuntime().halt(2);
  }

  private static String configuration() {
    StringBuilder toml = new StringBuilder();
    toml.append("insecure-listen = \"");
    toml.append("anyone who reaches the port can read, change and destroy everything\"\n");
    toml.append("replicas = 2\ntrust = \"500 ms\"\n\n[log-unit]\nsegment = \"256 KiB\"\n");
    for (int i = 1; i <= SERVERS; i++) {
      boolean votes = i < SERVERS;
      toml.append("\n[[server]]\nname = \"n").append(i).append("\"\nlisten = \"");
      toml.append(Network.address(i)).append(":").append(PORT).append("\"\ndirectory = \"n");
      toml.append(i).append("\"\nroles = [\"sequencer\", \"log-unit\"");
      toml.append(votes ? ", \"layout-server\"]\n" : "]\nspare = true\n");
    }
    return toml.toString();
  }

  private void say(String what) {
    System.out.printf("%7.2f %s%n", world.millisSince(began) / 1_000.0, what);
    System.out.flush();
  }

  // ----------------------------------------------------------------------------------------- run

  private List<String> run(long seconds) {
    scene.startAll();
    bootstrap();
    say("the cluster serves");
    AtomicBoolean over = new AtomicBoolean();
    List<Corfu> clients = new ArrayList<>();
    List<Thread> threads = new ArrayList<>();
    for (int i = 1; i <= CLIENTS; i++) {
      Corfu corfu = connect();
      clients.add(corfu);
      for (int j = 1; j <= THREADS; j++) {
        RealClient client =
            new RealClient(history, world, corfu.log(), "c" + i + "." + j, chance.nextLong());
        threads.add(world.start("client", () -> client.run(over::get)));
      }
    }
    long deadline = world.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
    List<Trial> order = new ArrayList<>();
    boolean isWhole = true;
    while (isWhole && world.nanoTime() < deadline) {
      if (order.isEmpty()) {
        order.addAll(shuffled());
      }
      isWhole = carryOut(order.removeLast());
    }
    over.set(true);
    threads.forEach(Campaign::join);
    say("clients have ended: " + history.counts());
    List<String> found = isWhole ? audit() : unaudited();
    clients.forEach(Corfu::close);
    report();
    return found;
  }

  private List<Trial> shuffled() {
    List<Trial> all = new ArrayList<>(Arrays.asList(Trial.values()));
    for (int i = all.size() - 1; i > 0; i--) {
      all.add(all.remove(chance.nextInt(i + 1)));
    }
    return all;
  }

  private void bootstrap() {
    eventually(
        START, () -> assertThatCode(() -> Bootstrap.bootstrap(config)).doesNotThrowAnyException());
  }

  private Corfu connect() {
    return Corfu.connect(
        CorfuOptions.of(config.endpoints())
            .withOperationTimeout(Duration.ofMillis(Scene.CALL_MILLIS_MAX)));
  }

  private static void join(Thread thread) {
    try {
      thread.join();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Runs one trial from its beginning until the cluster is whole again. Returns whether the cluster
   * became whole in time.
   */
  private boolean carryOut(Trial trial) {
    String whom = trial.begin(scene);
    long millis = trial.millis(chance);
    say(trial + " " + whom + ", for " + millis + " ms");
    world.pause(Duration.ofMillis(millis));
    trial.end(scene);
    tried.merge(trial, 1, Integer::sum);
    long ended = world.nanoTime();
    Optional<String> missing = whatIsMissing();
    while (missing.isPresent() && world.nanoTime() - ended < RECOVERY.toNanos()) {
      replaceWhatIsBroken();
      world.pause(POLL);
      missing = whatIsMissing();
    }
    longestRecoveryMillis = Math.max(longestRecoveryMillis, world.millisSince(ended));
    missing.ifPresent(
        what ->
            history.broken(
                "Progress",
                "%s is over for %d s, but %s".formatted(trial, RECOVERY.toSeconds(), what)));
    return missing.isEmpty();
  }

  /** Returns why the cluster is not whole, or empty if it is. */
  private Optional<String> whatIsMissing() {
    try (Corfu corfu = connect()) {
      List<ServerReport> reports = corfu.servers();
      if (!history.canUse(corfu)) {
        return Optional.of("the log can't be used");
      }
      Layout layout = corfu.layout();
      for (ServerReport report : reports) {
        if (report.status().isEmpty()) {
          return Optional.of(report.endpoint() + " is silent: " + report.problem());
        }
      }
      if (layout.segments().stream().anyMatch(LayoutSegment::hasTarget)) {
        return Optional.of("something is being copied in " + layout.epoch());
      }
      boolean isReplicated =
          layout.segments().stream()
              .flatMap(segment -> segment.log().stream())
              .allMatch(chain -> chain.replicas().size() >= config.replicas());
      return isReplicated
          ? Optional.empty()
          : Optional.of("chains are short: " + layout.segments());
    } catch (CorfuException unavailable) {
      return Optional.of(unavailable.toString());
    }
  }

  /** Replaces the disk of each server that can no longer trust its disk, as an operator would. */
  private void replaceWhatIsBroken() {
    for (Machine machine : scene.machines()) {
      if (!machine.isRunning()) {
        say(machine.name() + " gets another disk; it said: " + machine.lastWords().orElse(""));
        machine.kill();
        machine.replaceDisk();
        machine.start();
      }
    }
    for (Endpoint broken : brokenOnes()) {
      scene.machines().stream()
          .filter(machine -> Network.address(machine.number()).equals(broken.host()))
          .forEach(
              machine -> {
                say(machine.name() + " says that it is broken, and gets another disk");
                machine.kill();
                machine.replaceDisk();
                machine.start();
              });
    }
  }

  private List<Endpoint> brokenOnes() {
    try (Corfu corfu = connect()) {
      return corfu.servers().stream()
          .filter(report -> report.status().map(s -> isBroken(s.health())).orElse(false))
          .map(ServerReport::endpoint)
          .toList();
    } catch (CorfuException notYet) {
      return List.of();
    }
  }

  private static boolean isBroken(Health health) {
    return health.logUnit() == Health.State.BROKEN || health.layoutServer() == Health.State.BROKEN;
  }

  // --------------------------------------------------------------------------------------- audit

  private List<String> audit() {
    long bound = Scene.CALL_MILLIS_MAX + SLACK_MILLIS;
    if (history.longestMillis() > bound) {
      history.broken(
          "Deadlines", "a call took %d ms of %d".formatted(history.longestMillis(), bound));
    }
    try (Corfu corfu =
            Corfu.connect(CorfuOptions.of(config.endpoints()).withOperationTimeout(RECOVERY));
        TcpTransport transport =
            TcpTransport.open(
                world,
                () -> Optional.of(corfu.layout().clusterId()),
                ClientOptions.DEFAULT.withLimits(config.limits()))) {
      return history.audit(corfu, transport);
    }
  }

  private List<String> unaudited() {
    return List.of("the cluster does not recover; see " + home + "/*.log");
  }

  private void report() {
    say("trials: " + tried);
    say(
        "longest recovery %d ms, longest call %d ms"
            .formatted(longestRecoveryMillis, history.longestMillis()));
  }
}
