package corfu.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.runtime.Reconfiguration;
import corfu.runtime.StreamAppend;
import corfu.runtime.TooManyStreamsException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What users of streams see, whatever keeps the streams and whatever carries the messages: each
 * subclass is one such ground.
 */
abstract class StreamConformance {

  /** What streams stand on: a cluster without agents, so that epochs change when a test says so. */
  interface Ground {

    CorfuOptions options();

    World world();

    Transport transport();

    void close();
  }

  private final Ground ground = start();
  private final Corfu corfu = connect();
  private final Streams streams = Streams.over(corfu);
  private final LogStream a = streams.open("a");
  private final LogStream b = streams.open("b");

  abstract Ground start();

  @AfterEach
  void stop() {
    ground.close();
  }

  private Corfu connect() {
    return Corfu.connect(
        ground.options().withHoleTimeout(Duration.ofMillis(30)),
        ground.world(),
        ground.transport());
  }

  private static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  private static StreamAddress at(long streamAddress) {
    return new StreamAddress(streamAddress);
  }

  private static List<String> played(LogStream stream) {
    StreamReader reader = stream.reader();
    reader.sync();
    return texts(reader);
  }

  private static List<String> texts(StreamReader reader) {
    return reader.readRest().stream()
        .map(entry -> entry.streamAddress() + " " + entry.text())
        .toList();
  }

  /** Gets tokens as a writer does who then dies. */
  private void abandonTokens(int count, StreamId... of) {
    Layout layout = corfu.layout();
    for (int i = 0; i < count; i++) {
      var request =
          new SequencerRequest.NextInStreams(
              layout.epoch(), List.of(TokenWish.in(List.of(of))), List.of());
      Peer sequencer = ground.transport().peer(layout.sequencers().getFirst());
      assertThat(Peer.await(sequencer.send(request, Duration.ofSeconds(5).toNanos())))
          .isInstanceOf(SequencerReply.StreamTokens.class);
    }
  }

  private void beginNextEpoch() {
    new Reconfiguration(
            ground.world(), ground.transport(), Duration.ofSeconds(2), Duration.ofSeconds(10))
        .renew(corfu.layout());
  }

  @Test
  void anEntryHasAPlaceInItsStreamAndOneInTheLog() {
    a.append(bytes("a0"));
    b.append(bytes("b0"));
    StreamAppend.Appended third = a.append(bytes("a1"));

    assertThat(third.address()).isEqualTo(new Address(2));
    assertThat(third.in(a.id())).isEqualTo(at(1));
    assertThat(corfu.log().read(new Address(2)))
        .isInstanceOfSatisfying(
            LogEntry.Data.class, data -> assertThat(data.text()).isEqualTo("a1"));
  }

  @Test
  void aReaderGivesTheEntriesOfItsStreamAloneInTheirOrder() {
    for (int i = 0; i < 30; i++) {
      a.append(bytes("a" + i));
      b.append(bytes("b" + i));
      corfu.log().append(bytes("none"));
    }

    assertThat(played(a)).isEqualTo(IntStream.range(0, 30).mapToObj(i -> i + " a" + i).toList());
    assertThat(played(Streams.over(connect()).open("b")))
        .isEqualTo(IntStream.range(0, 30).mapToObj(i -> i + " b" + i).toList());
  }

  @Test
  void aReaderSeesWhatWasAppendedBeforeItsLastSync() {
    StreamReader reader = a.reader();
    assertThat(reader.sync()).isEqualTo(at(0));
    a.append(bytes("first"));
    assertThat(reader.readNext()).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(reader.sync()).isEqualTo(at(1));
    a.append(bytes("second"));
    assertThat(texts(reader)).containsExactly("0 first");
    assertThat(reader.sync()).isEqualTo(at(2));
    assertThat(texts(reader)).containsExactly("1 second");
    assertThat(reader.position()).isEqualTo(at(2));
  }

  @Test
  void anEntryInSeveralStreamsIsInAllOfThem() {
    a.append(bytes("only a"));
    StreamAppend.Appended both = streams.append(List.of(b.id(), a.id()), bytes("both"));

    assertThat(both.in(a.id())).isEqualTo(at(1));
    assertThat(both.in(b.id())).isEqualTo(at(0));
    assertThat(played(a)).containsExactly("0 only a", "1 both");
    assertThat(played(b)).containsExactly("0 both");
    assertThat(((StreamRead.Entry) b.read(at(0))).address()).isEqualTo(both.address());
  }

