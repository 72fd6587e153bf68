package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Readers with a long unread stream. */
class FarBehindTest {

  private static final StreamId STREAM = StreamId.named("a");
  private static final int MANY = 1_000;

  /** Abandoned tokens: more than an entry has backpointers. */
  private static final int LOST = 8;

  private final Scenario scenario = new Scenario(2);
  private final AtomicInteger requests = new AtomicInteger();

  @Test
  void theyDoNotWalkAllTheWay() {
    appendMany();

    assertThat(places()).containsExactlyElementsOf(from(0, MANY));
    assertThat(requests).hasValueLessThan(MANY / 20);
  }

  @Test
  void theyDecideTheTokensInBetweenThatNobodyHasUsed() {
    appendMany();
    takeToken();
    appendMany();

    List<Long> expected = from(0, MANY);
    expected.addAll(from(MANY + 1, 2 * MANY + 1));
    assertThat(places()).isEqualTo(expected);
    assertThat(requests).hasValueLessThan(MANY / 10);
  }

  @Test
  void theyPassOverWhatIsTrimmed() {
    appendMany();
    scenario.client(
        corfu -> {
          Streams.over(corfu).open(STREAM).trim(new StreamAddress(MANY / 2));
          return corfu;
        });

    assertThat(places()).containsExactlyElementsOf(from(MANY / 2, MANY));
  }

  /**
   * Seed 790422: the readers found entries that followed the end of an older epoch without a gap.
   * They returned an end before these entries.
   */
  @Test
  void theirEndIsBehindPlacesThatWereGivenAgainSinceTheyAskedForIt() {
    appendMany();
    IntStream.range(0, LOST).forEach(i -> takeToken());

    scenario.client(
        corfu -> {
          Streams streams = Streams.over(corfu);
          StreamEnds ends = streams.ends(List.of(STREAM));
          LongStream.range(MANY, MANY + LOST).forEach(at -> corfu.log().fill(new Address(at)));
          scenario.anotherReconfigures(how -> how.renew(scenario.newest())).join();
          for (int i = 0; i < LOST; i++) {
            var again = streams.open(STREAM).append(ByteBuffer.allocate(8));
            assertThat(again.places().getFirst().streamAddress().value()).isEqualTo(MANY + i);
          }

          StreamReader reader = streams.open(STREAM).reader();
          long end = reader.sync(ends).value();
          assertThat(end).isBetween((long) MANY, ends.end(STREAM).value());
          assertThat(placesOf(reader)).isEqualTo(from(0, end));
          return corfu;
        });
  }

  private static List<Long> from(long first, long end) {
    return new ArrayList<>(LongStream.range(first, end).boxed().toList());
  }

  private void appendMany() {
    scenario.client(FarBehindTest::appendMany);
  }

  private static Corfu appendMany(Corfu corfu) {
    List<CompletableFuture<?>> appends = new ArrayList<>();
    for (int i = 0; i < MANY; i++) {
      appends.add(Streams.over(corfu).open(STREAM).appendAsync(ByteBuffer.allocate(8)));
    }
    appends.forEach(CompletableFuture::join);
    return corfu;
  }

  /** Gets a token, and abandons it. */
  private void takeToken() {
    var wish = TokenWish.in(List.of(STREAM));
    scenario.ask(
        scenario.arrangement.sequencer(),
        new SequencerRequest.NextInStreams(scenario.newest().epoch(), List.of(wish), List.of()));
  }

  /** Returns the stream addresses that a new client reads; counts its requests to log units. */
  private List<Long> places() {
    return scenario.client(
        (corfu, way) -> {
          way.answer(
              request -> {
                requests.addAndGet(request instanceof LogUnitRequest ? 1 : 0);
                return Optional.empty();
              });
          StreamReader reader = Streams.over(corfu).open(STREAM).reader();
          reader.sync();
          return placesOf(reader);
        });
  }

  private static List<Long> placesOf(StreamReader reader) {
    return reader.readRest().stream()
        .map(StreamRead.Entry::streamAddress)
        .map(StreamAddress::value)
        .toList();
  }
}
