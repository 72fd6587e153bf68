package corfu.bytes;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.RecordCodec;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** Arrays of many extents, whose maps clients load page by page. */
class PagedMapTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final int EXTENTS = 20_000;
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).inMemory().start();
  private static final Corfu CORFU = CLUSTER.connect();

  private final Random random = new Random(7);
  private final Streams streams = Streams.over(CORFU);
  private final BytesStore store = BytesStore.over(CORFU);
  private final byte[] content = new byte[2 * EXTENTS];
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named("pages: " + test.getDisplayName());
  }

  private static BytesStore newStore() {
    return BytesStore.over(CORFU);
  }

  private LogStream checkpoints() {
    return streams.open(Checkpoints.streamOf(id));
  }

  /** Makes an array of extents of two bytes, all in one entry, in random order. */
  private void writeExtents() {
    byte[] data = new byte[1_000];
    random.nextBytes(data);
    long source = store.open(id).write(0, ByteBuffer.wrap(data)).value() - 1;
    int dataAt = 4 + Long.BYTES;
    List<Extent> extents = new ArrayList<>();
    for (int i = 0; i < EXTENTS; i++) {
      int at = i % 2 + 2 * random.nextInt(data.length / 2 - 1); // none continues another
      extents.add(new Extent(2L * i, 2, source, dataAt + at));
      content[2 * i] = data[at];
      content[2 * i + 1] = data[at + 1];
    }
    var copy = new BytesRecord.Copy(0, 2L * EXTENTS, extents);
    streams.open(id).append(RecordCodec.encode(NONE, copy));
  }

  private Address write(BytesStore by, int offset, int length) {
    byte[] bytes = new byte[length];
    random.nextBytes(bytes);
    System.arraycopy(bytes, 0, content, offset, length);
    return by.open(id).write(offset, ByteBuffer.wrap(bytes));
  }

  private void assertContent(BytesView view) {
    assertThat(view.read(0, content.length)).isEqualTo(ByteBuffer.wrap(content));
  }

  private long bytesOfCheckpoints() {
    LogStream stream = checkpoints();
    return stream.read(StreamAddress.ZERO, stream.tail()).stream()
        .mapToLong(read -> read instanceof StreamRead.Entry entry ? entry.payload().remaining() : 0)
        .sum();
  }

  @Test
  void aClientLoadsThePagesThatItNeeds() {
    writeExtents();
    store.open(id).checkpoint();
    streams.open(id).trim(new StreamAddress(1)); // else the copy's entry could be played

    BytesStore fresh = newStore();
    BytesView view = fresh.open(id).newest();
    assertThat(view.size()).isEqualTo(content.length);
    assertThat(fresh.pageBytes()).isZero();
    var few = view.extents(0, 10, 0);
    assertThat(few).hasSize(5);
    long ofFew = fresh.pageBytes();
    assertThat(ofFew).isPositive();
    assertThat(view.extents(0, content.length, 0)).hasSize(EXTENTS);
    assertThat(fresh.pageBytes()).isGreaterThan(10 * ofFew);
  }

  @Test
  void aMapThatWasLoadedPageByPageIsRight() {
    writeExtents();
    store.open(id).checkpoint();
    for (long most : List.of(0L, 10_000L, 1L << 30)) {
      BytesStore fresh = BytesStore.over(CORFU, BytesOptions.DEFAULT.withMaxPageBytes(most));
      write(fresh, random.nextInt(content.length - 100), 100);
      assertContent(fresh.open(id).newest());
      assertThat(fresh.pageBytes()).isLessThanOrEqualTo(most);
      fresh.open(id).checkpoint();
    }
    assertContent(newStore().open(id).newest());
  }

  @Test
  void aCheckpointWritesWhatHasChangedOnly() {
    writeExtents();
    store.open(id).checkpoint();
    long whole = bytesOfCheckpoints();
    BytesStore other = newStore();
    for (int i = 0; i < 5; i++) {
      write(other, 10_000, 100);
      other.open(id).checkpoint();
    }

    assertThat(bytesOfCheckpoints() - whole).isLessThan(whole / 4);
    assertContent(newStore().open(id).newest());
  }

  /** The newest checkpoint needs the entries of older ones; another client keeps one, and trims. */
  @Test
  void aClientWhosePagesAreTrimmedGoesOnFromTheNewerCheckpoint() {
    writeExtents();
    store.open(id).checkpoint();
    BytesStore reader = newStore();
    BytesView before = reader.open(id).newest();
    byte[] then = content.clone();
    Address version = write(store, 100, 100);
    keepAndTrim(version);

    assertContent(reader.open(id).newest());
    assertThat(before.read(0, then.length)).isEqualTo(ByteBuffer.wrap(then));
    assertThat(before.nextHole(0)).isEqualTo(then.length);
  }

  private void keepAndTrim(Address version) {
    BytesStore keeper = newStore();
    ArrayHistory history = ArrayHistory.of(keeper.open(id));
    checkpoints().trim(checkpoints().tail()); // so what is kept needs none of these
    history.trimCheckpoints(history.keep(version).orElseThrow());
  }

  @Test
  void aForgottenVersionWhosePagesAreTrimmedFailsAndIsNeverWrong() {
    writeExtents();
    store.open(id).checkpoint();
    BytesView before = newStore().open(id).newest();
    Address version = write(store, 0, content.length);
    var unused = ArrayHistory.of(newStore().open(id)).forget(version);

    assertThatThrownBy(() -> before.read(0, 1_000)).isInstanceOf(VersionForgottenException.class);
    assertContent(newStore().open(id).newest());
  }

  @Test
  void aRootWhosePagesAreTrimmedIsPassedOver() {
    writeExtents();
    store.open(id).checkpoint();
    write(store, 100, 100);
    store.open(id).checkpoint(); // needs pages of the one before
    checkpoints().trim(new StreamAddress(checkpoints().tail().value() - 1));

    assertContent(newStore().open(id).newest()); // played from the beginning
    write(store, 300, 100);
    store.open(id).checkpoint(); // writes all that is lost
    streams.open(id).trim(new StreamAddress(1));
    assertThat(newStore().open(id).newest().extents(0, content.length, 0)).isNotEmpty();
  }

  @Test
  void twoClientsWriteCheckpointsWithoutAgreement() {
    writeExtents();
    store.open(id).checkpoint();
    List<BytesStore> clients = List.of(newStore(), newStore());
    for (int i = 0; i < 20; i++) {
      write(clients.get(i % 2), random.nextInt(content.length - 50), 50);
      clients.get(random.nextInt(2)).open(id).checkpoint();
      if (i % 5 == 0) {
        assertContent(newStore().open(id).newest());
      }
    }
    for (BytesStore client : clients) {
      assertContent(client.open(id).newest());
    }
  }

  /** Checkpoints of an array of many extents cost at most half of what is appended. */
  @Test
  void theCheckpointsOfALargeMapWaitForEnoughBytes() {
    writeExtents();
    store.open(id).checkpoint();
    long before = bytesOfCheckpoints();
    BytesStore follower = BytesStore.over(CORFU, BytesOptions.DEFAULT.withCheckpointsFrom(16));
    int bytes = 0;
    for (int i = 0; i < 400; i++) {
      write(store, random.nextInt(content.length - 400), 400);
      bytes += 400;
      assertThat(follower.open(id).newest().size()).isEqualTo(content.length);
    }
    eventually(() -> assertThat(bytesOfCheckpoints()).isGreaterThan(before));
    assertThat(bytesOfCheckpoints() - before).isLessThan(bytes / 2);
    assertContent(newStore().open(id).newest());
  }

  @Test
  void aStartPlaysABoundedNumberOfEntries() {
    writeExtents();
    store.open(id).checkpoint();
    long before = checkpoints().tail().value();
    BytesStore follower = BytesStore.over(CORFU, BytesOptions.DEFAULT.withCheckpointsFrom(4));
    for (int i = 0; i < 32 * 4; i++) {
      write(store, random.nextInt(content.length - 1), 1);
    }
    assertThat(follower.open(id).newest().size()).isEqualTo(content.length);
    eventually(() -> assertThat(checkpoints().tail().value()).isGreaterThan(before));
  }

  /** A disk of 10 GiB after random writes of 4 KiB. */
  @Test
  @EnabledIfSystemProperty(named = "corfu.tests", matches = "long")
  void anArrayOfMillionsOfExtentsIsOpenInASecond() {
    int count = 2_600_000;
    int inEntry = 65_000;
    long source = store.open(id).write(0, ByteBuffer.wrap(new byte[5_000])).value() - 1;
    for (int from = 0; from < count; from += inEntry) {
      List<Extent> extents = new ArrayList<>();
      for (int i = from; i < from + inEntry; i++) {
        extents.add(new Extent(4_096L * i, 4_096, source, 12 + random.nextInt(900)));
      }
      var copy = new BytesRecord.Copy(4_096L * from, 4_096L * inEntry, extents);
      streams.open(id).append(RecordCodec.encode(NONE, copy));
    }
    long began = System.nanoTime();
    store.open(id).newest();
    long played = System.nanoTime();
    store.open(id).checkpoint();
    long written = System.nanoTime();
    BytesStore fresh = newStore();
    BytesView view = fresh.open(id).newest();
    long opened = System.nanoTime();
    var few = view.extents(1L << 32, 32 * 4_096, 0);
    long looked = System.nanoTime();
    System.out.printf(
        "%d extents: played in %d ms, checkpoint of %d KiB in %d ms, opened in %d ms,"
            + " first read in %d ms%n",
        count,
        (played - began) / 1_000_000,
        bytesOfCheckpoints() >> 10,
        (written - played) / 1_000_000,
        (opened - written) / 1_000_000,
        (looked - opened) / 1_000_000);
    assertThat(few).hasSize(32);
    assertThat(opened - written).isLessThan(1_000_000_000);
  }
}
