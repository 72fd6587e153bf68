package corfu.runtime;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamAddress;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.HurriedWorld;
import corfu.runtime.cluster.RoleCluster;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.runtime.stream.Subscriber;
import corfu.runtime.stream.Subscription;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** A subscriber receives all entries of its stream, in their order, each once. */
@ParameterizedClass
@EnumSource
@Timeout(180)
final class SubscriptionsTest {

  enum Replicas {
    OF_THE_LOG_ONLY,
    OF_STREAMS_TOO
  }

  /** More than any call may take. */
  private static final Duration TOO_LONG = Duration.ofHours(1);

  private final RoleCluster cluster;
  private final Corfu writer;
  private final FaultyWay way;
  private final Corfu reader;
  private final Streams streams;
  private final LogStream orders;
  private final LogStream written;

  SubscriptionsTest(Replicas replicas) {
    var builder = RoleCluster.builder().nodes(4);
    cluster =
        (replicas == Replicas.OF_THE_LOG_ONLY
                ? builder.replicas(2)
                : builder.replicas(1).streamReplicas(1))
            .start();
    way = new FaultyWay(cluster.transport());
    writer = cluster.connect();
    reader = cluster.connect(patient(), transport -> way);
    streams = Streams.over(reader);
    orders = streams.open("orders");
    written = Streams.over(writer).open("orders");
  }

  @AfterEach
  void stop() {
    reader.close();
    cluster.close();
  }

  /** Returns options under which no slow writer's address is filled, so that no append is moved. */
  private CorfuOptions patient() {
    return cluster.clientOptions().withHoleTimeout(Duration.ofSeconds(60));
  }

  /** A subscriber that stores its calls as texts, for a test to wait for. */
  private static class Ear implements Subscriber {
    final BlockingQueue<String> told = new LinkedBlockingQueue<>();

    @Override
    public void onEntry(StreamRead.Entry entry) {
      told.add(entry.streamAddress() + " " + entry.text());
    }

    @Override
    public void onTrimmed(StreamAddress before) {
      told.add("trimmed before " + before);
    }

    @Override
    public void onError(RuntimeException failure) {
      told.add("error: " + failure.getMessage());
    }

    @Override
    public void onClosed() {
      told.add("closed");
    }

    /** Returns the next calls. The test's time limit ends the wait. */
    List<String> next(int count) {
      List<String> next = new ArrayList<>();
      try {
        while (next.size() < count) {
          next.add(told.take());
        }
      } catch (InterruptedException e) {
        throw new AssertionError("told only " + next, e);
      }
      return next;
    }
  }

  private static List<String> entries(int from, int to) {
    return IntStream.range(from, to).mapToObj(i -> i + " entry " + i).toList();
  }

  private void append(int from, int to) {
    for (int i = from; i < to; i++) {
      written.append(("entry " + i).getBytes(UTF_8));
    }
  }

