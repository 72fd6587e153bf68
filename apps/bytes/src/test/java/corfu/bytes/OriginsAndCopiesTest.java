package corfu.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Arrays that begin as another array's version, copies of ranges, and entries of applications. */
class OriginsAndCopiesTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final BytesOptions SMALL =
      BytesOptions.DEFAULT.withMaxEntryBytes(4 << 10).withRecentVersions(8);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private static final Corfu ONE = CLUSTER.connect();
  private static final Corfu OTHER = CLUSTER.connect();

  private final BytesStore store = BytesStore.over(ONE, SMALL);
  private final BytesStore elsewhere = BytesStore.over(OTHER, SMALL);
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    ONE.close();
    OTHER.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named(test.getDisplayName());
  }

  private StreamId stream(int number) {
    return StreamId.named(id + "/" + number);
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String text(BytesView view) {
    return UTF_8.decode(view.read(0, 100)).toString().replace('\0', '.');
  }

  @Test
  void anArrayBeginsWithTheContentOfItsOrigin() {
    VersionedBytes source = store.open(id);
    Address version = source.write(0, utf8("origin"), utf8("by ann"));
    BytesOrigin origin = source.newest().asOrigin();
    source.write(0, utf8("change"));
    VersionedBytes array = elsewhere.open(stream(1), Optional.of(origin));

    BytesView first = array.newest();
    assertThat(text(first)).isEqualTo("origin");
    assertThat(first.note()).isEqualTo(utf8("by ann"));
    assertThat(first.lastChange()).contains(new Address(version.value() - 1));

    Address changed = array.append(utf8("!"), NONE);
    assertThat(text(array.newest())).isEqualTo("origin!");
    assertThat(array.newest().lastChange()).contains(new Address(changed.value() - 1));
    assertThat(text(array.at(version))).isEqualTo("origin");
    assertThat(text(source.newest())).isEqualTo("change");
  }

  @Test
  void anArrayThatNobodyHasChangedHasNoLastChange() {
    assertThat(store.open(id).newest().lastChange()).isEmpty();
    assertThat(store.open(id).newest().size()).isZero();
  }

  @Test
  void aChainOfHundredsOfOriginsIsReadToItsEnd() {
    store.open(id).write(0, utf8("0"));
    Optional<BytesOrigin> origin = Optional.of(store.open(id).newest().asOrigin());
    String expected = "0";
    for (int i = 1; i <= 300; i++) {
      VersionedBytes array = store.open(stream(i), origin);
      if (i % 50 == 0) {
        array.append(utf8("" + i / 50), NONE);
        expected += i / 50;
      }
      origin = Optional.of(new BytesOrigin(array.id(), origin, ONE.log().tail()));
    }

    assertThat(text(elsewhere.open(stream(301), origin).newest())).isEqualTo(expected);
    assertThat(text(store.open(stream(301), origin).newest())).isEqualTo(expected);
  }

  @Test
  void aVersionOfAnOriginDoesNotIncludeItsLaterChanges() {
    VersionedBytes source = store.open(id);
    source.write(0, utf8("a"));
    Optional<BytesOrigin> early = Optional.of(source.newest().asOrigin());
    VersionedBytes middle = store.open(stream(1), early);
    Address before = middle.write(1, utf8("b"));
    middle.write(2, utf8("c"));
    Optional<BytesOrigin> ofMiddle = Optional.of(new BytesOrigin(middle.id(), early, before));

    for (BytesStore one : List.of(store, elsewhere)) {
      assertThat(text(one.open(stream(2), ofMiddle).newest())).isEqualTo("ab");
    }
  }

  @Test
  void anArrayIsNotOpenedWithAnotherOrigin() {
    store.open(id).write(0, utf8("a"));
    Optional<BytesOrigin> origin = Optional.of(store.open(id).newest().asOrigin());
    VersionedBytes array = store.open(stream(1), origin);

    assertThatThrownBy(() -> store.open(stream(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("origin");
    assertThatThrownBy(() -> store.cloneNewest(array.id(), stream(2), NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("origin");
    store.close(array);
    assertThat(text(store.open(stream(1)).newest())).isEmpty();
  }

  @Test
  void aClosedArrayIsPlayedAgain() {
    VersionedBytes array = store.open(id);
    array.write(0, utf8("a"));
    store.close(array);
    elsewhere.open(id).append(utf8("b"), NONE);

    assertThat(text(array.newest())).isEqualTo("ab");
    assertThat(text(store.open(id).newest())).isEqualTo("ab");
  }

  @Test
  void anArrayIsPlayedToEndsThatWereAskedForElsewhere() {
    Streams streams = Streams.over(ONE);
    VersionedBytes array = store.open(id);
    elsewhere.open(id).write(0, utf8("a"));
    StreamEnds ends = streams.ends(List.of(stream(1), id));
    elsewhere.open(id).write(0, utf8("b"));

    assertThat(text(array.newest(ends))).isEqualTo("a");
    assertThat(text(array.newest())).isEqualTo("b");
    assertThat(text(array.newest(ends))).isEqualTo("b");
  }

  // ------------------------------------------------------------------------------------ copies

  @Test
  void aCopiedRangeIsAsItWasInTheSource() {
    VersionedBytes source = store.open(id);
    source.write(0, utf8("0123456789"));
    source.punch(4, 2, NONE);
    VersionedBytes target = store.open(stream(1));
    target.write(0, utf8("abcdefghijkl"));
    BytesView then = source.newest();
    source.truncate(0, NONE);
    Address before = target.newest().version();
    target.copyRange(then, 2, 6, 3, utf8("copied"));

    for (BytesStore one : List.of(store, elsewhere)) {
      BytesView now = one.open(stream(1)).newest();
      assertThat(text(now)).isEqualTo("abc23..67jkl");
      assertThat(now.note()).isEqualTo(utf8("copied"));
      assertThat(text(one.open(stream(1)).at(before))).isEqualTo("abcdefghijkl");
    }
  }

  @Test
  void aCopyEndsWhereItsSourceEnds() {
    VersionedBytes source = store.open(id);
    source.write(0, utf8("source"));
    VersionedBytes target = store.open(stream(1));
    target.copyRange(source.newest(), 3, 1_000, 2, NONE);
    assertThat(text(target.newest())).isEqualTo("..rce");

    target.copyRange(source.newest(), 100, 10, 0, NONE);
    assertThat(text(target.newest())).isEqualTo("..rce");
  }

  @Test
  void aRangeIsCopiedWithinAnArray() {
    VersionedBytes array = store.open(id);
    array.write(0, utf8("abcdef"));
    array.copyRange(array.newest(), 0, 4, 2, NONE);

    assertThat(text(elsewhere.open(id).newest())).isEqualTo("ababcd");
  }

  @Test
  void aCopyOfManyExtentsIsRight() {
    Random random = new Random(1);
    VersionedBytes source = store.open(id);
    byte[] model = new byte[2_000];
    for (int i = 0; i < 500; i++) {
      byte[] few = new byte[] {(byte) random.nextInt(), (byte) random.nextInt()};
      int at = random.nextInt(1_000) * 2;
      source.write(at, ByteBuffer.wrap(few));
      System.arraycopy(few, 0, model, at, 2);
    }
    source.truncate(2_000, NONE);
    VersionedBytes target = store.open(stream(1));
    target.copyRange(source.newest(), 100, 1_800, 50, NONE);

    byte[] expected = new byte[1_850];
    System.arraycopy(model, 100, expected, 50, 1_800);
    assertThat(target.read(0, 2_000)).isEqualTo(ByteBuffer.wrap(expected));
    assertThat(elsewhere.open(stream(1)).read(0, 2_000)).isEqualTo(ByteBuffer.wrap(expected));
  }

  // --------------------------------------------------------------------- entries of applications

  @Test
  void anApplicationAppendsAWriteToStreamsOfItsOwn() {
    Streams streams = Streams.over(ONE);
    StreamId directory = stream(1);
    VersionedBytes array = store.open(id);
    byte[] data = new byte[50_000];
    Arrays.fill(data, (byte) 'x');
    ByteBuffer payload = BytesRecords.write(utf8("size"), 5, ByteBuffer.wrap(data));
    StreamAppend.Appended appended = streams.append(List.of(directory, id), payload);
    Address version = array.appended(appended, payload);

    assertThat(version.value()).isEqualTo(appended.address().value() + 1);
    for (BytesStore one : List.of(store, elsewhere)) {
      BytesView now = one.open(id).newest();
      assertThat(now.size()).isEqualTo(50_005);
      assertThat(now.note()).isEqualTo(utf8("size"));
      assertThat(now.read(5, 50_000)).isEqualTo(ByteBuffer.wrap(data));
    }
    assertThat(
            BytesRecords.change(
                appended.address(), payload.slice(0, BytesRecords.HEAD_BYTES), payload.limit()))
        .contains(new BytesRecords.Change(BytesRecords.Kind.WRITE, utf8("size"), 5, 50_000));
  }

  @Test
  void anEntryThatIsNoChangeIsToldFromOne() {
    ByteBuffer other = utf8("mkdir");
    assertThat(BytesRecords.isRecord(other)).isFalse();
    assertThat(BytesRecords.change(Address.ZERO, other, other.remaining())).isEmpty();

    List<BytesRecords.Kind> kinds = new ArrayList<>();
    for (ByteBuffer record :
        List.of(
            BytesRecords.append(NONE, utf8("a")),
            BytesRecords.truncate(NONE, 7),
            BytesRecords.punch(NONE, 1, 2))) {
      assertThat(BytesRecords.isRecord(record)).isTrue();
      kinds.add(BytesRecords.change(Address.ZERO, record, record.remaining()).orElseThrow().kind());
    }
    assertThat(kinds)
        .containsExactly(
            BytesRecords.Kind.APPEND, BytesRecords.Kind.TRUNCATE, BytesRecords.Kind.PUNCH);
  }
}
