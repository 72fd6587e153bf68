package corfu.bytes;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Checkpoints of arrays: written by clients, and used by clients that open an array. */
class CheckpointTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final BytesOptions SMALL =
      BytesOptions.DEFAULT.withMaxEntryBytes(4 << 10).withRecentVersions(8);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private static final Corfu CORFU = CLUSTER.connect();

  private final Streams streams = Streams.over(CORFU);
  private final BytesStore store = BytesStore.over(CORFU, SMALL);
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named(test.getDisplayName());
  }

  private StreamId clone(int number) {
    return StreamId.named(id + "/clone" + number);
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String text(BytesView view) {
    return UTF_8.decode(view.read(0, 1_000)).toString();
  }

  /** A new client; nothing is in its memory. */
  private VersionedBytes opened() {
    return BytesStore.over(CORFU, SMALL).open(id);
  }

  /** Writes numbers to the same place, so that a version needs the data of one entry only. */
  private List<Address> writeNumbers(int from, int to) {
    List<Address> versions = new ArrayList<>();
    for (int i = from; i < to; i++) {
      versions.add(store.open(id).write(0, utf8("%03d".formatted(i)), utf8("note " + i)));
    }
    return versions;
  }

  /** Makes it impossible to play the array from its beginning. */
  private void trim(long before) {
    streams.open(id).trim(new StreamAddress(before));
  }

  @Test
  void anArrayIsPlayedFromItsCheckpoint() {
    writeNumbers(0, 100);
    store.open(id).checkpoint();
    writeNumbers(100, 105);
    trim(90);

    BytesView now = opened().newest();
    assertThat(text(now)).isEqualTo("104");
    assertThat(now.note()).isEqualTo(utf8("note 104"));
  }

  @Test
  void aVersionIsPlayedFromTheCheckpointBeforeIt() {
    List<Address> versions = new ArrayList<>(writeNumbers(0, 100));
    store.open(id).checkpoint();
    versions.addAll(writeNumbers(100, 150));
    store.open(id).checkpoint();
    versions.addAll(writeNumbers(150, 200));
    trim(90);

    for (int i : List.of(99, 120, 149, 160, 199)) {
      assertThat(text(opened().at(versions.get(i)))).isEqualTo("%03d".formatted(i));
    }
  }

  @Test
  void aVersionBeforeAllCheckpointsIsPlayedFromTheBeginning() {
    List<Address> versions = writeNumbers(0, 100);
    store.open(id).checkpoint();

    assertThat(text(opened().at(versions.get(41)))).isEqualTo("041");
  }

  @Test
  void aCheckpointOfManyExtentsHasSeveralPieces() {
    VersionedBytes array = store.open(id);
    for (int i = 0; i < 300; i++) {
      array.write(2L * i, utf8("" + i % 10));
    }
    Address version = array.checkpoint();
    assertThat(streams.open(Checkpoints.streamOf(id)).tail().value()).isEqualTo(2);
    trim(290);

    BytesView now = opened().newest();
    assertThat(now.version()).isEqualTo(version);
    assertThat(now.size()).isEqualTo(599);
    assertThat(now.nextHole(400)).isEqualTo(401);
    assertThat(now.read(580, 100)).isEqualTo(array.newest().read(580, 100));
    assertThat(now.lastChange()).isEqualTo(array.newest().lastChange());
  }

  /** A piece of a checkpoint as older clients write it, of an array of one extent. */
  private ByteBuffer pieceOfVersion1(Address version, int place, int count, byte[] note) {
    return ByteBuffer.allocate(4 + note.length + 52 + 32)
        .order(ByteOrder.LITTLE_ENDIAN)
        .put(new byte[] {(byte) 0xCB, 1, 8, (byte) note.length})
        .put(note)
        .putLong(4711) // the checkpoint
        .putInt(0) // the number of the piece
        .putInt(count)
        .putLong(version.value())
        .putLong(place)
        .putLong(3) // the size
        .putLong(version.value() - 1)
        .putInt(0) // the depth
        .putLong(0) // the extent
        .putLong(3)
        .putLong(version.value() - 1)
        .putLong(4 + "note 99".length() + 8)
        .flip();
  }

  @Test
  void aCheckpointOfAnOlderClientIsUsed() {
    Address version = writeNumbers(0, 100).getLast();
    streams
        .open(Checkpoints.streamOf(id))
        .append(pieceOfVersion1(version, 100, 1, "old".getBytes(UTF_8)));
    trim(99); // the last entry holds the bytes

    BytesView now = opened().newest();
    assertThat(text(now)).isEqualTo("099");
    assertThat(now.note()).isEqualTo(utf8("old"));
    writeNumbers(100, 101);
    opened().checkpoint(); // of the newer version, beside it
    assertThat(text(opened().newest())).isEqualTo("100");
    assertThat(text(opened().at(version))).isEqualTo("099");
  }

  @Test
  void aCheckpointWithoutAllItsPiecesIsPassed() {
    Address version = writeNumbers(0, 100).getLast();
    store.open(id).checkpoint();
    LogStream checkpoints = streams.open(Checkpoints.streamOf(id));
    checkpoints.append(pieceOfVersion1(version, 100, 2, new byte[0]));
    trim(90);

    assertThat(text(opened().newest())).isEqualTo("099");
  }

  @Test
  void pagesWithoutARootArePassed() {
    writeNumbers(0, 100);
    store.open(id).checkpoint();
    LogStream checkpoints = streams.open(Checkpoints.streamOf(id));
    ByteBuffer whole = ((StreamRead.Entry) checkpoints.read(StreamAddress.ZERO)).payload();
    ByteBuffer pages = ByteBuffer.allocate(whole.remaining()).put(whole).flip();
    pages.put(2, (byte) 10); // as in front of a root that never came
    for (int i = 0; i < 20; i++) {
      checkpoints.append(pages);
    }
    trim(90);

    assertThat(text(opened().newest())).isEqualTo("099");
  }

  @Test
  void aClientThatPlaysALongArrayLeavesACheckpointForOthers() {
    writeNumbers(0, 100);
    BytesStore other = BytesStore.over(CORFU, SMALL.withCheckpointsFrom(96));
    assertThat(text(other.open(id).newest())).isEqualTo("099");
    eventually(
        () -> assertThat(streams.open(Checkpoints.streamOf(id)).tail().value()).isPositive());
    trim(90);

    assertThat(text(opened().newest())).isEqualTo("099");
  }

  @Test
  void aClientThatGoesThroughManyClonesLeavesCheckpointsForOthers() {
    store.open(id).write(0, utf8("0"));
    StreamId source = id;
    for (int i = 1; i <= 60; i++) {
      store.cloneNewest(source, clone(i), NONE);
      source = clone(i);
      store.open(source).append(utf8("" + i % 10), NONE);
    }
    BytesStore first = BytesStore.over(CORFU, SMALL);
    assertThat(text(first.open(source).newest())).isEqualTo("0" + "1234567890".repeat(6));
    streams.open(id).trim(new StreamAddress(1)); // the last one needs it no longer

    BytesStore second = BytesStore.over(CORFU, SMALL);
    assertThat(second.open(source).newest().size()).isEqualTo(61);
  }

  @Test
  void aFailureToLookForACheckpointLeavesAGapUnpassed() {
    writeNumbers(0, 1);
    VersionedBytes reader = opened();
    assertThat(text(reader.newest())).isEqualTo("000");
    Address behind = store.open(id).write(3, utf8("gone"), NONE);
    CORFU.log().trim(List.of(new Address(behind.value() - 1)));
    writeNumbers(2, 3);
    LogStream checkpoints = streams.open(Checkpoints.streamOf(id));
    checkpoints.append(utf8("damaged"));
    assertThatThrownBy(reader::newest).isInstanceOf(DamagedRecordException.class);
    checkpoints.trim(new StreamAddress(1));

    assertThatThrownBy(reader::newest).isInstanceOf(VersionForgottenException.class);
  }
}
