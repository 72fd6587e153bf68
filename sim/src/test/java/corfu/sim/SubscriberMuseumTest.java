package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscriber;
import corfu.sim.cluster.SimServer;
import corfu.sim.history.Payloads;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Errors that seeds have found in subscriptions, step by step. */
class SubscriberMuseumTest {

  private static final StreamId STREAM = StreamId.named("a");
  private static final StreamId LATE = StreamId.named("late");
  private static final Duration FOR_A_WHILE = Duration.ofSeconds(3);

  /** From one poll of the streams' ends to the middle before the next one. */
  private static final Duration BETWEEN_LOOKS = Duration.ofMillis(500);

  private final Scenario scenario = new Scenario(2);

  /** Records its calls as text. */
  private static final class Ear implements Subscriber {
    final List<String> told = new ArrayList<>();

    @Override
    public void onEntry(StreamRead.Entry entry) {
      told.add("entry " + entry.streamAddress());
    }

    @Override
    public void onError(RuntimeException failure) {
      told.add("error: " + failure);
    }

    @Override
    public void onClosed() {
      told.add("closed");
    }
  }

  /** Seed 100644: a reader may have to write a hole, for which there was no space. */
  @Test
  void aFullDiskEndsNoSubscription() {
    takeToken();
    scenario.client(SubscriberMuseumTest::append);
    Ear ear = new Ear();

    scenario.client(
        (corfu, way) -> {
          way.answer(SubscriberMuseumTest::thereIsNoSpace);
          subscribe(corfu, ear);
          assertThat(ear.told).isEmpty();
          way.answer(request -> Optional.empty());
          waitFor(corfu);
          return ear;
        });

    assertThat(ear.told).containsExactly("entry 1");
  }

  /** Seed 100494: both replicas sent an entry that was damaged on its way. */
  @Test
  void anEntryThatArrivesDamagedForAWhileEndsNoSubscription() {
    scenario.client(SubscriberMuseumTest::append);
    Ear ear = new Ear();

    scenario.client(
        corfu -> {
          scenario.simulator.network.flipBits(1000);
          subscribe(corfu, ear);
          assertThat(ear.told).isEmpty();
          scenario.simulator.network.flipBits(0);
          waitFor(corfu);
          return ear;
        });

    assertThat(ear.told).containsExactly("entry 0");
  }

  @Test
  void anEntryThatIsDamagedForGoodEndsItsSubscription() {
    scenario.client(SubscriberMuseumTest::append);
    Ear ear = new Ear();

    scenario.client(
        corfu -> {
          scenario.simulator.network.flipBits(1000);
          subscribe(corfu, ear);
          for (int i = 0; i < 4; i++) {
            waitFor(corfu);
          }
          return ear;
        });

    assertThat(ear.told).hasSize(2).endsWith("closed");
    assertThat(ear.told.getFirst()).contains("CorruptEntryException", "address 0");
  }

  @Test
  void whoIsRefusedByUnitsThatHaveNoRoomDoesNotInsist() {
    scenario.client(SubscriberMuseumTest::append);
    Ear ear = new Ear();
    List<Request> refused = new ArrayList<>();

    scenario.client(
        (corfu, way) -> {
          way.answer(
              request -> {
                if (request instanceof LogUnitRequest.Follow) {
                  refused.add(request);
                  return Optional.of(new LogUnitReply.Following(0));
                }
                return Optional.empty();
              });
          subscribe(corfu, ear);
          waitFor(corfu);
          return ear;
        });

    assertThat(ear.told).containsExactly("entry 0");
    assertThat(refused).hasSize(2); // once by the last unit of each chain
  }

  @Test
  void aStreamThatUnitsHadNoRoomForIsToldOfOnceTheyHave() {
    Ear late = new Ear();
    List<Request> refused = new ArrayList<>();
    boolean[] isRoom = {false};

    scenario.client(
        (corfu, way) -> {
          Streams streams = Streams.over(corfu);
          streams.open(STREAM).subscribe(StreamAddress.ZERO, new Ear());
          waitFor(corfu);
          way.answer(
              request -> {
                if (isRoom[0] || !isFollowOf(LATE, request)) {
                  return Optional.empty();
                }
                refused.add(request);
                return Optional.of(new LogUnitReply.Following(1)); // the earlier stream
              });
          streams.open(LATE).subscribe(StreamAddress.ZERO, late);
          waitFor(corfu);
          assertThat(refused).hasSize(2); // once by the last unit of each chain
          isRoom[0] = true;
          corfu.streamAccess().world().pause(LogUnitRequest.Listen.PATIENCE);
          way.lose(SequencerRequest.AskStreams.class::isInstance); // it can't poll by itself
          scenario.another(other -> Streams.over(other).open(LATE).append(Payloads.of("x", 0)));
          waitFor(corfu);
          return late;
        });

    assertThat(refused).hasSize(2);
    assertThat(late.told).containsExactly("entry 0");
  }

