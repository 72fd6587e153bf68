package corfu.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalLong;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class VersionedBytesTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final BytesOptions SMALL =
      BytesOptions.DEFAULT.withMaxEntryBytes(4 << 10).withRecentVersions(8);

  private static @Nullable EmbeddedCluster cluster;
  private static @Nullable Corfu one;
  private static @Nullable Corfu other;

  private BytesStore store = BytesStore.over(client(one), SMALL);
  private BytesStore elsewhere = BytesStore.over(client(other), SMALL);
  private StreamId id = StreamId.named("unnamed");

  @BeforeAll
  static void start() {
    EmbeddedCluster started = EmbeddedCluster.builder().nodes(3).replicas(2).start();
    cluster = started;
    one = started.connect();
    other = started.connect();
  }

  @AfterAll
  static void stop() {
    if (cluster != null) {
      client(one).close();
      client(other).close();
      cluster.close();
    }
  }

  private static Corfu client(@Nullable Corfu started) {
    if (started == null) {
      throw new IllegalStateException("the cluster has not started");
    }
    return started;
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named(test.getDisplayName() + test.getTestMethod());
  }

  private StreamId clone(int number) {
    return StreamId.named(id + "/clone" + number);
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static String text(BytesView view) {
    return UTF_8.decode(view.read(0, 100)).toString().replace('\0', '.');
  }

  @Test
  void everyVersionStays() {
    VersionedBytes bytes = store.open(id);
    Address first = bytes.write(0, utf8("hello world"));
    Address second = bytes.write(6, utf8("earth"));
    Address third = bytes.truncate(5, NONE);
    Address fourth = bytes.write(8, utf8("!"));
    Address fifth = bytes.punch(1, 2, NONE);
    Address sixth = bytes.append(utf8("?"), NONE);

    for (VersionedBytes reader : List.of(bytes, elsewhere.open(id))) {
      assertThat(text(reader.at(first))).isEqualTo("hello world");
      assertThat(text(reader.at(second))).isEqualTo("hello earth");
      assertThat(text(reader.at(third))).isEqualTo("hello");
      assertThat(text(reader.at(fourth))).isEqualTo("hello...!");
      assertThat(text(reader.at(fifth))).isEqualTo("h..lo...!");
      assertThat(text(reader.at(sixth))).isEqualTo("h..lo...!?");
      assertThat(text(reader.newest())).isEqualTo("h..lo...!?");
    }
  }

  @Test
  void whatAWriteReturnedEveryClientReads() {
    VersionedBytes here = store.open(id);
    VersionedBytes there = elsewhere.open(id);
    for (int i = 0; i < 20; i++) {
      here.write(0, utf8("here %02d".formatted(i)));
      assertThat(text(there.newest())).isEqualTo("here %02d".formatted(i));
      there.write(0, utf8("away %02d".formatted(i)));
      assertThat(text(here.newest())).isEqualTo("away %02d".formatted(i));
    }
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3})
  void anArrayHoldsWhatAnArrayInMemoryHolds(long seed) {
    Random random = new Random(seed);
    List<byte[]> models = new ArrayList<>();
    List<Address> versions = new ArrayList<>();
    byte[] model = new byte[0];
    for (int i = 0; i < 120; i++) {
      VersionedBytes bytes = (random.nextBoolean() ? store : elsewhere).open(id);
      int offset = random.nextInt(20_000);
      byte[] data = new byte[1 + random.nextInt(10_000)];
      random.nextBytes(data);
      switch (random.nextInt(6)) {
        case 0 -> {
          versions.add(bytes.truncate(offset, NONE));
          model = Arrays.copyOf(model, offset);
        }
        case 1 -> {
          versions.add(bytes.punch(offset, data.length, NONE));
          model = model.clone();
          int from = Math.min(model.length, offset);
          Arrays.fill(model, from, Math.min(model.length, offset + data.length), (byte) 0);
        }
        case 2 -> {
          byte[] few = Arrays.copyOf(data, Math.min(data.length, SMALL.maxEntryBytes()));
          versions.add(bytes.append(ByteBuffer.wrap(few), NONE));
          int end = model.length;
          model = Arrays.copyOf(model, end + few.length);
          System.arraycopy(few, 0, model, end, few.length);
        }
        default -> {
          versions.add(bytes.write(offset, ByteBuffer.wrap(data)));
          model = Arrays.copyOf(model, Math.max(model.length, offset + data.length));
          System.arraycopy(data, 0, model, offset, data.length);
        }
      }
      models.add(model);
    }
    for (int i = 0; i < models.size(); i++) {
      BytesView view = (random.nextBoolean() ? store : elsewhere).open(id).at(versions.get(i));
      assertThat(view.size()).isEqualTo(models.get(i).length);
      int from = random.nextInt(20_000);
      int length = random.nextInt(20_000);
      byte[] expected =
          Arrays.copyOfRange(
              models.get(i),
              Math.min(from, models.get(i).length),
              Math.min(from + length, models.get(i).length));
      assertThat(view.read(from, length)).isEqualTo(ByteBuffer.wrap(expected));
    }
  }

  @Test
  void aCloneAndItsSourceGoTheirOwnWays() {
    VersionedBytes bytes = store.open(id);
    Address early = bytes.write(0, utf8("one"));
    bytes.write(0, utf8("two"));
    store.clone(id, early, clone(1), NONE);
    store.cloneNewest(id, clone(2), NONE);
    bytes.write(0, utf8("six"));
    elsewhere.open(clone(2)).append(utf8("!"), NONE);

    assertThat(text(elsewhere.open(clone(1)).newest())).isEqualTo("one");
    assertThat(text(store.open(clone(2)).newest())).isEqualTo("two!");
    assertThat(text(elsewhere.open(id).newest())).isEqualTo("six");
    assertThat(store.open(clone(2)).newest().cloneDepth()).isEqualTo(1);
  }

  @Test
  void aCloneOfTheOwnPastBringsItBack() {
    VersionedBytes bytes = store.open(id);
    Address wanted = bytes.write(0, utf8("wanted"));
    Address mistake = bytes.truncate(0, NONE);
    for (int i = 0; i < 20; i++) {
      bytes.append(utf8("x"), NONE);
      store.clone(id, wanted, id, NONE);
    }

    assertThat(text(bytes.newest())).isEqualTo("wanted");
    assertThat(text(elsewhere.open(id).newest())).isEqualTo("wanted");
    assertThat(text(bytes.at(mistake))).isEmpty();
    assertThat(bytes.newest().cloneDepth()).isZero();
  }

  @Test
  void clonesOfClonesAreRightAtAnyDepth() {
    store.open(id).write(0, utf8("0"));
    StreamId source = id;
    for (int i = 1; i <= 30; i++) {
      store.cloneNewest(source, clone(i), NONE);
      source = clone(i);
      store.open(source).append(utf8(Integer.toString(i % 10)), NONE);
    }
    BytesStore fresh = BytesStore.over(client(other), SMALL);

    assertThat(text(fresh.open(source).newest())).isEqualTo("0" + "1234567890".repeat(3));
    assertThat(text(fresh.open(clone(3)).newest())).isEqualTo("0123");
  }

  @Test
  void appendsOfSeveralClientsAllStay() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      VersionedBytes bytes = (i % 2 == 0 ? store : elsewhere).open(id);
      ByteBuffer its = utf8("" + (char) ('a' + i));
      threads.add(
          Thread.ofVirtual()
              .start(
                  () -> {
                    for (int k = 0; k < 20; k++) {
                      bytes.append(its.duplicate(), NONE);
                    }
                  }));
    }
    for (Thread thread : threads) {
      thread.join();
    }

    String all = text(store.open(id).newest());
    for (char c = 'a'; c <= 'd'; c++) {
      char wanted = c;
      assertThat(all.chars().filter(one -> one == wanted)).hasSize(20);
    }
  }

  @Test
  void aVersionKeepsItsNote() {
    VersionedBytes bytes = store.open(id);
    Address first = bytes.write(0, utf8("a"), utf8("by ann"));
    bytes.write(0, utf8("b"), utf8("by bob"));

    assertThat(elsewhere.open(id).at(first).note()).isEqualTo(utf8("by ann"));
    assertThat(elsewhere.open(id).newest().note()).isEqualTo(utf8("by bob"));
  }

  @Test
  void dataAndHolesAreToldApart() {
    VersionedBytes bytes = store.open(id);
    bytes.write(10, utf8("data"));
    bytes.truncate(100, NONE);
    BytesView view = bytes.newest();

    assertThat(view.nextData(0)).isEqualTo(OptionalLong.of(10));
    assertThat(view.nextHole(11)).isEqualTo(14);
    assertThat(view.nextData(14)).isEmpty();
    assertThat(view.nextHole(50)).isEqualTo(50);
  }

  @Test
  void aVersionThatDoesNotExistYetIsRefused() {
    VersionedBytes bytes = store.open(id);
    Address beyond = new Address(Long.MAX_VALUE - 1);

    assertThatThrownBy(() -> bytes.at(beyond))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("does not exist yet");
    assertThatThrownBy(() -> store.clone(id, beyond, clone(1), NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void anEntryOfAnotherApplicationIsNamed() {
    client(one).log();
    Streams.over(client(one)).open(id).append(utf8("no record"));

    assertThatThrownBy(() -> store.open(id).newest())
        .isInstanceOf(DamagedRecordException.class)
        .hasMessageContaining("no record of a byte array");
  }

  @Test
  void aVersionWhoseEntriesWereTrimmedIsGone() {
    VersionedBytes bytes = store.open(id);
    Address version = bytes.write(0, utf8("gone"));
    BytesView view = bytes.newest();
    client(one).log().trim(new Address(version.value() - 1));

    assertThatThrownBy(() -> view.read(0, 4))
        .isInstanceOf(VersionForgottenException.class)
        .hasMessageContaining("was trimmed");

    Streams.over(client(one)).open(id).trim(new StreamAddress(1));
    VersionedBytes late = elsewhere.open(id);
    for (int i = 0; i < 2; i++) { // a reader of a stream reports a gap once only
      assertThatThrownBy(late::newest).isInstanceOf(VersionForgottenException.class);
    }
  }

  @Test
  void arraysThatCloneEachOtherAreRight() {
    VersionedBytes first = store.open(id);
    VersionedBytes second = store.open(clone(1));
    first.write(0, utf8("a"));
    store.cloneNewest(id, clone(1), NONE);
    second.append(utf8("b"), NONE);
    store.cloneNewest(clone(1), id, NONE);
    first.append(utf8("c"), NONE);
    store.cloneNewest(id, clone(1), NONE);
    second.append(utf8("d"), NONE);

    for (StreamId one : List.of(id, clone(1))) {
      String expected = one.equals(id) ? "abc" : "abcd";
      BytesStore fresh = BytesStore.over(client(other), SMALL);
      assertThat(text(fresh.open(one).newest())).isEqualTo(expected);
      assertThat(text(fresh.open(one).newest())).isEqualTo(expected);
    }
    assertThat(text(first.newest())).isEqualTo("abc");
    assertThat(text(second.newest())).isEqualTo("abcd");
  }
}
