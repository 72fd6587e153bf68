package corfu.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Arrays that give up old versions. */
class ForgetTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private static final Corfu CORFU = CLUSTER.connect();

  private final BytesStore store = BytesStore.over(CORFU);
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    CORFU.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named("forget: " + test.getDisplayName());
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String text(BytesView view) {
    return UTF_8.decode(view.read(0, 1_000)).toString();
  }

  /** A new client; nothing is in its memory. */
  private VersionedBytes opened() {
    return BytesStore.over(CORFU).open(id);
  }

  private List<Address> writeNumbers(int count) {
    List<Address> versions = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      versions.add(store.open(id).write(0, utf8("%03d".formatted(i))));
    }
    return versions;
  }

  private static boolean isTrimmed(Address version) {
    return CORFU.log().read(new Address(version.value() - 1)) instanceof LogEntry.Trimmed;
  }

  @Test
  void entriesThatNoRemainingVersionNeedsAreTrimmed() {
    store.open(id).write(3, utf8("tail"));
    List<Address> versions = writeNumbers(20);

    assertThat(ArrayHistory.of(opened()).forget(versions.get(9)))
        .isEqualTo(new ArrayHistory.Freed(9, 9 * 15));
    assertThat(versions).filteredOn(ForgetTest::isTrimmed).isEqualTo(versions.subList(0, 9));
    for (int i = 9; i < 20; i++) {
      assertThat(text(opened().at(versions.get(i)))).isEqualTo("%03dtail".formatted(i));
    }
    assertThat(text(opened().newest())).isEqualTo("019tail");
  }

  @Test
  void aVersionThatWasGivenUpFailsForEveryClient() {
    List<Address> versions = writeNumbers(20);
    var unused = ArrayHistory.of(opened()).forget(versions.get(9));

    assertThatThrownBy(() -> opened().at(versions.get(8)).read(0, 3))
        .isInstanceOf(VersionForgottenException.class)
        .hasMessageContaining("version " + versions.get(8));
  }

  @Test
  void aClientThatKnowsAnOldStateGoesOn() {
    List<Address> versions = writeNumbers(5);
    VersionedBytes other = opened();
    assertThat(text(other.newest())).isEqualTo("004");
    versions.addAll(writeNumbers(5));
    var unused = ArrayHistory.of(store.open(id)).forget(versions.get(7));

    assertThat(text(other.newest())).isEqualTo("004");
    assertThat(other.newest().version()).isEqualTo(versions.getLast());
  }

  @Test
  void aClonesVersionStaysAndSoDoesTheClone() {
    List<Address> versions = writeNumbers(10);
    StreamId clone = StreamId.named(id + "/clone");
    store.clone(id, versions.get(3), clone, NONE);
    versions.addAll(writeNumbers(10));
    var unused = ArrayHistory.of(opened()).forget(versions.get(15));

    assertThat(text(BytesStore.over(CORFU).open(clone).newest())).isEqualTo("003");
    assertThat(text(opened().at(versions.get(3)))).isEqualTo("003");
    assertThat(isTrimmed(versions.get(3))).isFalse();
    assertThat(isTrimmed(versions.get(4))).isTrue();
  }

  @Test
  void anotherCallTrimsTheCheckpointOfTheOneBefore() {
    List<Address> versions = writeNumbers(20);
    assertThat(ArrayHistory.of(opened()).forget(versions.get(5)).entries()).isEqualTo(5);
    assertThat(ArrayHistory.of(opened()).forget(versions.get(5)).entries()).isZero();
    assertThat(ArrayHistory.of(opened()).forget(versions.get(15)).entries()).isEqualTo(10);

    Streams streams = Streams.over(CORFU);
    var checkpoints = streams.open(Checkpoints.streamOf(id));
    assertThat(checkpoints.tail().value()).isEqualTo(2);
    assertThat(checkpoints.read(corfu.protocol.StreamAddress.ZERO, checkpoints.tail()))
        .hasSize(2)
        .first()
        .isInstanceOf(StreamRead.Trimmed.class);
    assertThat(text(opened().newest())).isEqualTo("019");
  }

  @Test
  void anArrayWithAnOriginKeepsItsBeginning() {
    Address origin = writeNumbers(3).getLast();
    StreamId derived = StreamId.named(id + "/derived");
    var of = Optional.of(store.open(id).at(origin).asOrigin());
    Address kept = ArrayHistory.of(store.open(derived, of)).keep(origin).orElseThrow().version();
    assertThat(kept).isEqualTo(Address.ZERO);
    List<Address> versions = writeNumbers(2);
    var unused = ArrayHistory.of(opened()).forget(versions.getLast());

    assertThatThrownBy(() -> opened().at(origin).read(0, 3))
        .isInstanceOf(VersionForgottenException.class);
    assertThat(BytesStore.over(CORFU).open(derived, of).newest().size()).isEqualTo(3);
  }
}
