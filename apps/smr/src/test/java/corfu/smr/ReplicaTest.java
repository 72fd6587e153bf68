package corfu.smr;

import static corfu.world.Eventually.eventually;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.Corfu;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.reconfiguration.Reconfiguration;
import corfu.runtime.stream.Streams;
import corfu.transport.Peer;
import corfu.transport.Transport;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ReplicaTest {

  private static final SmrOptions OPTIONS = SmrOptions.DEFAULT.withCheckpointEvery(0);

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(3).replicas(2).start();
  private final List<StateMachineReplica<Ledger>> replicas = new ArrayList<>();

  @AfterEach
  void stop() {
    replicas.forEach(StateMachineReplica::close);
    cluster.close();
  }

  private StateMachineReplica<Ledger> replica() {
    return replica(cluster.connect(), OPTIONS);
  }

  private StateMachineReplica<Ledger> replica(Corfu corfu, SmrOptions options) {
    StateMachineReplica<Ledger> opened =
        StateMachineReplica.open(corfu, "ledger", Ledger::new, options);
    replicas.add(opened);
    return opened;
  }

  private static String submit(StateMachineReplica<Ledger> to, String line) {
    return new String(to.submit(line.getBytes(UTF_8)), UTF_8);
  }

  private static CompletableFuture<String> submitAsync(
      StateMachineReplica<Ledger> to, String line) {
    return to.submitAsync(ByteBuffer.wrap(line.getBytes(UTF_8)))
        .thenApply(answer -> new String(answer, UTF_8));
  }

  @Test
  void aCommandIsAnsweredByTheStateWhereItWasOrdered() {
    var one = replica();
    var other = replica();

    assertThat(submit(one, "a")).isEqualTo("1");
    assertThat(submit(other, "b")).isEqualTo("2");
    assertThat(one.read(Ledger::lines)).containsExactly("a", "b");
    assertThat(other.read(Ledger::lines)).containsExactly("a", "b");
  }

  @Test
  void commandsOfManySubmittersAreCarriedOutOnceAndInOneOrderEverywhere() {
    var all = List.of(replica(), replica(), replica());

    var answers =
        IntStream.range(0, 3000).mapToObj(i -> submitAsync(all.get(i % 3), "line " + i)).toList();

    assertThat(answers.stream().map(CompletableFuture::join))
        .containsExactlyInAnyOrderElementsOf(
            IntStream.rangeClosed(1, 3000).mapToObj(Integer::toString).toList());
    List<String> lines = all.getFirst().read(Ledger::lines);
    assertThat(lines).hasSize(3000).doesNotHaveDuplicates();
    assertThat(all).allSatisfy(one -> assertThat(one.read(Ledger::lines)).isEqualTo(lines));
  }

  @Test
  void commandsThatWaitShareEntries() {
    CompletableFuture<Void> letThrough = new CompletableFuture<>();
    Transport way = new HeldWrites(cluster.transport(), letThrough);
    try (Corfu corfu = Corfu.connect(cluster.clientOptions(), cluster.world(), way)) {
      var one = replica(corfu, OPTIONS);
      var answers = IntStream.range(0, 1000).mapToObj(i -> submitAsync(one, "x")).toList();
      letThrough.complete(null);
      answers.forEach(CompletableFuture::join);
      one.close();
    }

    assertThat(cluster.connect().log().tail().value()).isLessThan(500);
  }

  /** Another transport, on which writes wait until they are let through. */
  private record HeldWrites(Transport way, CompletableFuture<Void> letThrough)
      implements Transport {

    @Override
    public Peer peer(Endpoint server) {
      Peer peer = way.peer(server);
      return new Peer() {
        @Override
        public Endpoint endpoint() {
          return server;
        }

        @Override
        public CompletableFuture<Reply> send(Request request, long nanos) {
          return request instanceof LogUnitRequest.Write
              ? letThrough.thenCompose(now -> peer.send(request, nanos))
              : peer.send(request, nanos);
        }
      };
    }

    @Override
    public void close() {}
  }

  @Test
  void aReplicaThatNobodyAsksFollows() {
    var one = replica();
    var idle = replica(cluster.connect(), OPTIONS.withFollowEvery(Duration.ofMillis(1)));

    submit(one, "a");

    eventually(() -> assertThat(idle.readPlayed(Ledger::lines)).containsExactly("a"));
  }

  @Test
  void aReplicaTellsEachMachineThatItBeginsToUse() {
    var one = replica();
    submit(one, "a");
    submit(one, "b");
    one.checkpoint();
    submit(one, "c");
    List<Ledger> installed = new CopyOnWriteArrayList<>();
    List<List<String>> linesThen = new CopyOnWriteArrayList<>();

    var other =
        StateMachineReplica.open(
            cluster.connect(),
            "ledger",
            () ->
                new Ledger(
                    ledger -> {
                      installed.add(ledger);
                      linesThen.add(ledger.lines());
                    }),
            OPTIONS);
    replicas.add(other);

    assertThat(other.<Ledger>read(ledger -> ledger)).isSameAs(installed.getLast());
    assertThat(linesThen).containsExactly(List.of(), List.of("a", "b"));
    assertThat(other.at(one.played()).lines()).containsExactly("a", "b", "c");
    assertThat(installed).as("only machines in use").hasSize(2);
  }

  @Test
  void withOneEntryInFlightCommandsTakeEffectInTheOrderOfSubmission() {
    var one = replica(cluster.connect(), OPTIONS.withBatches(7, 1 << 10, 1));
    List<String> submitted = new ArrayList<>();
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 500; i++) {
      submitted.add("line " + i);
      if (i % 50 == 0) {
        submit(one, "line " + i);
      } else {
        answers.add(submitAsync(one, "line " + i));
      }
    }
    answers.forEach(CompletableFuture::join);

    assertThat(one.read(Ledger::lines)).isEqualTo(submitted);
  }

  @Test
  void aRefusedCommandIsToldToItsSubmitterAndChangesNothing() {
    var one = replica();

    assertThatThrownBy(() -> submit(one, "no"))
        .isInstanceOf(CommandFailedException.class)
        .hasMessageContaining("no is no line");
    assertThat(submit(one, "yes")).isEqualTo("1");
    assertThat(replica().read(Ledger::lines)).containsExactly("yes");
  }

  @Test
  void theStateIsThereAsItWas() {
    var one = replica();
    submit(one, "a");
    Address afterOne = one.played();
    submit(one, "b");
    one.checkpoint();
    submit(one, "c");

    assertThat(one.at(new Address(0)).lines()).isEmpty();
    assertThat(one.at(afterOne).lines()).containsExactly("a");
    assertThat(one.at(one.played()).lines()).containsExactly("a", "b", "c");
    assertThatThrownBy(() -> one.at(new Address(1000)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("the log ends at");
  }

  @Test
  void commandsBetweenTwoAddressesAreReplayed() {
    var one = replica();
    submit(one, "a");
    Address from = one.played();
    submit(one, "b");
    submit(one, "c");
    Address to = one.played();
    submit(one, "d");

    List<String> replayed = new ArrayList<>();
    one.replay(from, to, command -> replayed.add(UTF_8.decode(command.body()).toString()));

    assertThat(replayed).containsExactly("b", "c");
  }

  @Test
  void whatIsOlderThanACheckpointCanBeForgotten() {
    var one = replica();
    submit(one, "a");
    Address old = one.played();
    submit(one, "b");
    Address kept = one.checkpoint();
    submit(one, "c");

    assertThat(one.forget(old)).as("there is no checkpoint as old").isEqualTo(new Address(0));
    assertThat(one.at(old).lines()).containsExactly("a");
    assertThat(one.forget(one.played())).isEqualTo(kept);

    assertThat(replica().read(Ledger::lines)).containsExactly("a", "b", "c");
    assertThat(one.at(kept).lines()).containsExactly("a", "b");
    assertThatThrownBy(() -> one.at(old)).isInstanceOf(HistoryForgottenException.class);
  }

  @Test
  void aCheckpointLargerThanAnEntryIsLoaded() {
    var one = replica();
    String big = "x".repeat(30_000);
    List<CompletableFuture<String>> answers = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      answers.add(submitAsync(one, i + big));
    }
    answers.forEach(CompletableFuture::join);
    one.checkpoint();
    one.forget(one.played());

    assertThat(replica().read(Ledger::lines)).isEqualTo(one.read(Ledger::lines)).hasSize(100);
  }

  @Test
  void checkpointsAreWrittenByThemselves() {
    var options = OPTIONS.withCheckpointEvery(10);
    var one = replica(cluster.connect(), options);
    Address nothing = new Address(0);
    while (one.forget(one.played()).equals(nothing)) {
      submit(one, "a");
    }
    assertThat(replica().read(Ledger::lines)).isEqualTo(one.read(Ledger::lines));
  }

  @Test
  void aReplicaForgetsByItselfWhatIsOlderThanItsNewestCheckpoints() {
    var one = replica(cluster.connect(), OPTIONS.withCheckpointEvery(10).withKeepCheckpoints(2));
    submit(one, "a");
    Address first = one.played();

    eventually(
        () -> {
          submit(one, "b");
          assertThatThrownBy(() -> one.at(first)).isInstanceOf(HistoryForgottenException.class);
        });

    assertThat(replica().read(Ledger::lines)).isEqualTo(one.read(Ledger::lines));
  }

  @Test
  void theNewestCheckpointsStay() {
    var one = replica();
    List<Address> checkpoints = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      submit(one, "line " + i);
      checkpoints.add(one.checkpoint());
    }
    Corfu corfu = cluster.connect();
    var kept = new MachineCheckpoints("ledger", corfu.streamAccess(), Streams.over(corfu));

    kept.keepNewest(9);
    assertThat(one.at(checkpoints.getFirst()).lines()).as("there are fewer").hasSize(1);
    kept.keepNewest(2);

    assertThat(one.at(checkpoints.get(3)).lines()).hasSize(4);
    assertThatThrownBy(() -> one.at(checkpoints.get(2)))
        .isInstanceOf(HistoryForgottenException.class);
  }

  @Test
  void commandsGoOnWhenAServerDies() {
    var one = replica();
    for (int i = 0; i < 20; i++) {
      submit(one, "before " + i);
    }
    var unanswered = IntStream.range(0, 200).mapToObj(i -> submitAsync(one, "while " + i)).toList();
    cluster.kill("n2");

    unanswered.forEach(CompletableFuture::join);
    assertThat(submit(one, "after")).isEqualTo("221");
    assertThat(replica().read(Ledger::lines)).isEqualTo(one.read(Ledger::lines)).hasSize(221);
  }

  @Test
  void aStreamWithSomethingElseInItStopsTheReplica() {
    var one = replica();
    submit(one, "a");
    Streams.over(cluster.connect())
        .open(StateMachineReplica.streams("ledger").getFirst())
        .append("hello".getBytes(UTF_8));

    assertThatThrownBy(() -> one.read(Ledger::lines))
        .isInstanceOf(DamagedCommandException.class)
        .hasMessageContaining("address 1");
    assertThatThrownBy(() -> submit(one, "b")).isInstanceOf(DamagedCommandException.class);
    assertThat(one.readPlayed(Ledger::lines)).containsExactly("a");
  }

  @Test
  void whoReadsNeedNotWaitForTheNextLook() {
    var one = replica();
    var other = replica(cluster.connect(), OPTIONS.withFollowEvery(Duration.ofHours(1)));
    for (int i = 1; i <= 20; i++) {
      submit(one, "mine");
      submit(other, "others");
      submit(one, "mine");
      assertThat(other.read(Ledger::lines)).hasSize(3 * i);
    }
  }

  @Test
  void whatWasReadInAnEpochSaysNothingOfTheNextOne() {
    Corfu corfu = cluster.connect();
    var one = replica();
    var other = replica();
    submit(one, "a");
    takeTokenAndLeaveIt(corfu); // a place that the next epoch gives once more
    assertThat(other.read(Ledger::lines)).containsExactly("a");
    new Reconfiguration(
            cluster.world(), cluster.transport(), Duration.ofSeconds(2), Duration.ofSeconds(10))
        .renew(corfu.layout());

    submit(one, "b");

    assertThat(other.read(Ledger::lines)).containsExactly("a", "b");
  }

  private void takeTokenAndLeaveIt(Corfu corfu) {
    var wish = TokenWish.in(List.of(StateMachineReplica.streams("ledger").getFirst()));
    Layout layout = corfu.layout();
    var asked = new SequencerRequest.NextInStreams(layout.epoch(), List.of(wish), List.of());
    assertThat(
            corfu.streamAccess().ask(layout.sequencers().getFirst(), asked, Duration.ofSeconds(10)))
        .isInstanceOf(SequencerReply.StreamTokens.class);
  }

  @Test
  void aMachineThatDiesStopsItsReplica() {
    var one = replica();
    submit(one, "a");

    assertThatThrownBy(() -> submit(one, "die")).hasMessageContaining("died");
    assertThatThrownBy(() -> one.read(Ledger::lines)).hasMessageContaining("died");
    assertThatThrownBy(() -> submit(one, "b")).hasMessageContaining("died");
    assertThat(one.readPlayed(Ledger::lines)).containsExactly("a");
  }

  @Test
  void aCommandThatIsTooLargeIsRefusedBeforeItIsSent() {
    var one = replica();
    assertThatThrownBy(() -> one.submit(new byte[17 << 20]))
        .isInstanceOf(EntryTooLargeException.class);
    assertThat(submit(one, "a")).isEqualTo("1");
  }

  @Test
  void aClosedReplicaSaysSo() {
    var one = replica();
    submit(one, "a");
    one.close();

    assertThatThrownBy(() -> submit(one, "b")).isInstanceOf(ReplicaClosedException.class);
    assertThatThrownBy(one::sync).isInstanceOf(ReplicaClosedException.class);
    assertThatThrownBy(() -> submitAsync(one, "c").join())
        .isInstanceOf(CompletionException.class)
        .hasCauseInstanceOf(ReplicaClosedException.class);
  }
}
