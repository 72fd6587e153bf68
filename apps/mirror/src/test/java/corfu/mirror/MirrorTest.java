package corfu.mirror;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.mirror.MirrorException.Reason;
import corfu.node.EmbeddedCluster;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.store.Changes;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MirrorTest {

  private static final StreamId A = StreamId.named("a");
  private static final StreamId B = StreamId.named("b");

  private final EmbeddedCluster here = EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private final EmbeddedCluster there = EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private final Corfu source = here.connect();
  private final Corfu target = there.connect();

  @AfterEach
  void stop() {
    here.close();
    there.close();
  }

  private Reconfiguration changes() {
    return new Reconfiguration(
        there.world(), there.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
  }

  private Mirror open(MirrorOptions options) {
    return Mirror.open(source, there.connect(), changes(), options);
  }

  private Mirror open() {
    return open(MirrorOptions.DEFAULT);
  }

  private static void copyAll(Mirror mirror) {
    while (mirror.step() > 0) {
      // until nothing is left
    }
  }

  private Promotion promotion() {
    return new Promotion(there.connect(), changes());
  }

  private Address append(String text, StreamId... streams) {
    ByteBuffer payload = ByteBuffer.wrap(text.getBytes(UTF_8));
    return streams.length == 0
        ? source.log().append(payload)
        : Streams.over(source).append(List.of(streams), payload).address();
  }

  private static List<String> texts(Corfu corfu, StreamId stream) {
    StreamReader reader = Streams.over(corfu).open(stream).reader();
    reader.sync();
    return reader.readRest().stream().map(StreamRead.Entry::text).toList();
  }

  private static List<LogEntry> all(Corfu corfu) {
    return corfu.log().read(new Address(0), corfu.log().tail());
  }

  @Test
  void aMirrorHoldsTheSameEntriesAtTheSameAddresses() {
    append("1");
    append("2", A);
    AbandonedToken.fill(here, source);
    append("3", A, B);
    append("4", B);

    copyAll(open());

    assertThat(all(target)).isEqualTo(all(source)).hasSize(5);
    assertThat(texts(target, A)).containsExactly("2", "3");
    assertThat(texts(target, B)).containsExactly("3", "4");
  }

  @Test
  void whatIsAppendedLaterComesLater() {
    Mirror mirror = open();
    assertThat(mirror.step()).isZero();
    append("1", A);
    assertThat(mirror.status().lag()).hasValue(1);
    copyAll(mirror);
    assertThat(texts(target, A)).containsExactly("1");
    append("2", A);
    append("3", A);
    copyAll(mirror);
    assertThat(mirror.status().lag()).hasValue(0);
    assertThat(texts(target, A)).containsExactly("1", "2", "3");
  }

  @Test
  void someStreamsAreMirroredWithoutTheOthers() {
    append("1");
    append("2", A);
    append("3", A, B);
    append("4", B);

    copyAll(open(MirrorOptions.DEFAULT.withStreams(List.of(A))));

    assertThat(texts(target, A)).containsExactly("2", "3");
    assertThat(Streams.over(target).list().map(Map.Entry::getKey)).containsExactly(A);
    assertThat(target.log().read(new Address(3))).isInstanceOf(LogEntry.Hole.class);
    assertThat(target.log().tail()).isEqualTo(new Address(4));
  }

  @Test
  void nobodyAppendsToAMirror() {
    append("1", A);
    copyAll(open());

    assertThatThrownBy(() -> target.log().append(new byte[1]))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("promote the mirror");
    assertThatThrownBy(() -> Streams.over(target).open(A).append(new byte[1]))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void twoMirrorsDoTheSameWork() {
    Mirror one = open(MirrorOptions.DEFAULT.withMaxPiece(3));
    Mirror other = open(MirrorOptions.DEFAULT.withMaxPiece(2));
    for (int i = 0; i < 40; i++) {
      append("entry " + i, i % 3 == 0 ? B : A);
      if (i % 4 == 0) {
        one.step();
        other.step();
      }
    }
    copyAll(one);
    copyAll(other);

    assertThat(all(target)).isEqualTo(all(source));
    assertThat(texts(target, A)).isEqualTo(texts(source, A));
  }

  @Test
  void copyingGoesOnWhereServersDieOnBothSides() {
    Mirror mirror = open(MirrorOptions.DEFAULT.withMaxPiece(8));
    for (int i = 0; i < 100; i++) {
      append("entry " + i, i % 2 == 0 ? A : B);
    }
    mirror.step();
    there.kill("n1");
    mirror.step();
    here.kill("n2");
    copyAll(mirror);

    assertThat(texts(target, A)).isEqualTo(texts(source, A)).hasSize(50);
    assertThat(all(target)).isEqualTo(all(source));
  }

  @Test
  void aReconfigurationOfTheMirrorLosesNothing() {
    for (int i = 0; i < 50; i++) {
      append("entry " + i, A);
    }
    Mirror mirror = open(MirrorOptions.DEFAULT.withMaxPiece(4));
    while (mirror.step() > 0) {
      changes().renew(target.layout());
    }
    assertThat(texts(target, A)).isEqualTo(texts(source, A));
  }

  @Test
  void aPromotedMirrorIsAClusterOfItsOwn() {
    append("1", A);
    append("2", A, B);
    Mirror mirror = open();
    copyAll(mirror);
    append("3, which is not copied", A);
    here.close();

    Address own = promotion().unlessTheSourceLives(Optional.empty());

    assertThat(own).isEqualTo(new Address(2));
    var appended = Streams.over(target).open(A).append("3, here".getBytes(UTF_8));
    assertThat(appended.address()).isEqualTo(own);
    assertThat(appended.in(A)).isEqualTo(new StreamAddress(2));
    assertThat(texts(target, A)).containsExactly("1", "2", "3, here");
    assertThat(Mirror.status(target, Optional.empty()).origin()).isEmpty();
  }

  @Test
  void aMirrorWhoseSourceLivesIsNotPromotedButByForce() {
    append("1", A);
    Mirror mirror = open();
    copyAll(mirror);

    assertThatThrownBy(() -> promotion().unlessTheSourceLives(Optional.of(source)))
        .isInstanceOfSatisfying(
            MirrorException.class, why -> assertThat(why.reason()).isEqualTo(Reason.SOURCE_LIVES));
    assertThat(promotion().byForce()).isEqualTo(new Address(1));

    append("2", A);
    assertThatThrownBy(mirror::step)
        .isInstanceOf(MirrorException.class)
        .hasMessageContaining("has been promoted");
    assertThatThrownBy(this::open)
        .isInstanceOf(MirrorException.class)
        .hasMessageContaining("fresh");
    assertThatThrownBy(() -> promotion().byForce()).hasMessageContaining("mirrors nothing");
    assertThat(texts(target, A)).containsExactly("1");
  }

  @Test
  void aMirrorIsPromotedOnlyWhenItHasWhatItsSourceHeldAtTheBeginning() {
    for (int i = 0; i < 20; i++) {
      append("entry " + i, A);
    }
    Mirror mirror = open(MirrorOptions.DEFAULT.withMaxPiece(5));
    mirror.step();
    here.close();
    assertThatThrownBy(() -> promotion().unlessTheSourceLives(Optional.empty()))
        .isInstanceOf(MirrorException.class)
        .hasMessageContaining("complete");
    assertThat(promotion().byForce()).isEqualTo(new Address(5));
  }

  @Test
  void onlyAFreshClusterBecomesAMirrorAndOfOneSourceOnly() {
    assertThatThrownBy(() -> Mirror.open(target, target, changes(), MirrorOptions.DEFAULT))
        .hasMessageContaining("itself");
    append("1", A);
    copyAll(open());
    var others = MirrorOptions.DEFAULT.withStreams(List.of(B));
    assertThatThrownBy(() -> open(others))
        .isInstanceOf(MirrorException.class)
        .hasMessageContaining("mirrors everything");
    promotion().byForce();
    target.log().append(new byte[1]);
    assertThatThrownBy(this::open).hasMessageContaining("entries of its own");
  }

  @Test
  void aMirrorThatWasCutOffForLongerThanHistoryIsKeptSaysSo() {
    for (int i = 0; i < 6; i++) {
      append("entry " + i, A);
    }
    copyAll(open());
    for (int i = 6; i < 12; i++) {
      append("entry " + i, A);
    }
    Streams.over(source).open(A).trim(new StreamAddress(8));

    assertThatThrownBy(() -> copyAll(open()))
        .isInstanceOfSatisfying(
            MirrorException.class, why -> assertThat(why.reason()).isEqualTo(Reason.CUT_OFF));
    assertThat(texts(target, A)).hasSize(6);

    var goOn = MirrorOptions.DEFAULT.withCutOff(MirrorOptions.CutOff.GO_ON);
    Mirror mirror = open(goOn.withMaxPiece(1));
    mirror.step();
    assertThat(mirror.status().isComplete()).isFalse();
    copyAll(mirror);
    assertThat(mirror.status().isComplete()).isTrue();
  }

  @Test
  void whatTheSourceForgotBeforeItWasMirroredIsForgottenHere() {
    for (int i = 0; i < 10; i++) {
      append("entry " + i, i < 5 ? A : B);
    }
    Streams.over(source).open(A).trim(new StreamAddress(3));
    source.log().prefixTrim(new Address(2));
    Mirror mirror = open(MirrorOptions.DEFAULT.withForgetEvery(Duration.ZERO));
    copyAll(mirror);
    copyAll(mirror);

    assertThat(texts(target, A)).isEqualTo(texts(source, A)).hasSize(2);
    StreamReader reader = Streams.over(target).open(A).reader();
    reader.sync();
    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(new StreamAddress(3)));
    assertThat(texts(target, B)).hasSize(5);
  }

  @Test
  void aSourceWhoseBeginningIsGoneIsMirroredFromThere() {
    for (int i = 0; i < 100; i++) {
      append("entry " + i, i % 2 == 0 ? A : B);
    }
    here.kill("n3"); // what comes now is in a segment of its own
    Address middle = Address.ZERO;
    for (int i = 100; i < 200; i++) {
      Address at = append("entry " + i, i % 2 == 0 ? A : B);
      middle = i == 150 ? at : middle;
    }
    source.log().prefixTrim(middle);
    new Reconfiguration(
            here.world(), here.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5))
        .renew(source.layout());
    source.servers(); // learns of the new layout
    assertThat(source.streamAccess().beginning().value()).isBetween(90L, middle.value());

    copyAll(open());

    assertThat(texts(target, A)).isEqualTo(texts(source, A)).hasSize(25);
    assertThat(target.log().read(new Address(7))).isInstanceOf(LogEntry.Trimmed.class);
    long tail = source.log().tail().value();
    promotion().byForce();
    assertThat(target.log().append(new byte[1])).isEqualTo(new Address(tail));
  }

  @Test
  void objectsAndStoresAreReadInTheMirrorAndGoOnInTheCluster() {
    ReplicatedObjects objects = ReplicatedObjects.over(source);
    var type = ReplicatedMap.of(String.class, Long.class);
    Map<String, Long> stock = objects.open("stock", type);
    stock.put("pens", 1L);
    objects.checkpoint(stock);
    long version;
    try (KeyValueStore store =
        KeyValueStore.open(source, "things", StoreOptions.DEFAULT.withInlineBytes(0))) {
      version = store.put("a", "1".getBytes(UTF_8));
      store.checkpoint();
      store.write(new Changes().put("b", "2".getBytes(UTF_8)));
    }
    objects.transact(() -> stock.put("books", stock.get("pens") + 1));
    copyAll(open());

    Map<String, Long> mirrored = ReplicatedObjects.over(target).open("stock", type);
    assertThat(mirrored).containsEntry("pens", 1L).containsEntry("books", 2L);
    try (KeyValueStore store = KeyValueStore.open(target, "things", StoreOptions.DEFAULT)) {
      assertThat(store.get("a").orElseThrow().version()).isEqualTo(version);
      promotion().byForce();
      assertThat(store.scan("", 9)).containsOnlyKeys("a", "b");
      store.put("c", "3".getBytes(UTF_8));
      assertThat(store.scan("", 9)).hasSize(3);
    }
    mirrored.put("lamps", 3L);
    assertThat(mirrored).hasSize(3);
  }

  @Test
  void streamsWithReplicasOfTheirOwnAreMirroredToo() {
    try (EmbeddedCluster wide =
        EmbeddedCluster.builder().nodes(4).replicas(1).streamReplicas(1).start()) {
      for (int i = 0; i < 20; i++) {
        append("entry " + i, i % 2 == 0 ? A : B);
      }
      append("both", A, B);
      Corfu mirrored = wide.connect();
      var changes =
          new Reconfiguration(
              wide.world(), wide.transport(), Duration.ofSeconds(2), Duration.ofSeconds(5));
      copyAll(Mirror.open(source, mirrored, changes, MirrorOptions.DEFAULT));
      assertThat(texts(mirrored, A)).isEqualTo(texts(source, A)).hasSize(11);
      assertThat(texts(mirrored, B)).isEqualTo(texts(source, B)).hasSize(11);
    }
  }

  @Test
  void copyingGoesOnUntilItShallNot() {
    List<String> wanted = new ArrayList<>();
    for (int i = 0; i < 30; i++) {
      wanted.add("entry " + i);
      append("entry " + i, A);
    }
    Mirror mirror = open();
    mirror.run(() -> mirror.status().lag().orElse(1) > 0, trouble -> {});
    assertThat(texts(target, A)).isEqualTo(wanted);
  }
}
