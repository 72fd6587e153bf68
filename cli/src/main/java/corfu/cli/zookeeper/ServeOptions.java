package corfu.cli.zookeeper;

import corfu.cli.argument.InsecureListenOption;
import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.smr.Follow;
import corfu.zookeeper.ListenOptions;
import corfu.zookeeper.SessionOptions;
import corfu.zookeeper.ZooKeeperOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options of a translation server. */
final class ServeOptions {

  private static final int LARGEST_PORT = 65_535;

  @Mixin private final NamespaceOption namespace = new NamespaceOption();

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "2181",
      description =
          "Port of the clients, 0 to 65535; 0 means any free one (default: ${DEFAULT-VALUE}).")
  private int port = 2181;

  @Option(
      names = "--address",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description =
          "Address to listen on, a name or an IP address; 0.0.0.0 means all (default:"
              + " ${DEFAULT-VALUE}).")
  private String address = "127.0.0.1";

  @Option(
      names = "--advertise",
      paramLabel = "HOST",
      description =
          "Host name that the config node lists (default: --address, or this machine's name if the"
              + " server listens on all addresses).")
  private Optional<String> advertise = Optional.empty();

  @Option(
      names = "--poll",
      paramLabel = "TIME|push",
      defaultValue = "1ms",
      description =
          "Longest time between two looks for other servers' commands, such as 1ms, or push: the"
              + " log sends them. Writes and sync are not affected (default: ${DEFAULT-VALUE}).")
  private Follow poll = Follow.poll(Duration.ofMillis(1));

  @Option(
      names = "--linearizable-reads",
      description = "Let every read see all writes that were acknowledged before it.")
  private boolean linearizableReads;

  @Option(
      names = "--read-only",
      description =
          "Serve reads of clients that allow it while the log is out of reach (read-only mode).")
  private boolean readOnly;

  @Option(
      names = "--local-sessions",
      description =
          "Begin sessions without an entry in the log. The first change of a session writes one.")
  private boolean localSessions;

  @Option(
      names = "--tick",
      paramLabel = "MS",
      defaultValue = "2000",
      description =
          "Length of a tick in milliseconds, 10 or more. Sessions have timeouts of 2 to 20 ticks"
              + " (default: ${DEFAULT-VALUE}).")
  private int tickMillis = 2000;

  @Option(
      names = "--min-session-timeout",
      paramLabel = "MS",
      defaultValue = "-1",
      description = "Shortest session timeout in milliseconds (default: 2 ticks).")
  private int minSessionTimeoutMillis = -1;

  @Option(
      names = "--max-session-timeout",
      paramLabel = "MS",
      defaultValue = "-1",
      description = "Longest session timeout in milliseconds (default: 20 ticks).")
  private int maxSessionTimeoutMillis = -1;

  @Option(
      names = "--max-connections",
      paramLabel = "N",
      defaultValue = "60",
      description =
          "Largest number of connections of one client address; 0 means no limit (default:"
              + " ${DEFAULT-VALUE}).")
  private int maxConnections = 60;

  @Option(
      names = "--checkpoint-every",
      paramLabel = "N",
      defaultValue = "100000",
      description =
          "Number of requests between two checkpoints; 0 means none (default: ${DEFAULT-VALUE}).")
  private int checkpointEvery = 100_000;

  @Option(
      names = "--keep-checkpoints",
      paramLabel = "N",
      defaultValue = "3",
      description =
          "Number of checkpoints that remain; older history is deleted. 0 keeps everything"
              + " (default: ${DEFAULT-VALUE}).")
  private int keepCheckpoints = 3;

  @Option(
      names = "--secure-port",
      paramLabel = "PORT",
      description =
          "Further port, with TLS, 0 to 65535. ZooKeeper's system properties, such as"
              + " zookeeper.ssl.keyStore.location, configure it (default: no such port).")
  private Optional<Integer> securePort = Optional.empty();

  @Option(
      names = "--secure-address",
      paramLabel = "HOST",
      description =
          "Address of --secure-port, if it is another one: clients of this machine may connect"
              + " without TLS, and those of others with it (default: --address).")
  private Optional<String> secureAddress = Optional.empty();

  @Option(
      names = "--admin-port",
      paramLabel = "PORT",
      description = "Port of ZooKeeper's AdminServer, 1 to 65535 (default: no AdminServer).")
  private Optional<Integer> adminPort = Optional.empty();

  @Mixin private final InsecureListenOption insecureListen = new InsecureListenOption();

  String namespace() {
    return namespace.value();
  }

  /**
   * Returns the options of the server.
   *
   * @throws CommandException if an option is out of its bounds
   */
  ZooKeeperOptions service() {
    InetSocketAddress clients = listen("--port", address, port, 0);
    insecureListen.check(address, "give --secure-port PORT and --secure-address HOST");
    if (secureAddress.isPresent() && securePort.isEmpty()) {
      throw usage("--secure-address needs --secure-port PORT");
    }
    adminPort.ifPresent(number -> listen("--admin-port", address, number, 1));
    var ports =
        new ListenOptions(
            clients,
            securePort.map(
                number -> listen("--secure-port", secureAddress.orElse(address), number, 0)),
            adminPort.map(OptionalInt::of).orElse(OptionalInt.empty()),
            advertised(clients),
            maxConnections);
    try {
      return ZooKeeperOptions.DEFAULT
          .withNamespace(namespace())
          .withListen(ports)
          .withSessions(
              new SessionOptions(
                  tickMillis, minSessionTimeoutMillis, maxSessionTimeoutMillis, localSessions))
          .withLinearizableReads(linearizableReads)
          .withReadOnlyMode(readOnly)
          .withReplica(
              ZooKeeperOptions.DEFAULT
                  .replica()
                  .withFollow(poll)
                  .withCheckpointEvery(checkpointEvery)
                  .withKeepCheckpoints(keepCheckpoints));
    } catch (IllegalArgumentException wrong) {
      throw usage(String.valueOf(wrong.getMessage()));
    }
  }

  private static InetSocketAddress listen(String option, String host, int number, int smallest) {
    if (number < smallest || number > LARGEST_PORT) {
      throw usage(
          "%s is a number from %d to %d, but not %d"
              .formatted(option, smallest, LARGEST_PORT, number));
    }
    InetSocketAddress listen = new InetSocketAddress(host, number);
    if (listen.isUnresolved()) {
      throw usage("there is no address " + host);
    }
    return listen;
  }

  private String advertised(InetSocketAddress clients) {
    return advertise.orElseGet(
        () -> clients.getAddress().isAnyLocalAddress() ? machineName() : address);
  }

  private static String machineName() {
    try {
      return InetAddress.getLocalHost().getHostName();
    } catch (UnknownHostException nameless) {
      return InetAddress.getLoopbackAddress().getHostAddress();
    }
  }

  private static CommandException usage(String message) {
    return new CommandException(ExitCode.USAGE, message);
  }
}