  @Test
  void anEntryMayBeInAsManyStreamsAsTheClusterAllows() {
    List<StreamId> most =
        IntStream.range(0, 64).mapToObj(i -> StreamId.named("stream " + i)).toList();
    List<StreamId> tooMany = new ArrayList<>(most);
    tooMany.add(a.id());

    streams.append(most, bytes("everywhere"));

    assertThatThrownBy(() -> streams.append(tooMany, bytes("x")))
        .isInstanceOf(TooManyStreamsException.class)
        .hasMessageContaining("65 streams")
        .hasMessageContaining("64");
    assertThat(most).allSatisfy(id -> assertThat(streams.open(id).tail()).isEqualTo(at(1)));
    assertThat(corfu.log().tail()).isEqualTo(new Address(1));
  }

  @Test
  void whoeverAppendsAllReadersSeeTheOrderOfTheLog() {
    List<CompletableFuture<StreamAppend.Appended>> appends = new ArrayList<>();
    for (int client = 0; client < 3; client++) {
      Streams own = Streams.over(connect());
      for (int i = 0; i < 200; i++) {
        List<StreamId> where = i % 3 == 0 ? List.of(a.id(), b.id()) : List.of(a.id());
        appends.add(own.appendAsync(where, bytes(client + ":" + i)));
      }
    }
    appends.forEach(CompletableFuture::join);

    for (LogStream stream : List.of(a, b)) {
      StreamReader reader = Streams.over(connect()).open(stream.id()).reader();
      reader.sync();
      List<StreamRead.Entry> entries = reader.readRest();
      assertThat(entries).hasSize(stream == a ? 600 : 201);
      assertThat(entries).isSortedAccordingTo((x, y) -> x.address().compareTo(y.address()));
      assertThat(entries.stream().map(StreamRead.Entry::streamAddress))
          .isEqualTo(IntStream.range(0, entries.size()).mapToObj(StreamConformance::at).toList());
    }
  }

