package corfu.proof.stored;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.StreamAddress;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The contents of the stored directories: samples of everything that Corfu stores. */
final class Contents {

  private static final int ENTRIES = 40;
  private static final int TRIMMED = 7;
  private static final int TRIMMED_BEFORE = 3;
  private static final int IN_STREAM = 10;
  private static final int STREAM_TRIMMED_BEFORE = 2;

  private Contents() {}

  /** Opens a cluster of three nodes with small files. */
  static EmbeddedCluster open(Path directory) {
    return EmbeddedCluster.builder()
        .nodes(3)
        .replicas(2)
        .capacityBytes(4 << 20)
        .directory(directory)
        .start();
  }

  private static String entry(int i) {
    return "entry " + i + " " + "x".repeat(i * 20);
  }

  /** Writes a hole at an address for which no token was issued yet, as earlier clients could. */
  private static void leaveHole(EmbeddedCluster cluster, Layout layout, long address) {
    Entry hole = Entry.hole(address, new AppendId(1, address));
    for (Endpoint replica : layout.path(hole)) {
      var write = new LogUnitRequest.Write(layout.epoch(), List.of(hole));
      Reply reply = cluster.transport().peer(replica).call(write, TimeUnit.SECONDS.toNanos(5));
      assertThat(reply).isInstanceOf(LogUnitReply.Writes.class);
    }
  }

  /** Writes the contents to an empty cluster. */
  static void write(EmbeddedCluster cluster) {
    Corfu corfu = cluster.connect();
    Log log = corfu.log();
    for (int i = 0; i < ENTRIES; i++) {
      assertThat(log.append(entry(i).getBytes(UTF_8)).value()).isEqualTo(i);
    }
    leaveHole(cluster, corfu.layout(), ENTRIES);
    log.trim(new Address(TRIMMED));
    log.prefixTrim(new Address(TRIMMED_BEFORE));
    Streams streams = Streams.over(corfu);
    LogStream orders = streams.open("orders");
    LogStream audit = streams.open("audit");
    for (int i = 0; i < IN_STREAM; i++) {
      ByteBuffer payload = ByteBuffer.wrap(("order " + i).getBytes(UTF_8));
      var unused = streams.append(List.of(orders.id(), audit.id()), payload);
    }
    orders.trim(new StreamAddress(STREAM_TRIMMED_BEFORE));
    ReplicatedObjects objects = ReplicatedObjects.over(corfu);
    ReplicatedMap<String, Long> accounts = accounts(objects);
    for (long i = 0; i < 20; i++) {
      accounts.put("account " + i, i);
    }
    var checkpoint = objects.checkpoint(accounts);
    assertThat(checkpoint.value()).isPositive();
    accounts.put("account 3", 33L);
    try (KeyValueStore store = KeyValueStore.open(corfu, "shop", StoreOptions.DEFAULT)) {
      store.put("pens", "ten".getBytes(UTF_8));
      var saved = store.checkpoint();
      assertThat(saved.value()).isPositive();
      store.put("ink", "blue".getBytes(UTF_8));
    }
  }

  private static ReplicatedMap<String, Long> accounts(ReplicatedObjects objects) {
    return objects.open("accounts", ReplicatedMap.of(String.class, Long.class));
  }

  /** Finds all contents, however much has been appended behind them. */
  static void check(Corfu corfu) {
    Log log = corfu.log();
    for (LogEntry found : log.read(Address.ZERO, new Address(ENTRIES + 1))) {
      int at = (int) found.address().value();
      if (at < TRIMMED_BEFORE || at == TRIMMED) {
        assertThat(found).isInstanceOf(LogEntry.Trimmed.class);
      } else if (at == ENTRIES) {
        assertThat(found).isInstanceOf(LogEntry.Hole.class);
      } else {
        assertThat(found)
            .isInstanceOfSatisfying(
                LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo(entry(at)));
      }
    }
    Streams streams = Streams.over(corfu);
    assertThat(textsOf(streams.open("audit"))).startsWith("order 0", "order 1").hasSize(IN_STREAM);
    assertThat(textsOf(streams.open("orders"))).endsWith("order " + (IN_STREAM - 1));
    ReplicatedMap<String, Long> accounts = accounts(ReplicatedObjects.over(corfu));
    assertThat(accounts.get("account 3")).isEqualTo(33L);
    assertThat(accounts.get("account 19")).isEqualTo(19L);
    try (KeyValueStore store = KeyValueStore.open(corfu, "shop", StoreOptions.DEFAULT)) {
      assertThat(store.get("pens").orElseThrow().text()).isEqualTo("ten");
      assertThat(store.get("ink").orElseThrow().text()).isEqualTo("blue");
    }
  }

  private static List<String> textsOf(LogStream stream) {
    return stream.read(StreamAddress.ZERO, stream.tail()).stream()
        .filter(StreamRead.Entry.class::isInstance)
        .map(read -> ((StreamRead.Entry) read).text())
        .toList();
  }

  /** Appends more to everything. */
  static void goOn(Corfu corfu, int round) {
    Address more = corfu.log().append(("more " + round).getBytes(UTF_8));
    assertThat(corfu.log().read(more))
        .isInstanceOfSatisfying(
            LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo("more " + round));
    LogStream added = Streams.over(corfu).open("added later");
    assertThat(added.append(("more " + round).getBytes(UTF_8)).address().value())
        .isGreaterThan(more.value());
    ReplicatedMap<String, Long> accounts = accounts(ReplicatedObjects.over(corfu));
    accounts.put("added in round " + round, (long) round);
    assertThat(accounts.get("added in round " + round)).isEqualTo((long) round);
    try (KeyValueStore store = KeyValueStore.open(corfu, "shop", StoreOptions.DEFAULT)) {
      store.put("added", Integer.toString(round).getBytes(UTF_8));
      assertThat(store.get("added").orElseThrow().text()).isEqualTo(Integer.toString(round));
    }
  }
}
