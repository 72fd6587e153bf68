package corfu.bench.harness;

import corfu.access.Grant;
import corfu.access.Subject;
import corfu.access.gate.TrustedIdentities;
import corfu.node.ClusterConfig;
import corfu.node.Supervision;
import corfu.node.local.JavaCommand;
import corfu.node.local.LocalCluster;
import corfu.node.local.LocalServer;
import corfu.node.local.TemporaryDirectory;
import corfu.objects.host.HostOptions;
import corfu.pki.CertificateAuthority;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.Permission;
import corfu.roles.logunit.options.ScrubRate;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.access.AccessControl;
import corfu.transport.ClientOptions;
import corfu.transport.Transport;
import corfu.transport.tcp.TcpTransport;
import corfu.transport.tls.TlsMode;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Real server processes in a temporary directory, and a client. {@link #close} stops them and
 * deletes the directory. So does a signal that stops this process.
 */
public final class BenchCluster implements AutoCloseable {

  private static final Duration START = Duration.ofSeconds(60);
  private static final Duration STOP = Duration.ofSeconds(30);
  private static final Path PKI = Path.of("cluster", "pki");

  /** The identity of the cluster's own client. */
  public static final Identity ADMINISTRATOR = new Identity("spiffe://local/admin/admin");

  private static final TrustedIdentities TRUSTED =
      new TrustedIdentities(
          List.of(Subject.parse("spiffe://local/server/*")),
          List.of(new Subject.Exact(ADMINISTRATOR)));

  private final RealWorld world;
  private final TemporaryDirectory directory;
  private final LocalCluster cluster;
  private volatile List<ProcessHandle> servers;
  private final Corfu corfu;
  private final Thread cleaner;

  private BenchCluster(
      RealWorld world,
      TemporaryDirectory directory,
      LocalCluster cluster,
      List<ProcessHandle> servers,
      Corfu corfu,
      Thread cleaner) {
    this.world = world;
    this.directory = directory;
    this.cluster = cluster;
    this.servers = servers;
    this.corfu = corfu;
    this.cleaner = cleaner;
  }

  public static BenchCluster start(JavaCommand java, BenchSettings settings) {
    return start(java, Shape.of(settings.nodes(), settings.replicas(), settings.mode()));
  }

  public static BenchCluster start(JavaCommand java, Shape shape) {
    var world = new RealWorld();
    var directory = TemporaryDirectory.create("corfu-bench-");
    var cluster = LocalCluster.at(directory.path().resolve("cluster"), world);
    var cleaner = new Thread(() -> remove(cluster, directory), "cleaner");
    Runtime.getRuntime().addShutdownHook(cleaner);
    create(cluster, shape);
    issue(directory.path().resolve(PKI), shape.tenants(), world);
    var servers = processes(cluster.start(java, START));
    var corfu = Corfu.connect(cluster.clientOptions());
    return new BenchCluster(world, directory, cluster, servers, corfu, cleaner);
  }

  /**
   * The servers of the cluster.
   *
   * @param spares the number of nodes whose log units are spares
   * @param streamReplicas the copies of each entry in each of its streams, on nodes of their own
   * @param views the settings of the host on each node; if empty, no node hosts views
   * @param scrub the rate at which log units look for damage
   * @param tls whether connections are encrypted, by mutual TLS
   * @param tenants the names of clients with certificates of their own; if there are any, the
   *     servers enforce permissions
   */
  public record Shape(
      int nodes,
      int spares,
      int replicas,
      int streamReplicas,
      UnitMode mode,
      Supervision supervision,
      Optional<HostOptions> views,
      ScrubRate scrub,
      boolean tls,
      List<String> tenants) {

    public Shape {
      tenants = List.copyOf(tenants);
    }

    public Shape(
        int nodes,
        int spares,
        int replicas,
        int streamReplicas,
        UnitMode mode,
        Supervision supervision) {
      this(
          nodes,
          spares,
          replicas,
          streamReplicas,
          mode,
          supervision,
          Optional.empty(),
          ScrubRate.DEFAULT,
          false,
          List.of());
    }

    public Shape(int nodes, int spares, int replicas, UnitMode mode, Supervision supervision) {
      this(nodes, spares, replicas, 0, mode, supervision);
    }

    /** Returns the same shape with a host of views on every node. */
    public Shape withViews(HostOptions how) {
      return new Shape(
          nodes,
          spares,
          replicas,
          streamReplicas,
          mode,
          supervision,
          Optional.of(how),
          scrub,
          tls,
          tenants);
    }

    /** Returns the same shape with this supervision. */
    public Shape with(Supervision how) {
      return new Shape(
          nodes, spares, replicas, streamReplicas, mode, how, views, scrub, tls, tenants);
    }

    /** Returns the same shape with this rate of scrubbing. */
    public Shape with(ScrubRate rate) {
      return new Shape(
          nodes, spares, replicas, streamReplicas, mode, supervision, views, rate, tls, tenants);
    }

    /** Returns the same shape with mutual TLS. */
    public Shape withTls() {
      return new Shape(
          nodes, spares, replicas, streamReplicas, mode, supervision, views, scrub, true, tenants);
    }

    /** Returns the same shape with mutual TLS, permissions, and these clients. */
    public Shape withTenants(List<String> names) {
      return new Shape(
          nodes, spares, replicas, streamReplicas, mode, supervision, views, scrub, true, names);
    }

    public static Shape of(int nodes, int replicas, UnitMode mode) {
      return new Shape(nodes, 0, replicas, mode, Supervision.DEFAULT);
    }
  }

  private static void create(LocalCluster cluster, Shape shape) {
    var config =
        cluster.create(
            shape.nodes(), shape.spares(), shape.replicas(), shape.streamReplicas(), shape.mode());
    var supervised = config.withSupervision(shape.supervision()).withScrub(shape.scrub());
    var whole = shape.views().map(supervised::withViews).orElse(supervised);
    write(cluster, whole);
    if (shape.tls()) {
      var secured = cluster.secure(TlsMode.REQUIRED);
      if (!shape.tenants().isEmpty()) {
        write(cluster, secured.withAccess(TRUSTED));
      }
    }
  }

  private static void write(LocalCluster cluster, ClusterConfig config) {
    try {
      Files.writeString(cluster.configFile(), config.toToml());
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + cluster.configFile(), e);
    }
  }

  /** Issues the certificates of tenants. */
  private static void issue(Path pki, List<String> tenants, RealWorld world) {
    if (!tenants.isEmpty()) {
      CertificateAuthority authority = CertificateAuthority.open(pki, world);
      tenants.forEach(authority::issueClient);
    }
  }

  private static void remove(LocalCluster cluster, TemporaryDirectory directory) {
    if (cluster.exists()) {
      cluster.stop(STOP);
    }
    directory.close();
  }

  public Corfu corfu() {
    return corfu;
  }

  /** Returns another client. The caller closes it. */
  public Corfu connect() {
    return Corfu.connect(cluster.clientOptions());
  }

  /** Returns the identity of a tenant. */
  public static Identity identityOf(String tenant) {
    return new Identity("spiffe://local/client/" + tenant);
  }

  /** Returns a client of a tenant. The caller closes it. */
  public Corfu connectAs(String tenant) {
    Path pki = directory.path().resolve(PKI);
    Path file = pki.resolve("certificates").resolve(tenant + ".pem");
    TlsOptions tls = TlsOptions.mutual(file, file, pki.resolve("ca.pem"));
    return Corfu.connect(cluster.clientOptions().withTls(tls));
  }

  /** Grants a permission to a tenant. Returns when all servers enforce the grant. */
  public void grant(String tenant, Permission permission) {
    AccessControl control = AccessControl.over(corfu, ADMINISTRATOR);
    var unused = control.grant(Grant.of(new Subject.Exact(identityOf(tenant)), permission));
    if (!control.awaitEnforced(START).isEmpty()) {
      throw new IllegalStateException("the servers have not heard of a grant within " + START);
    }
  }

  /**
   * Kills a server's process.
   *
   * @return the time of the kill, by {@link System#nanoTime}
   */
  public long kill(Endpoint server) {
    LocalServer victim =
        cluster.servers().stream()
            .filter(each -> each.endpoint().equals(server))
            .findFirst()
            .orElseThrow();
    long now = System.nanoTime();
    victim.process().ifPresent(ProcessHandle::destroyForcibly);
    cluster.kill(victim.name(), STOP);
    return now;
  }

  /** Suspends the servers' processes, as if their machines stood still, until {@link #goOn}. */
  public void standStill() {
    signal("-STOP");
  }

  public void goOn() {
    signal("-CONT");
  }

  private void signal(String which) {
    for (ProcessHandle server : servers) {
      try {
        new ProcessBuilder("kill", which, Long.toString(server.pid())).start().waitFor();
      } catch (IOException e) {
        throw new UncheckedIOException("cannot signal server process " + server.pid(), e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException("interrupted while a server was signalled", e);
      }
    }
  }

  /**
   * Starts the servers that do not run.
   *
   * @return their processor time until the cluster was seen to serve
   */
  public Duration restart(JavaCommand java) {
    servers = processes(cluster.start(java, START));
    return cpu();
  }

  private static List<ProcessHandle> processes(List<LocalServer> servers) {
    return servers.stream().map(LocalServer::process).flatMap(Optional::stream).toList();
  }

  public RealWorld world() {
    return world;
  }

  /** Opens a transport to the servers of a cluster without TLS, below the log. */
  public Transport openTransport() {
    return TcpTransport.open(world, Optional::empty, ClientOptions.DEFAULT);
  }

  /** Returns a directory on the disk of the servers. */
  public Path directory() {
    return directory.path();
  }

  public List<Endpoint> endpoints() {
    return cluster.endpoints();
  }

  /** Returns the processor time of all servers so far. */
  public Duration cpu() {
    return cpuOfEach().stream().reduce(Duration.ZERO, Duration::plus);
  }

  /** Returns the processor time of each server so far. */
  public List<Duration> cpuOfEach() {
    return servers.stream().map(LimitComparison::cpuOf).toList();
  }

  /** Returns the resident memory of all servers in bytes, or 0 if the system does not report it. */
  public long residentBytes() {
    return servers.stream().mapToLong(BenchCluster::residentBytes).sum();
  }

  private static long residentBytes(ProcessHandle server) {
    try (var lines = Files.lines(Path.of("/proc", Long.toString(server.pid()), "status"))) {
      return lines
          .filter(line -> line.startsWith("VmRSS:"))
          .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")) << 10)
          .findFirst()
          .orElse(0);
    } catch (IOException | UncheckedIOException notThere) {
      return 0;
    }
  }

  @Override
  public void close() {
    corfu.close();
    remove(cluster, directory);
    world.close();
    Runtime.getRuntime().removeShutdownHook(cleaner);
  }
}
