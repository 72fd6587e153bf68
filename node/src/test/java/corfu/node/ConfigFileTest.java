package corfu.node;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Identity;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Wanted;
import corfu.roles.logunit.options.UnitMode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigFileTest {

  private static final String SERVER =
      """
      [[server]]
      name = "n1"
      listen = "127.0.0.1:9001"
      directory = "data"
      roles = ["layout-server", "log-unit"]
      """;

  @TempDir private Path home;

  private ClusterConfig read(String toml) {
    Path file = home.resolve("corfu.toml");
    try {
      Files.writeString(file, toml);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
    return ClusterConfig.read(file);
  }

  @Test
  void aSmallFileIsEnough() {
    ClusterConfig config = read("replicas = 1\n" + SERVER);

    assertThat(config.replicas()).isEqualTo(1);
    assertThat(config.mode()).isEqualTo(UnitMode.DURABLE);
    assertThat(config.server("n1").listen()).isEqualTo(new Endpoint("127.0.0.1", 9001));
    assertThat(config.server("n1").directory()).isEqualTo(home.resolve("data").toAbsolutePath());
    assertThat(config.server("n1").roles())
        .containsExactlyInAnyOrder(RoleKind.LAYOUT_SERVER, RoleKind.LOG_UNIT);
  }

  @Test
  void sizesAreReadAsPeopleWriteThem() {
    ClusterConfig config =
        read(
            "replicas = 1\n"
                + "[log-unit]\n"
                + "mode = \"buffered\"\n"
                + "capacity = \"10 GiB\"\n"
                + "segment = \"1MiB\"\n"
                + "max-entry = 4096\n"
                + "max-streams = 500\n"
                + SERVER);

    assertThat(config.mode()).isEqualTo(UnitMode.BUFFERED);
    assertThat(config.capacityBytes()).isEqualTo(10L << 30);
    assertThat(config.logFileBytes()).isEqualTo(1 << 20);
    assertThat(config.limits().maxPayloadBytes()).isEqualTo(4096);
    assertThat(config.limits().maxStreamsPerEntry()).isEqualTo(500);
  }

  @Test
  void serversLookAfterEachOtherUnlessToldOtherwise() {
    assertThat(read("replicas = 1\n" + SERVER).supervision()).isEqualTo(Supervision.DEFAULT);
    assertThat(
            read("replicas = 1\n"
                    + "leases = false\n"
                    + "lease = \"1 s\"\n"
                    + "agent = false\n"
                    + "suspicion = \"2s\"\n"
                    + "trust = \"1 min\"\n"
                    + SERVER)
                .supervision())
        .isEqualTo(
            new Supervision(
                false, Duration.ofSeconds(1), false, Duration.ofSeconds(2), Duration.ofMinutes(1)));
  }

  @Test
  void sparesAreWantedOnlyWhenAnotherUnitFails() {
    ClusterConfig config = ClusterConfig.local(home, 9001, 4, 2, UnitMode.DURABLE).withSpares(1);

    Layout layout = config.initialLayout(new ClusterId(new UUID(1, 2)));
    assertThat(layout.wanted()).isEqualTo(new Wanted(3, 2));
    assertThat(layout.spares()).containsExactly(config.server("n4").listen());
    assertThat(layout.sequencers()).containsExactlyElementsOf(config.endpoints());
  }

  @Test
  void everyLayoutServerAndLogUnitStandsByAsSequencerBehindThoseWithTheRole() {
    ClusterConfig config =
        read(
            """
            replicas = 1

            [[server]]
            name = "a"
            listen = "127.0.0.1:9001"
            directory = "a"
            roles = ["layout-server"]

            [[server]]
            name = "b"
            listen = "127.0.0.1:9002"
            directory = "b"
            roles = ["log-unit"]

            [[server]]
            name = "c"
            listen = "127.0.0.1:9003"
            directory = "c"
            roles = ["sequencer"]

            [[server]]
            name = "d"
            listen = "127.0.0.1:9004"
            directory = "d"
            roles = ["log-unit"]
            spare = true

            [[server]]
            name = "e"
            listen = "127.0.0.1:9005"
            directory = "e"
            roles = ["views"]
            """);

    assertThat(config.initialLayout(new ClusterId(new UUID(1, 2))).sequencers())
        .extracting(Endpoint::port)
        .containsExactly(9003, 9001, 9002, 9004);
    assertThat(read(config.toToml())).isEqualTo(config);
  }

  @Test
  void aServerWithoutRolesHasAllButViews() {
    ClusterConfig config =
        read("replicas = 1\n" + SERVER.replace("roles = [\"layout-server\", \"log-unit\"]", ""));

    assertThat(config.server("n1").roles())
        .containsExactlyInAnyOrder(RoleKind.SEQUENCER, RoleKind.LAYOUT_SERVER, RoleKind.LOG_UNIT);
  }

  @Test
  void streamReplicasAreOnLogUnitsOfTheirOwn() {
    ClusterConfig config =
        ClusterConfig.local(home.toAbsolutePath(), 9001, 4, 2, UnitMode.DURABLE)
            .withSpares(1)
            .withStreamReplicas(1);

    assertThat(read(config.toToml())).isEqualTo(config);
    Layout layout = config.initialLayout(new ClusterId(new UUID(1, 2)));
    assertThat(layout.wanted()).isEqualTo(new Wanted(3, 2, 1));
    assertThat(layout.openSegment().stream())
        .containsExactly(new Chain(List.of(config.server("n3").listen())));
  }

  @Test
  void hostsOfViewsAreToldWhatTheyMayHold() {
    ClusterConfig config =
        read(
            "replicas = 1\n"
                + "[views]\n"
                + "memory = \"1 MiB\"\n"
                + "objects = 7\n"
                + "classes = [\"bank.*\"]\n"
                + SERVER);

    assertThat(config.views().bytesMax()).isEqualTo(1 << 20);
    assertThat(config.views().objectsMax()).isEqualTo(7);
    assertThat(config.views().types().allowed()).containsExactly("bank.*");
    assertThat(read(config.toToml())).isEqualTo(config);
    assertThatThrownBy(() -> read("replicas = 1\n[views]\njars = [\"no.jar\"]\n" + SERVER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no.jar");
    assertThatThrownBy(() -> read("replicas = 1\n[views]\nobjects = 0\n" + SERVER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("objects");
  }

  @Test
  void whatIsWrittenIsReadBack() {
    ClusterConfig config =
        ClusterConfig.local(home.toAbsolutePath(), 9001, 3, 2, UnitMode.BUFFERED)
            .withSpares(1)
            .withSupervision(Supervision.DEFAULT.withLeases(false).withAgent(false));

    assertThat(read(config.toToml())).isEqualTo(config);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          replica = 1                                     | unknown key 'replica'
          replicas = 2                                    | replicas = 2 needs as many servers
          replicas = "two"                                | say how many copies
          replicas = 1 \\n stream-replicas = 1            | stream-replicas = 1 needs as many
          replicas = 1 \\n stream-replicas = "one"        | say how many copies streams shall
          replicas = 1 \\n [log-unit] \\n mod = "memory"    | unknown key 'mod' in [log-unit]
          replicas = 1 \\n [log-unit] \\n mode = "fast"     | none of durable, buffered, memory
          replicas = 1 \\n [log-unit] \\n capacity = "much" | capacity = "much" is no size
          replicas = 1 \\n [log-unit] \\n segment = "1 GiB" | segment is from
          replicas = 1 \\n [log-unit] \\n capacity = "1 MiB"| less than four segment files
          replicas = 1 \\n [log-unit] \\n max-entry = "2 GiB" | max-entry is from
          replicas = 1 \\n [log-unit] \\n max-streams = 0     | max-streams is a number from 1 to 2046
          replicas = 1 \\n [log-unit] \\n max-streams = "a"   | max-streams is a number from 1 to 2046
          replicas = 1 \\n leases = "no"                    | leases is true or false
          replicas = 1 \\n lease = "soon"                   | lease = "soon" is no span of time
          replicas = 1 \\n lease = "1 ms"                   | lease is from
          replicas = 1 \\n suspicion = "150 ms"             | from two signs of life, which is 200 ms
          replicas = 1 \\n trust = "2000 min"               | trust is up to
          """)
  void whatIsWrongIsRefusedWithTheReason(String head, String reason) {
    assertThatThrownBy(() -> read(head.replace("\\n", "\n") + "\n" + SERVER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("corfu.toml")
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          roles = ["layout-server", "log-unit"] | roles = ["logunit"]  | none of the roles
          roles = ["layout-server", "log-unit"] | roles = []           | give it roles
          roles = ["layout-server", "log-unit"] | roles = ["log-unit"] | no server has the role
          listen = "127.0.0.1:9001"             | listen = "127.0.0.1" | host:port
          listen = "127.0.0.1:9001"             | port = 9001          | unknown key 'port'
          name = "n1"                           | name = ""            | needs name
          name = "n1"                           | name = "n1" \\n spare = 1 | spare is true or false
          roles = ["layout-server", "log-unit"] | roles = ["layout-server"] \\n spare = true | without the role
          roles = ["layout-server", "log-unit"] | roles = ["layout-server", "log-unit"] \\n spare = true | no spares
          """)
  void whatIsWrongWithAServerIsRefusedWithTheReason(String right, String wrong, String reason) {
    assertThatThrownBy(
            () -> read("replicas = 1\n" + SERVER.replace(right, wrong.replace("\\n", "\n"))))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(reason);
  }

  @Test
  void twoServersOfOneNameAreRefused() {
    assertThatThrownBy(() -> read("replicas = 1\n" + SERVER + SERVER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("two servers have the name 'n1'");
  }

  @Test
  void whatIsNotTomlIsRefusedWithItsLine() {
    assertThatThrownBy(() -> read("replicas = 1\nreplicas ="))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("line 2");
  }

  @Test
  void aMissingFileIsNamed() {
    assertThatThrownBy(() -> ClusterConfig.read(home.resolve("nowhere.toml")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("nowhere.toml");
  }

  @Test
  void anUnknownServerIsAnsweredWithTheKnownOnes() {
    assertThatThrownBy(() -> read("replicas = 1\n" + SERVER).server("n2"))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("these are: n1");
  }

  @Test
  void permissionsTrustTheIdentitiesOfTheirSection() {
    ClusterConfig config =
        read(
            "replicas = 1\n"
                + "[access]\n"
                + "servers = [\"spiffe://prod/corfu/*\"]\n"
                + "administrators = [\"spiffe://prod/ann\", \"CN=\\\"Bob\\\"\"]\n"
                + SERVER);

    assertThat(config.access())
        .hasValueSatisfying(
            trusted -> {
              assertThat(trusted.isServer(new Identity("spiffe://prod/corfu/n1"))).isTrue();
              assertThat(trusted.contains(new Identity("CN=\"Bob\""))).isTrue();
              assertThat(trusted.contains(new Identity("spiffe://prod/eve"))).isFalse();
            });
    assertThat(read(config.toToml())).isEqualTo(config);
    assertThat(read("replicas = 1\n" + SERVER).access()).isEmpty();
  }

  @Test
  void aWrongSectionOfPermissionsIsRefused() {
    assertRefused("servers = [\"a\"]\nadmins = [\"b\"]\n", "unknown key 'admins'");
    assertRefused("servers = [\"a\"]\n", "administrators");
    assertRefused("servers = [\"a\"]\nadministrators = [\"*\"]\n", "proven identities");
    assertRefused("servers = [\"anonymous\"]\nadministrators = [\"b\"]\n", "anonymous");
  }

  private void assertRefused(String section, String reason) {
    assertThatThrownBy(() -> read("replicas = 1\n[access]\n" + section + SERVER))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(reason);
  }
}
