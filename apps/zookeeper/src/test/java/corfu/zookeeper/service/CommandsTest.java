package corfu.zookeeper.service;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.zookeeper.ZooKeeperOptions;
import corfu.zookeeper.ZooKeeperService;
import corfu.zookeeper.client.StockClient;
import corfu.zookeeper.wire.Connection;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.server.admin.Commands;
import org.apache.zookeeper.server.command.FourLetterCommands;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every four-letter word and every command of the AdminServer has an answer. */
class CommandsTest {

  private static final String NOT_SERVING = "not currently serving requests";

  private static final Set<String> SNAPSHOT_FILES = Set.of("snapshot", "restore", "last_snapshot");

  private static final List<String> WORDS =
      List.of(
          "conf", "cons", "crst", "dirs", "dump", "envi", "gtmk", "hash", "isro", "mntr", "ruok",
          "srst", "srvr", "stat", "stmk", "wchc", "wchp", "wchs");

  /** Words that are answered by more than a refusal before the log is in reach. */
  private static final Set<String> ALWAYS = Set.of("ruok", "envi", "gtmk", "stmk", "isro");

  private int adminPort;

  @BeforeAll
  static void enableAllWords() {
    System.setProperty("zookeeper.4lw.commands.whitelist", "*");
    FourLetterCommands.resetWhiteList();
  }

  /** The port is free when it is chosen; if another process takes it meanwhile, the next one. */
  private ZooKeeperService open(Services services) throws IOException {
    return open(services, Services.OPTIONS);
  }

  private ZooKeeperService open(Services services, ZooKeeperOptions base) throws IOException {
    while (true) {
      try (ServerSocket free = new ServerSocket(0)) {
        adminPort = free.getLocalPort();
      }
      ZooKeeperOptions options = base.withAdminPort(adminPort);
      try {
        return services.open(options);
      } catch (IOException taken) {
        assertThat(taken).hasMessageContaining("choose another port");
      }
    }
  }

  private HttpResponse<String> admin(String command, boolean isPost) throws Exception {
    URI uri = URI.create("http://127.0.0.1:%d/commands/%s".formatted(adminPort, command));
    HttpRequest.Builder request = HttpRequest.newBuilder(uri);
    if (isPost) {
      request.POST(BodyPublishers.ofString("x"));
    }
    try (HttpClient client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString());
    }
  }

  private static String word(ZooKeeperService service, String word) throws IOException {
    try (var connection = new Connection(service.clientPort())) {
      connection.sendBytes(
          (word + (word.equals("stmk") ? "\0\0\0\0\0\0\0\2" : "")).getBytes(US_ASCII));
      connection.flush();
      return new String(connection.receiveAll(), US_ASCII);
    }
  }

  @Test
  void allAreAnsweredWhileTheServerServes() throws Exception {
    try (Services services = Services.inMemory()) {
      ZooKeeperService service = open(services);
      service.awaitReady();
      try (var client = new StockClient(Services.connectString(service))) {
        client.zooKeeper().exists("/", client.queue());
        for (String word : WORDS) {
          assertThat(word(service, word)).as(word).doesNotContain(NOT_SERVING);
        }
        for (String command : Commands.getPrimaryNames()) {
          HttpResponse<String> answer = admin(command, false);
          if (SNAPSHOT_FILES.contains(command)) {
            assertThat(answer.statusCode()).as(command).isEqualTo(501);
            assertThat(answer.body()).contains("checkpoints are in the log");
          } else {
            assertThat(answer.statusCode()).as(command).isEqualTo(200);
            assertThat(answer.body()).contains("\"command\" : \"" + command);
            assertThat(answer.body()).as(command).doesNotContain(NOT_SERVING);
          }
        }
        assertThat(admin("restore", true).statusCode()).isEqualTo(501);
        assertThat(admin("configuration", false).body())
            .contains("\"client_port\" : " + service.clientPort())
            .contains("\"data_dir\" : \"default\"");
        assertThat(client.zooKeeper().exists("/", false)).isNotNull();
      }
    }
  }

  @Test
  void allAreAnsweredBeforeTheLogIsInReach(@TempDir Path directory) throws Exception {
    try (Services services = Services.in(directory)) {
      services.connect();
      services.stopLog();
      ZooKeeperService service = open(services);
      for (String word : WORDS) {
        if (ALWAYS.contains(word)) {
          assertThat(word(service, word)).as(word).isNotEmpty().doesNotContain(NOT_SERVING);
        } else {
          assertThat(word(service, word)).as(word).contains(NOT_SERVING);
        }
      }
      for (String command : Commands.getPrimaryNames()) {
        assertThat(admin(command, false).statusCode()).as(command).isIn(200, 501);
      }
      services.startLog();
      service.awaitReady();
      assertThat(word(service, "srvr")).contains("Mode: standalone");
    }
  }

  @Test
  void theAdminServerFollowsReadOnlyMode(@TempDir Path directory) throws Exception {
    try (Services services = Services.in(directory)) {
      ZooKeeperService service = open(services, Services.OPTIONS.withReadOnlyMode(true));
      service.awaitReady();
      assertThat(admin("is_read_only", false).body()).contains("\"read_only\" : false");
      services.stopLog();
      String connectString = Services.connectString(service);
      try (var client = new StockClient(connectString, KeeperState.ConnectedReadOnly)) {
        assertThat(admin("is_read_only", false).body()).contains("\"read_only\" : true");
        for (String word : WORDS) {
          assertThat(word(service, word)).as(word).doesNotContain(NOT_SERVING);
        }
        for (String command : Commands.getPrimaryNames()) {
          assertThat(admin(command, false).statusCode()).as(command).isIn(200, 501);
        }

        services.startLog();
        client.awaitState(KeeperState.SyncConnected);
        assertThat(admin("is_read_only", false).body()).contains("\"read_only\" : false");
      }
    }
  }
}
