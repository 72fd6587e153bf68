package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.local.FreePorts;
import corfu.node.security.ClusterSecurity;
import corfu.node.security.LoopbackAuthority;
import corfu.objects.RemoteObjects;
import corfu.objects.ReplicatedObjects;
import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.host.HostOptions;
import corfu.objects.host.HostTypes;
import corfu.objects.host.ViewHost;
import corfu.objects.remote.RemoteOptions;
import corfu.objects.remote.RemoteOptions.Fallback;
import corfu.roles.logunit.options.UnitMode;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.transport.tls.TlsOptions;
import corfu.world.RealWorld;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whole servers that play objects for clients: over TCP, and when one of them dies. */
@Timeout(180)
class HostedViewsTest {

  private static final HostOptions HOST =
      HostOptions.DEFAULT.withTypes(
          HostTypes.COLLECTIONS.allowing(List.of(HostedViewsTest.class.getName() + "$*")));

  /** No view of the client's own stands in, so that it is the host that answers. */
  private static final RemoteOptions HOSTS_ONLY =
      RemoteOptions.DEFAULT.withFallback(Fallback.NONE).withPatience(Duration.ofSeconds(30));

  static class Account {
    private long balance;

    @Mutator
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor
    public long withdraw(long amount) {
      balance -= amount;
      return balance;
    }

    @Accessor
    public long balance() {
      return balance;
    }
  }

  @Test
  void overTcpIsNoDifference(@TempDir Path home) {
    ClusterConfig config;
    try (RealWorld world = new RealWorld()) {
      int port = FreePorts.consecutive(1, world.random());
      config = ClusterConfig.local(home, port, 1, 1, UnitMode.BUFFERED).withViews(HOST);
    }
    useAnAccount(config, TlsOptions.OFF);
  }

  @Test
  void overTlsIsNoDifference(@TempDir Path home) {
    try (RealWorld world = new RealWorld()) {
      int port = FreePorts.consecutive(1, world.random());
      ClusterSecurity security =
          LoopbackAuthority.prepare(home.resolve("pki"), List.of("n1"), world);
      ClusterConfig config =
          ClusterConfig.local(home, port, 1, 1, UnitMode.BUFFERED)
              .withViews(HOST)
              .withSecurity(security);
      useAnAccount(config, LoopbackAuthority.client(security));
    }
  }

  private static void useAnAccount(ClusterConfig config, TlsOptions tls) {
    try (Node node = Node.start(config, "n1")) {
      CorfuOptions options = CorfuOptions.of(List.of(node.endpoint())).withTls(tls);
      var unused = Bootstrap.bootstrap(config);
      try (Corfu corfu = Corfu.connect(options)) {
        Account account =
            ReplicatedObjects.over(corfu).remote(HOSTS_ONLY).open("alice", Account.class);
        account.deposit(5);
        assertThat(account.withdraw(2)).isEqualTo(3);
        assertThat(account.balance()).isEqualTo(3);
      }
    }
  }

  @Test
  void readingFallsBackWhenHostsDieAndComesBackWithThem() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().nodes(3).replicas(3).views(HOST).start()) {
      ReplicatedObjects objects = ReplicatedObjects.over(cluster.connect());
      RemoteObjects remote =
          objects.remote(RemoteOptions.DEFAULT.withPatience(HOSTS_ONLY.patience()));
      Account account = remote.open("alice", Account.class);
      account.deposit(1);
      assertThat(account.balance()).isEqualTo(1);
      String host = hostOf(cluster);

      cluster.kill(host);
      account.deposit(1);
      assertThat(account.balance()).isEqualTo(2);
      assertThat(account.withdraw(1)).isEqualTo(1);
      cluster.restart(host);
      account.deposit(5);
      assertThat(account.balance()).isEqualTo(6);
    }
  }

  /** Returns the server that plays an object. */
  private static String hostOf(EmbeddedCluster cluster) {
    return List.of("n1", "n2", "n3").stream()
        .filter(name -> cluster.hosted(name).map(ViewHost.Standing::objects).orElse(0) > 0)
        .findFirst()
        .orElseThrow();
  }
}