  private void appendAtOnce(int from, int to) {
    LogStream other = Streams.over(writer).open("other");
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = from; i < to; i++) {
      all.add(written.appendAsync(ByteBuffer.wrap(("entry " + i).getBytes(UTF_8))));
      all.add(other.appendAsync(ByteBuffer.wrap(new byte[0])));
    }
    all.forEach(CompletableFuture::join);
  }

  private Subscription subscribe(long from, Subscriber subscriber) {
    return orders.subscribe(new StreamAddress(from), subscriber);
  }

  private static boolean isAboutPushes(Request request) {
    return request instanceof LogUnitRequest.Listen || request instanceof LogUnitRequest.Follow;
  }

  private static boolean isALook(Request request) {
    return request instanceof SequencerRequest.AskStreams;
  }

  @Test
  void whatWasThereAndWhatComesIsGivenInItsOrder() {
    append(0, 10);
    Ear ear = new Ear();
    subscribe(0, ear);
    append(10, 20);

    assertThat(ear.next(20)).isEqualTo(entries(0, 20));
  }

  @Test
  void aSubscriptionBeginsWhereItShall() {
    append(0, 10);
    Ear ear = new Ear();
    subscribe(7, ear);
    Ear later = new Ear();
    subscribe(12, later);
    append(10, 15);

    assertThat(ear.next(8)).isEqualTo(entries(7, 15));
    assertThat(later.next(3)).isEqualTo(entries(12, 15));
  }

  @Test
  void manyThatAreAppendedAtOnceAreGivenInTheirOrder() {
    Ear ear = new Ear();
    subscribe(0, ear);
    appendAtOnce(0, 3000);

    assertThat(ear.next(3000)).isEqualTo(entries(0, 3000));
  }

  @Test
  void anEntryIsGivenWithoutAskingForTheStreamsEnd() {
    append(0, 1);
    Ear ear = new Ear();
    subscribe(0, ear);
    append(1, 2);
    assertThat(ear.next(2)).isEqualTo(entries(0, 2));
    way.plan((server, request) -> isALook(request) ? Fate.IS_NOT_SENT : Fate.ARRIVES);
    append(2, 20);

    assertThat(ear.next(18)).isEqualTo(entries(2, 20));
  }

  @Test
  void whatNobodyTellsOfIsFoundInTheLog() {
    way.plan((server, request) -> isAboutPushes(request) ? Fate.IS_NOT_SENT : Fate.ARRIVES);
    Ear ear = new Ear();
    subscribe(0, ear);
    append(0, 5);

    assertThat(ear.next(5)).isEqualTo(entries(0, 5));
  }

  @Test
  void whenAnswersGetLostNothingElseDoes() {
    AtomicInteger listens = new AtomicInteger();
    way.plan(
        (server, request) ->
            request instanceof LogUnitRequest.Listen && listens.incrementAndGet() % 3 == 0
                ? Fate.REPLY_IS_LOST
                : Fate.ARRIVES);
    Ear ear = new Ear();
    subscribe(0, ear);
    append(0, 300);

    assertThat(ear.next(300)).isEqualTo(entries(0, 300));
  }

  @Test
  void aHoleInTheStreamIsPassed() {
    append(0, 2);
    Ear ear = new Ear();
    Streams.over(cluster.connect()).open("orders").subscribe(StreamAddress.ZERO, ear);
    assertThat(ear.next(2)).isEqualTo(entries(0, 2));
    HurriedWorld dyingsWorld = new HurriedWorld(cluster.world());
    FaultyWay lame = new FaultyWay(cluster.transport());
    lame.plan(
        (server, request) -> {
          if (!(request instanceof LogUnitRequest.Write)) {
            return Fate.ARRIVES;
          }
          dyingsWorld.pass(TOO_LONG);
          return Fate.IS_NOT_SENT;
        });
    try (Corfu dying = Corfu.connect(patient(), dyingsWorld, lame)) {
      var lost = Streams.over(dying).open("orders").appendAsync(ByteBuffer.allocate(1));
      assertThat(lost.handle((done, failure) -> failure).join()).isNotNull();
    }
    written.append("after the hole".getBytes(UTF_8));

    assertThat(ear.next(1).getFirst()).endsWith("after the hole");
  }

  @Test
  void anEntryInSeveralStreamsIsGivenInEach() {
    Ear ear = new Ear();
    Ear other = new Ear();
    subscribe(0, ear);
    LogStream audit = streams.open("audit");
    audit.subscribe(StreamAddress.ZERO, other);
    Streams.over(writer)
        .append(List.of(orders.id(), audit.id()), ByteBuffer.wrap("both".getBytes(UTF_8)));

    assertThat(ear.next(1)).containsExactly("0 both");
    assertThat(other.next(1)).containsExactly("0 both");
  }

  @Test
  void twoSubscribersOfAStreamAreBothGivenAll() {
    Ear one = new Ear();
    Ear two = new Ear();
    Subscription first = subscribe(0, one);
    subscribe(0, two);
    append(0, 5);
    assertThat(one.next(5)).isEqualTo(entries(0, 5));
    first.close();
    append(5, 10);

    assertThat(two.next(10)).isEqualTo(entries(0, 10));
    assertThat(one.next(1)).containsExactly("closed");
    assertThat(one.told).isEmpty();
  }

  @Test
  void aPausedSubscriptionGoesOnWhereItWas() {
    Ear ear = new Ear();
    Subscription subscription = subscribe(0, ear);
    append(0, 5);
    assertThat(ear.next(5)).isEqualTo(entries(0, 5));
    subscription.pause();
    appendAtOnce(5, 500);
    eventually( // when the last call has returned
        () -> assertThat(subscription.position()).isEqualTo(new StreamAddress(5)));
    assertThat(ear.told).isEmpty();
    subscription.resume();
    append(500, 505);

    assertThat(ear.next(500)).isEqualTo(entries(5, 505));
  }

  @Test
  void aSubscriberMayPauseAndCloseFromWithin() {
    CompletableFuture<Subscription> itself = new CompletableFuture<>();
    Ear ear =
        new Ear() {
          @Override
          public void onEntry(StreamRead.Entry entry) {
            super.onEntry(entry);
            if (entry.streamAddress().value() == 3) {
              itself.join().close();
            }
          }
        };
    append(0, 10);
    itself.complete(subscribe(0, ear));

    assertThat(ear.next(5)).endsWith("3 entry 3", "closed");
    assertThat(ear.told).isEmpty();
  }

  @Test
  void aSlowSubscriberIsGivenAllAndKeepsNobodyElseWaiting() {
    Semaphore goes = new Semaphore(0);
    Ear slow =
        new Ear() {
          @Override
          public void onEntry(StreamRead.Entry entry) {
            goes.acquireUninterruptibly();
            super.onEntry(entry);
          }
        };
    Ear quick = new Ear();
    subscribe(0, slow);
    subscribe(0, quick);
    appendAtOnce(0, 1000);
    assertThat(quick.next(1000)).isEqualTo(entries(0, 1000));
    assertThat(slow.told).isEmpty();
    goes.release(Integer.MAX_VALUE / 2);

    assertThat(slow.next(1000)).isEqualTo(entries(0, 1000));
  }

  @Test
  void whatASubscriberThrowsEndsItsSubscription() {
    Ear ear =
        new Ear() {
          @Override
          public void onEntry(StreamRead.Entry entry) {
            throw new IllegalStateException("full");
          }
        };
    subscribe(0, ear);
    append(0, 2);

    assertThat(ear.next(2)).containsExactly("error: full", "closed");
    assertThat(ear.told).isEmpty();
  }

  @Test
  void moreSubscribersThatThrowThanThereArePlacesKeepNobodyOut() {
    append(0, 1);
    List<Ear> ears = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      Ear ear =
          new Ear() {
            @Override
            public void onEntry(StreamRead.Entry entry) {
              throw new AssertionError("no");
            }
          };
      subscribe(0, ear);
      ears.add(ear);
    }
    assertThat(ears)
        .allSatisfy(
            ear ->
                assertThat(ear.next(2))
                    .satisfiesExactly(
                        error -> assertThat(error).startsWith("error: the subscriber failed"),
                        closed -> assertThat(closed).isEqualTo("closed")));
    Ear last = new Ear();
    subscribe(0, last);

    assertThat(last.next(1)).isEqualTo(entries(0, 1));
  }

  @Test
  void whatWasTrimmedInTheLogIsPassed() {
    append(0, 5);
    for (int i = 0; i < 3; i++) {
      var entry = (StreamRead.Entry) written.read(new StreamAddress(i));
      writer.log().trim(entry.address());
    }
    Ear ear = new Ear();
    subscribe(0, ear);

    assertThat(ear.next(2)).isEqualTo(entries(3, 5));
  }

  @Test
  void aSubscriptionLivesThroughEpochs() {
    Ear ear = new Ear();
    subscribe(0, ear);
    append(0, 10);
    cluster.changeEpoch(writer);
    append(10, 20);

    assertThat(ear.next(20)).isEqualTo(entries(0, 20));
  }

  @Test
  void closingTheClientClosesItsSubscriptions() {
    Ear ear = new Ear();
    Ear paused = new Ear();
    subscribe(0, ear);
    subscribe(0, paused).pause();
    reader.close();

    assertThat(ear.next(1)).containsExactly("closed");
    assertThat(paused.next(1)).containsExactly("closed");
  }
}
