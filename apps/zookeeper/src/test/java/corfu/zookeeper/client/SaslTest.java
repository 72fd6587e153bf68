package corfu.zookeeper.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.zookeeper.subject.Subject;
import corfu.zookeeper.subject.SubjectOptions;
import corfu.zookeeper.subject.Subjects;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.security.auth.login.AppConfigurationEntry;
import javax.security.auth.login.AppConfigurationEntry.LoginModuleControlFlag;
import javax.security.auth.login.Configuration;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.client.ZKClientConfig;
import org.apache.zookeeper.common.X509Util;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.ClientInfo;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestLoginModule;
import org.apache.zookeeper.server.auth.SASLAuthenticationProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that log in by SASL with DIGEST-MD5. */
class SaslTest {

  private static final byte[] DATA = "data".getBytes(UTF_8);
  private static final String PASSWORD = "alice-secret";

  /** Sections of the JAAS configuration of this process, with their passwords of alice. */
  private static final Map<String, String> SECTIONS =
      Map.of("Alice", PASSWORD, "Impostor", "wrong");

  private static Configuration before;

  @TempDir private static Path directory;

  private static final class Sections extends Configuration {
    @Override
    public AppConfigurationEntry @Nullable [] getAppConfigurationEntry(String name) {
      String password = SECTIONS.get(name);
      return password == null
          ? null
          : new AppConfigurationEntry[] {
            new AppConfigurationEntry(
                DigestLoginModule.class.getName(),
                LoginModuleControlFlag.REQUIRED,
                Map.of("username", "alice", "password", password))
          };
    }
  }

  @BeforeAll
  static void configure() throws IOException {
    before = Configuration.getConfiguration();
    Configuration.setConfiguration(new Sections());
    Files.writeString(
        directory.resolve("jaas"),
        "Server { %s required user_alice=\"%s\"; };"
            .formatted(DigestLoginModule.class.getName(), PASSWORD));
  }

  @AfterAll
  static void restore() {
    Configuration.setConfiguration(before);
  }

  private static SubjectOptions options() {
    return SubjectOptions.DEFAULT
        .withProperty("java.security.auth.login.config", directory.resolve("jaas").toString())
        .withProperty("zookeeper.authProvider.sasl", SASLAuthenticationProvider.class.getName())
        .withProperty("zookeeper.fips-mode", "false");
  }

  private static ZKClientConfig config(String section) {
    ZKClientConfig config = new ZKClientConfig();
    config.setProperty(ZKClientConfig.LOGIN_CONTEXT_NAME_KEY, section);
    config.setProperty(X509Util.FIPS_MODE_PROPERTY, "false"); // it would exclude DIGEST-MD5
    return config;
  }

  /** Returns when the client is logged in. */
  private static StockClient login(Subject subject) throws Exception {
    var client = new StockClient(subject.connectString(), config("Alice"));
    client.awaitState(KeeperState.SaslAuthenticated);
    return client;
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void nodesOfASaslIdentityAreForItsClientsOnly(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(options())) {
      try (var alice = login(subject);
          var anonymous = new StockClient(subject)) {
        var acl = new ACL(Perms.ALL, new Id("sasl", "alice"));
        alice
            .zooKeeper()
            .create("/hers", DATA, Collections.singletonList(acl), CreateMode.PERSISTENT);
        alice.zooKeeper().create("/too", DATA, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);

        assertThat(alice.zooKeeper().setData("/hers", DATA, 0).getVersion()).isEqualTo(1);
        assertThat(alice.zooKeeper().whoAmI()).contains(new ClientInfo("sasl", "alice"));
        for (String path : List.of("/hers", "/too")) {
          assertThatThrownBy(() -> anonymous.zooKeeper().getData(path, false, null))
              .isInstanceOf(KeeperException.NoAuthException.class);
          assertThatThrownBy(() -> anonymous.zooKeeper().setData(path, DATA, -1))
              .isInstanceOf(KeeperException.NoAuthException.class);
        }
      }
      subject.restart();
      try (var again = login(subject)) {
        assertThat(again.zooKeeper().getACL("/too", null))
            .containsExactly(new ACL(Perms.ALL, new Id("sasl", "alice")));
        again.zooKeeper().delete("/hers", 1);
      }
    }
  }

  @ParameterizedTest
  @MethodSource("corfu.zookeeper.subject.Subjects#tested")
  void aWrongPasswordGivesNoIdentity(Subjects subjects) throws Exception {
    try (Subject subject = subjects.start(options());
        var alice = login(subject);
        var impostor = new StockClient(subject.connectString(), config("Impostor"))) {
      alice.zooKeeper().create("/hers", DATA, Ids.CREATOR_ALL_ACL, CreateMode.PERSISTENT);
      assertThatThrownBy(() -> impostor.zooKeeper().getData("/hers", false, null))
          .isInstanceOf(KeeperException.class);
    }
  }
}
