package corfu.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Bootstrap;
import corfu.node.ClusterConfig;
import corfu.node.Node;
import corfu.node.local.FreePorts;
import corfu.roles.logunit.options.UnitMode;
import corfu.world.RealWorld;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.Vector;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import site.ycsb.ByteIterator;
import site.ycsb.DBException;
import site.ycsb.Status;
import site.ycsb.StringByteIterator;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

class CorfuClientTest {

  private static Node node;

  @TempDir private static Path directory;
  private final List<CorfuClient> clients = new ArrayList<>();
  private final Properties properties = new Properties();

  @BeforeAll
  static void start() throws Exception {
    int port;
    try (RealWorld world = new RealWorld()) {
      port = FreePorts.consecutive(1, world.random());
    }
    ClusterConfig config = ClusterConfig.local(directory, port, 1, 1, UnitMode.MEMORY);
    node = Node.start(config, "n1");
    var unused = Bootstrap.bootstrap(config);
  }

  @AfterAll
  static void stop() {
    node.close();
  }

  /** A store of its own for each test. */
  CorfuClientTest(TestInfo test) {
    properties.setProperty(CorfuClient.SERVERS, node.endpoint().toString());
    properties.setProperty(CorfuClient.STORE, test.getDisplayName());
  }

  @AfterEach
  void leave() {
    clients.forEach(CorfuClient::cleanup);
  }

  private CorfuClient client() throws DBException {
    return client(properties);
  }

  private CorfuClient client(Properties of) throws DBException {
    var client = new CorfuClient();
    client.setProperties(of);
    client.init();
    clients.add(client);
    return client;
  }

  private static Map<String, ByteIterator> values(String... namesAndValues) {
    Map<String, ByteIterator> values = new HashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      values.put(namesAndValues[i], new StringByteIterator(namesAndValues[i + 1]));
    }
    return values;
  }

  private static Map<String, String> read(
      CorfuClient client, String key, @Nullable Set<String> fields) {
    Map<String, ByteIterator> result = new HashMap<>();
    assertThat(client.read("users", key, fields, result)).isEqualTo(Status.OK);
    return texts(result);
  }

  private static Map<String, String> texts(Map<String, ByteIterator> values) {
    Map<String, String> texts = new TreeMap<>();
    values.forEach((field, value) -> texts.put(field, value.toString()));
    return texts;
  }

  @Test
  void whatOneThreadInsertsAnotherOneReadsAllOfItOrSomeFields() throws DBException {
    CorfuClient one = client();
    CorfuClient other = client();

    assertThat(one.insert("users", "ann", values("age", "7", "town", "Ulm"))).isEqualTo(Status.OK);

    assertThat(read(other, "ann", null)).isEqualTo(Map.of("age", "7", "town", "Ulm"));
    assertThat(read(other, "ann", Set.of("town"))).isEqualTo(Map.of("town", "Ulm"));
  }

  @Test
  void anUpdateLeavesTheOtherFieldsAsTheyAre() throws DBException {
    CorfuClient client = client();
    client.insert("users", "ann", values("age", "7", "town", "Ulm"));

    assertThat(client.update("users", "ann", values("age", "8"))).isEqualTo(Status.OK);

    assertThat(read(client, "ann", null)).isEqualTo(Map.of("age", "8", "town", "Ulm"));
  }

  @Test
  void updatesOfDifferentFieldsAtTheSameTimeAreAllThere() throws Exception {
    int updates = 20;
    List<Thread> threads = new ArrayList<>();
    client().insert("users", "ann", values());
    for (int i = 0; i < 4; i++) {
      CorfuClient client = client();
      String name = "f" + i + "-";
      threads.add(
          Thread.ofPlatform()
              .start(
                  () -> {
                    for (int j = 0; j < updates; j++) {
                      client.update("users", "ann", values(name + j, "x"));
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    assertThat(read(client(), "ann", null)).hasSize(4 * updates);
  }

  @Test
  void whatIsNotThereIsNotFound() throws DBException {
    CorfuClient client = client();
    client.insert("users", "ann", values("age", "7"));

    assertThat(client.read("users", "bob", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
    assertThat(client.update("users", "bob", values("age", "1"))).isEqualTo(Status.NOT_FOUND);
    assertThat(client.delete("users", "bob")).isEqualTo(Status.NOT_FOUND);
    assertThat(client.delete("users", "ann")).isEqualTo(Status.OK);
    assertThat(client.delete("users", "ann")).isEqualTo(Status.NOT_FOUND);
    assertThat(client.read("users", "ann", null, new HashMap<>())).isEqualTo(Status.NOT_FOUND);
  }

  @Test
  void aScanGivesAsManyRecordsOfItsTableAsAreWantedInOrder() throws DBException {
    CorfuClient client = client();
    for (String key : List.of("dora", "ann", "carl", "bob")) {
      client.insert("users", key, values("name", key, "age", "7"));
    }
    client.insert("vans", "a", values("name", "of another table"));

    assertThat(scan(client, "b", 2, Set.of("name")))
        .containsExactly(Map.of("name", "bob"), Map.of("name", "carl"));
    assertThat(scan(client, "bob", 100, null)).hasSize(3);
    assertThat(scan(client, "z", 100, null)).isEmpty();
  }

  @SuppressWarnings("JdkObsolete") // so YCSB wants it
  private static List<Map<String, String>> scan(
      CorfuClient client, String from, int count, @Nullable Set<String> fields) {
    Vector<HashMap<String, ByteIterator>> result = new Vector<>();
    assertThat(client.scan("users", from, count, fields, result)).isEqualTo(Status.OK);
    return result.stream().map(CorfuClientTest::texts).toList();
  }

  @Test
  void whatTheStoreDoesNotTakeIsABadRequest() throws DBException {
    CorfuClient client = client();

    assertThat(client.insert("users", "x".repeat(5_000), values())).isEqualTo(Status.BAD_REQUEST);
    assertThat(client.insert("users/new", "ann", values())).isEqualTo(Status.BAD_REQUEST);
  }

  @Test
  void whoDoesNotSayWhereTheServersAreIsTold() {
    assertThatThrownBy(() -> client(new Properties()))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("-p corfu.servers=");
    Properties wrong = new Properties();
    wrong.setProperty(CorfuClient.SERVERS, "nowhere");
    assertThatThrownBy(() -> client(wrong))
        .isInstanceOf(DBException.class)
        .hasMessageContaining("nowhere");
  }

  /** Does the work of the stock client's threads. */
  @ParameterizedTest
  @ValueSource(strings = {"a", "b", "c", "d", "e", "f"})
  void theStockWorkloadsRunWithoutErrors(String letter) throws Exception {
    try (InputStream file =
        CorfuClientTest.class.getResourceAsStream("/workloads/workload" + letter)) {
      properties.load(file);
    }
    properties.setProperty("recordcount", "100");
    properties.setProperty("insertretrylimit", "0");
    CorfuClient client = client();
    Measurements.setProperties(properties);
    var workload = new CoreWorkload();
    workload.init(properties);
    Object thread = workload.initThread(properties, 0, 1);
    for (int i = 0; i < 100; i++) {
      assertThat(workload.doInsert(client, thread)).isTrue();
    }

    for (int i = 0; i < 200; i++) {
      assertThat(workload.doTransaction(client, thread)).isTrue();
    }
    workload.cleanup();
  }
}
