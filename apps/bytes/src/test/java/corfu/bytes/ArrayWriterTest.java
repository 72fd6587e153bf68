package corfu.bytes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;

/** Arrays with one writer at a time. */
class ArrayWriterTest {

  private static final ByteBuffer NONE = ByteBuffer.allocate(0);
  private static final EmbeddedCluster CLUSTER =
      EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private static final Corfu ONE = CLUSTER.connect();
  private static final Corfu OTHER = CLUSTER.connect();

  private final BytesStore store = BytesStore.over(ONE);
  private final BytesStore elsewhere = BytesStore.over(OTHER);
  private StreamId id = StreamId.named("unnamed");

  @AfterAll
  static void stop() {
    ONE.close();
    OTHER.close();
    CLUSTER.close();
  }

  @BeforeEach
  void name(TestInfo test) {
    id = StreamId.named("writer: " + test.getDisplayName());
  }

  private static ByteBuffer utf8(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static RangeChange write(long offset, String text) {
    return new RangeChange.Write(offset, utf8(text));
  }

  private static WriteOutcome append(ArrayWriter writer, RangeChange... changes) {
    return writer.append(List.of(changes), NONE).join();
  }

  private static String text(BytesView view) {
    return UTF_8.decode(view.read(0, 1_000)).toString();
  }

  private ArrayWriter takeOver(BytesStore by, String name) {
    return ArrayWriter.takeOver(by.open(id), utf8(name));
  }

  @Test
  void changesOfOneAppendAreMadeInTheirOrderAndAreOneEntry() {
    ArrayWriter writer = takeOver(store, "one");

    WriteOutcome outcome =
        append(
            writer,
            write(0, "abcdefgh"),
            new RangeChange.Punch(2, 2),
            write(3, "X"),
            new RangeChange.Resize(6));

    assertThat(text(writer.view())).isEqualTo("ab\0Xef");
    assertThat(outcome).isEqualTo(new WriteOutcome.Written(writer.view().version()));
    BytesView seen = elsewhere.open(id).newest();
    assertThat(text(seen)).isEqualTo("ab\0Xef");
    assertThat(seen.version()).isEqualTo(writer.view().version());
  }

  @Test
  void aTakeOverFencesTheEarlierWriterAndKeepsWhatItHasWritten() {
    ArrayWriter first = takeOver(store, "one");
    append(first, write(0, "first"));

    ArrayWriter second = takeOver(elsewhere, "two");

    assertThat(text(second.view())).isEqualTo("first");
    assertThat(append(first, write(0, "late!")))
        .isInstanceOfSatisfying(
            WriteOutcome.Fenced.class,
            fenced -> {
              assertThat(fenced.by().owner()).isEqualTo(utf8("two"));
              assertThat(fenced.by().epoch()).isEqualTo(2);
            });
    assertThat(first.fencedBy()).map(Owner::epoch).contains(2L);
    append(second, write(0, "2"));
    assertThat(text(second.view())).isEqualTo("2irst");
    assertThat(text(store.open(id).newest())).isEqualTo("2irst");
    assertThat(text(BytesStore.over(ONE).open(id).newest())).isEqualTo("2irst");
  }

  @Test
  void aWriterHearsOfItsSuccessorWithoutAnAppend() {
    ArrayWriter first = takeOver(store, "one");
    CompletableFuture<Owner> heard = new CompletableFuture<>();
    first.onFenced(heard::complete);

    ArrayWriter second = takeOver(elsewhere, "two");

    assertThat(heard.join()).isEqualTo(ArrayWriter.owner(second.array()).orElseThrow());
    CompletableFuture<Owner> again = new CompletableFuture<>();
    first.onFenced(again::complete);
    assertThat(again).isCompletedWithValue(heard.join());
  }

  @Test
  void aReleasedArrayHasNoWriterAndAnybodyMayChangeIt() {
    ArrayWriter writer = takeOver(store, "one");
    append(writer, write(0, "abc"));
    assertThat(ArrayWriter.owner(elsewhere.open(id))).map(Owner::owner).contains(utf8("one"));
    assertThatThrownBy(() -> elsewhere.open(id).write(0, utf8("X")))
        .isInstanceOf(ArrayHasWriterException.class)
        .hasMessageContaining(id.toString())
        .hasMessageContaining("nothing was changed");

    writer.release();
    writer.release();

    assertThat(ArrayWriter.owner(elsewhere.open(id))).isEmpty();
    elsewhere.open(id).write(1, utf8("X"));
    assertThat(text(store.open(id).newest())).isEqualTo("aXc");
    assertThatThrownBy(() -> append(writer, write(0, "late"))).hasMessageContaining("released");
  }

  @Test
  void aChangeOfAClientThatDoesNotKnowTheWriterHasNoEffect() {
    VersionedBytes ignorant = elsewhere.open(id);
    ArrayWriter writer = takeOver(store, "one");
    append(writer, write(0, "abc"));

    ignorant.write(0, utf8("XYZ"));
    append(writer, write(1, "2"));

    assertThat(text(writer.view())).isEqualTo("a2c");
    assertThat(text(ignorant.newest())).isEqualTo("a2c");
  }

  @Test
  void aNewClientKnowsTheWriterFromACheckpoint() {
    ArrayWriter writer = takeOver(store, "one");
    append(writer, write(0, "abc"));
    elsewhere.open(id).checkpoint();
    BytesStore fresh = BytesStore.over(OTHER);

    assertThat(text(fresh.open(id).newest())).isEqualTo("abc");
    assertThat(ArrayWriter.owner(fresh.open(id))).map(Owner::owner).contains(utf8("one"));
    append(writer, write(0, "X"));
    assertThat(text(fresh.open(id).newest())).isEqualTo("Xbc");
    assertThat(takeOver(fresh, "two").epoch()).isEqualTo(2);
  }

  @Test
  void aCloneBeginsWithoutAWriter() {
    ArrayWriter writer = takeOver(store, "one");
    append(writer, write(0, "abc"));
    BytesOrigin origin = writer.view().asOrigin();
    StreamId copy = StreamId.named("copy of " + id);

    VersionedBytes clone = elsewhere.open(copy, Optional.of(origin));
    clone.write(0, utf8("X"));

    assertThat(text(clone.newest())).isEqualTo("Xbc");
    assertThat(ArrayWriter.takeOver(clone, NONE).epoch()).isEqualTo(1);
  }

  @Test
  void manyAppendsInFlightEndInAnOrderThatAllClientsSee() {
    ArrayWriter writer = takeOver(store, "one");
    List<CompletableFuture<WriteOutcome>> appends = new ArrayList<>();
    Random random = new Random(3);
    for (int i = 0; i < 500; i++) {
      byte[] data = new byte[1 + random.nextInt(3_000)];
      random.nextBytes(data);
      appends.add(
          writer.append(
              List.of(
                  new RangeChange.Write(random.nextInt(20_000), ByteBuffer.wrap(data)),
                  new RangeChange.Punch(random.nextInt(20_000), 10)),
              NONE));
    }

    assertThat(appends)
        .allSatisfy(append -> assertThat(append.join()).isInstanceOf(WriteOutcome.Written.class));

    ByteBuffer mine = writer.view().read(0, 40_000);
    assertThat(elsewhere.open(id).newest().read(0, 40_000)).isEqualTo(mine);
    assertThat(store.open(id).newest().read(0, 40_000)).isEqualTo(mine);
  }

  @Test
  void olderVersionsOfAWritersArrayStayReadable() {
    ArrayWriter writer = takeOver(store, "one");
    List<Address> versions = new ArrayList<>();
    for (int i = 0; i < 10; i++) {
      if (append(writer, write(0, "" + i)) instanceof WriteOutcome.Written written) {
        versions.add(written.version());
      }
    }

    for (int i = 0; i < 10; i++) {
      assertThat(text(store.open(id).at(versions.get(i)))).isEqualTo("" + i);
      assertThat(text(elsewhere.open(id).at(versions.get(i)))).isEqualTo("" + i);
    }
  }

  @Test
  void appendsOutOfBoundsAreRefused() {
    ArrayWriter writer = takeOver(store, "one");

    assertThatThrownBy(() -> append(writer)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> append(writer, new RangeChange.Write(0, NONE)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> append(writer, new RangeChange.Punch(-1, 1)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> append(writer, new RangeChange.Resize(Long.MAX_VALUE)))
        .isInstanceOf(IllegalArgumentException.class);
    ByteBuffer large = ByteBuffer.allocate(BytesOptions.DEFAULT.maxEntryBytes() + 1);
    assertThatThrownBy(() -> append(writer, new RangeChange.Write(0, large)))
        .hasMessageContaining("append several times");
    assertThatThrownBy(() -> takeOver(store, "x".repeat(256)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