  private static boolean isFollowOf(StreamId stream, Request request) {
    return request instanceof LogUnitRequest.Follow follow && follow.add().contains(stream);
  }

  /**
   * Seed 201016: an epoch ended while a subscription looked for the entry of its last token. The
   * next epoch issued the same address again.
   */
  @Test
  void anAddressThatIsIssuedAgainIsNotPassed() {
    scenario.client(SubscriberMuseumTest::append);
    takeToken();
    Ear ear = new Ear();

    scenario.client(
        (corfu, way) -> {
          way.lose(LogUnitRequest.Listen.class::isInstance); // it has to poll by itself
          way.beforeNext(
              request -> request instanceof LogUnitRequest.Read read && read.addresses().at(0) == 1,
              this::forgetTokens);
          subscribe(corfu, ear);
          assertThat(ear.told).containsExactly("entry 0");
          scenario.another(SubscriberMuseumTest::appendTwice);
          waitFor(corfu);
          return ear;
        });

    assertThat(ear.told).containsExactly("entry 0", "entry 1", "entry 2");
  }

  /** The head is the last unit of another chain, and pushes all its entries there. */
  @Test
  void anEntryThatOnlyItsHeadHasIsNotToldOf() {
    Ear ear = new Ear();

    scenario.client(
        corfu -> {
          subscribe(corfu, ear);
          corfu.streamAccess().world().pause(BETWEEN_LOOKS);
          appendToTheHeadOnly();
          corfu.streamAccess().world().pause(BETWEEN_LOOKS.dividedBy(2));
          assertThat(ear.told).isEmpty();
          waitFor(corfu);
          return ear;
        });

    assertThat(ear.told).containsExactly("entry 0");
  }

  /** Appends with a writer that loses all writes but the first. */
  private void appendToTheHeadOnly() {
    var unused =
        scenario.begin(
            world -> {
              TestWay way = new TestWay(scenario.transport(world));
              int[] writes = {0};
              way.lose(request -> request instanceof LogUnitRequest.Write && writes[0]++ > 0);
              var options = CorfuOptions.of(scenario.arrangement.layoutServers());
              return append(Corfu.connect(options, world, way));
            });
  }

  /** Replies like a unit with a full disk. */
  private static Optional<Reply> thereIsNoSpace(Request request) {
    return request instanceof LogUnitRequest.Write write
        ? Optional.of(
            new LogUnitReply.Writes(
                Collections.nCopies(write.entries().size(), WriteOutcome.NoSpace.NO_SPACE)))
        : Optional.empty();
  }

  private static void subscribe(Corfu corfu, Ear ear) {
    stream(corfu).subscribe(StreamAddress.ZERO, ear);
    waitFor(corfu);
  }

  private static void waitFor(Corfu corfu) {
    corfu.streamAccess().world().pause(FOR_A_WHILE);
  }

  private static LogStream append(Corfu corfu) {
    stream(corfu).append(Payloads.of("x", 0));
    return stream(corfu);
  }

  private static LogStream appendTwice(Corfu corfu) {
    append(corfu);
    return append(corfu);
  }

  private static LogStream stream(Corfu corfu) {
    return Streams.over(corfu).open(STREAM);
  }

  /** Restarts the sequencer in a new epoch, which begins at the log units' tail. */
  private CompletableFuture<?> forgetTokens() {
    SimServer sequencer = scenario.server(scenario.arrangement.sequencer());
    sequencer.kill();
    sequencer.start();
    return scenario.anotherReconfigures(how -> how.renew(scenario.newest()));
  }

  /** Gets a token, and abandons it. */
  private void takeToken() {
    var wish = TokenWish.in(List.of(STREAM));
    scenario.ask(
        scenario.arrangement.sequencer(),
        new SequencerRequest.NextInStreams(scenario.newest().epoch(), List.of(wish), List.of()));
  }
}