  @Test
  void placesAreReadAtRandomAndInRanges() {
    IntStream.range(0, 50).forEach(i -> a.append(bytes("a" + i)));

    assertThat(a.read(at(17)))
        .isInstanceOfSatisfying(
            StreamRead.Entry.class, entry -> assertThat(entry.text()).isEqualTo("a17"));
    assertThat(a.read(at(50))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(a.read(at(10), at(13)).stream().map(read -> ((StreamRead.Entry) read).text()))
        .containsExactly("a10", "a11", "a12");
    assertThat(a.read(at(48), at(1000))).hasSize(2);
    assertThat(a.tail()).isEqualTo(at(50));
  }

  @Test
  void aStreamThatNobodyHasWrittenIsEmpty() {
    LogStream unknown = streams.open("unknown");

    assertThat(unknown.tail()).isEqualTo(at(0));
    assertThat(unknown.read(at(0))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(unknown.read(at(0), at(9))).isEmpty();
    assertThat(played(unknown)).isEmpty();
  }

  @Test
  void aReaderMayBeginAnywhere() {
    IntStream.range(0, 20).forEach(i -> a.append(bytes("a" + i)));
    StreamReader late = a.reader(at(18));
    late.sync();

    assertThat(texts(late)).containsExactly("18 a18", "19 a19");
    StreamReader beyond = a.reader(at(20));
    beyond.sync();
    assertThat(texts(beyond)).isEmpty();
  }

  @Test
  void aTokenThatNobodyUsedIsSteppedOver() {
    a.append(bytes("before"));
    abandonTokens(1, a.id(), b.id());
    a.append(bytes("after"));

    assertThat(played(a)).containsExactly("0 before", "2 after");
    assertThat(a.read(at(1))).isEqualTo(StreamRead.Absent.ABSENT);
    assertThat(played(b)).isEmpty();
  }

  @Test
  void whereAllBackpointersLeadToHolesTheStreamGoesOnAllTheSame() {
    a.append(bytes("first"));
    a.append(bytes("second"));
    abandonTokens(9, a.id());
    a.append(bytes("third"));
    abandonTokens(6, a.id());

    assertThat(played(a)).containsExactly("0 first", "1 second", "11 third");
    assertThat(a.tail()).isEqualTo(at(12));
    assertThat(a.append(bytes("fourth")).in(a.id())).isEqualTo(at(18));
    assertThat(played(a)).endsWith("18 fourth");
  }

  @Test
  void aConditionThatHoldsLetsTheEntryIn() {
    a.append(bytes("read"));
    Address snapshot = corfu.log().tail();
    b.append(bytes("something else"));

    StreamAppend outcome =
        streams.appendIf(
            List.of(StreamPart.whole(a.id())),
            new Condition(snapshot.value(), List.of(StreamPart.whole(a.id()))),
            bytes("a1"));

    assertThat(outcome).isInstanceOf(StreamAppend.Appended.class);
    assertThat(played(a)).containsExactly("0 read", "1 a1");
  }

  @Test
  void aConditionThatIsBrokenNamesWhatHasChanged() {
    Address snapshot = corfu.log().tail();
    Address change = a.append(bytes("change")).address();

    StreamAppend outcome =
        streams.appendIf(
            List.of(StreamPart.whole(b.id())),
            new Condition(
                snapshot.value(), List.of(StreamPart.whole(b.id()), StreamPart.whole(a.id()))),
            bytes("never"));

    assertThat(outcome).isEqualTo(new StreamAppend.Conflict(a.id(), OptionalLong.empty(), change));
    assertThat(corfu.log().tail()).isEqualTo(change.plus(1));
    assertThat(played(b)).isEmpty();
  }

  @Test
  void changesOfOtherKeysDoNotStandAgainstAnAppend() {
    StreamPart one = new StreamPart(a.id(), List.of(1L));
    StreamPart two = new StreamPart(a.id(), List.of(2L));
    Condition oneUnchanged = new Condition(0, List.of(one));
    Condition always = new Condition(0, List.of());

    assertThat(streams.appendIf(List.of(two), always, bytes("two")))
        .isInstanceOf(StreamAppend.Appended.class);
    assertThat(streams.appendIf(List.of(one), oneUnchanged, bytes("one")))
        .isInstanceOf(StreamAppend.Appended.class);
    assertThat(streams.appendIf(List.of(one), oneUnchanged, bytes("one again")))
        .isEqualTo(new StreamAppend.Conflict(a.id(), OptionalLong.of(1), new Address(1)));
  }

  @Test
  void streamsGoOnInTheNextEpoch() {
    IntStream.range(0, 7).forEach(i -> a.append(bytes("a" + i)));
    StreamReader reader = a.reader();
    reader.sync();
    abandonTokens(2, a.id(), b.id());
    beginNextEpoch();

    assertThat(a.append(bytes("new")).in(a.id())).isEqualTo(at(7));
    assertThat(b.append(bytes("new")).in(b.id())).isEqualTo(at(0));
    reader.sync();
    assertThat(texts(reader)).hasSize(8).endsWith("6 a6", "7 new");
    assertThat(played(streams.open("a"))).hasSize(8);
    assertThat(played(streams.open("never"))).isEmpty();
  }

  @Test
  void aConditionIsNotGrantedInVainAcrossEpochs() {
    Address snapshot = corfu.log().tail();
    Address change = a.append(bytes("change")).address();
    beginNextEpoch();
    Condition unchanged = new Condition(snapshot.value(), List.of(StreamPart.whole(a.id())));

    assertThat(streams.appendIf(List.of(StreamPart.whole(b.id())), unchanged, bytes("x")))
        .isEqualTo(new StreamAppend.Conflict(a.id(), OptionalLong.empty(), change));
    Condition since = new Condition(change.value() + 1, List.of(StreamPart.whole(a.id())));
    assertThat(streams.appendIf(List.of(StreamPart.whole(b.id())), since, bytes("x")))
        .isInstanceOf(StreamAppend.Appended.class);
  }

  @Test
  void aPlaceIsNeverGivenTwiceWhateverWasTrimmed() {
    IntStream.range(0, 5).forEach(i -> a.append(bytes("a" + i)));
    corfu.log().prefixTrim(new Address(5));
    beginNextEpoch();

    StreamAddress next = a.append(bytes("new")).in(a.id());

    assertThat(next.value()).isGreaterThanOrEqualTo(5);
    StreamReader reader = a.reader();
    reader.sync();
    assertThat(reader.readRest()).extracting(StreamRead.Entry::text).containsExactly("new");
  }

  @Test
  void whatIsTrimmedIsGoneAndTheRestIsNot() {
    IntStream.range(0, 10).forEach(i -> a.append(bytes("a" + i)));
    a.trim(at(6));

    assertThat(a.read(at(5))).isEqualTo(new StreamRead.Trimmed(at(6)));
    assertThat(a.read(at(0), at(8))).hasSize(3).startsWith(new StreamRead.Trimmed(at(6)));
    StreamReader reader = a.reader();
    reader.sync();
    assertThat(reader.readNext()).isEqualTo(new StreamRead.Trimmed(at(6)));
    assertThat(texts(reader)).containsExactly("6 a6", "7 a7", "8 a8", "9 a9");
    assertThat(corfu.log().read(new Address(5))).isEqualTo(new LogEntry.Trimmed(new Address(5)));
    assertThat(corfu.log().read(new Address(6))).isInstanceOf(LogEntry.Data.class);
  }

  @Test
  void aStreamThatIsTrimmedToItsEndGoesOnBehindIt() {
    IntStream.range(0, 3).forEach(i -> a.append(bytes("a" + i)));
    a.trim(at(3));

    assertThat(a.tail()).isEqualTo(at(3));
    assertThat(played(a)).isEmpty();
    assertThat(a.append(bytes("next")).in(a.id())).isEqualTo(at(3));
    assertThat(played(a)).containsExactly("3 next");
  }

  @Test
  void anAddressIsGivenBackWhenNoStreamNeedsItAnyMore() {
    Address both = streams.append(List.of(a.id(), b.id()), bytes("both")).address();
    a.trim(at(1));
    assertThat(corfu.log().read(both)).isInstanceOf(LogEntry.Data.class);
    assertThat(played(b)).containsExactly("0 both");

    b.trim(at(1));

    assertThat(corfu.log().read(both)).isEqualTo(new LogEntry.Trimmed(both));
  }

  @Test
  void readersAreSyncedTogether() {
    List<StreamReader> readers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      LogStream stream = streams.open("many " + i);
      for (int j = 0; j < i % 4; j++) {
        var unused = stream.appendAsync(bytes(i + "." + j));
      }
      readers.add(stream.reader());
    }
    corfu.log().append(bytes("behind all of them"));

    assertThat(streams.sync(readers))
        .isEqualTo(IntStream.range(0, 100).mapToObj(i -> at(i % 4)).toList());
    assertThat(readers.get(7).readRest())
        .extracting(StreamRead.Entry::text)
        .containsExactly("7.0", "7.1", "7.2");
  }

  @Test
  void streamsWithEntriesAreListed() {
    a.append(bytes("a0"));
    a.append(bytes("a1"));
    b.append(bytes("b0"));

    assertThat(streams.list()).containsOnlyKeys(a.id(), b.id()).containsEntry(a.id(), at(2));
  }

  @Test
  void theReservedStreamIsNobodys() {
    assertThatThrownBy(() -> streams.open(StreamId.NONE))
        .isInstanceOf(IllegalArgumentException.class);
  }

  /** The next ones that a subscriber was given; a lost one is waited for in vain. */
  private static List<String> next(int count, BlockingQueue<String> given)
      throws InterruptedException {
    List<String> next = new ArrayList<>();
    while (next.size() < count) {
      next.add(given.take());
    }
    return next;
  }

  private static Subscriber into(BlockingQueue<String> given) {
    return new Subscriber() {
      @Override
      public void onEntry(StreamRead.Entry entry) {
        given.add(entry.streamAddress() + " " + entry.text());
      }

      @Override
      public void onTrimmed(StreamAddress before) {
        given.add("trimmed before " + before);
      }
    };
  }

  @Test
  @Timeout(60)
  void aSubscriberIsGivenWhatWasThereAndWhatComesAlsoInTheNextEpoch() throws InterruptedException {
    BlockingQueue<String> given = new LinkedBlockingQueue<>();
    a.append(bytes("a0"));
    try (Corfu other = connect();
        Subscription subscription =
            Streams.over(other).open("a").subscribe(StreamAddress.ZERO, into(given))) {
      a.append(bytes("a1"));
      assertThat(next(2, given)).containsExactly("0 a0", "1 a1");
      beginNextEpoch();
      b.append(bytes("b0"));
      a.append(bytes("a2"));

      assertThat(next(1, given)).containsExactly("2 a2");
      assertThat(subscription.position()).isIn(at(2), at(3)); // the call may not have returned
    }
  }

  @Test
  @Timeout(60)
  void aSubscriberIsToldOfWhatWasTrimmedBeforeItBegan() throws InterruptedException {
    BlockingQueue<String> given = new LinkedBlockingQueue<>();
    for (int i = 0; i < 5; i++) {
      a.append(bytes("a" + i));
    }
    a.trim(at(3));
    try (Corfu other = connect();
        Subscription subscription =
            Streams.over(other).open("a").subscribe(StreamAddress.ZERO, into(given))) {
      assertThat(next(3, given)).containsExactly("trimmed before 3", "3 a3", "4 a4");
      assertThat(subscription.stream()).isEqualTo(a.id());
    }
  }
}
