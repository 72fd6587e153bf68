package corfu.objects;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.internal.checkpoint.CheckpointWriter;
import corfu.objects.internal.checkpoint.Checkpoints;
import corfu.objects.internal.view.View;
import corfu.objects.record.CheckpointEnd;
import corfu.objects.record.CheckpointMark;
import corfu.objects.record.ObjectRecord;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Updates;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Checkpoints that clients write by themselves: what they forget, and what they notice. */
@Timeout(180)
class CheckpointsTest {

  private final List<DivergenceListener.Divergence> divergences = new CopyOnWriteArrayList<>();
  private TwoClients clients = new TwoClients(options(CheckpointPolicy.MANUAL));

  private ObjectOptions options(CheckpointPolicy policy) {
    return ObjectOptions.DEFAULT.withCheckpoints(policy).withOnDivergence(divergences::add);
  }

  private void restart(CheckpointPolicy policy) {
    clients.close();
    clients = new TwoClients(options(policy));
  }

  @AfterEach
  void stop() {
    clients.close();
  }

  static class Sum {
    private long sum;

    @Mutator
    public void add(long number) {
      sum += number;
    }

    @MutatorAccessor
    public long next() {
      return ++sum;
    }

    @Accessor
    public long sum() {
      return sum;
    }
  }

  private static CheckpointPolicy every(long updates) {
    return CheckpointPolicy.MANUAL.withEveryUpdates(updates);
  }

  @Test
  void ofAllClientsForWhomOneIsDueOneWritesIt() {
    restart(every(100));
    Sum here = clients.here.open("sum", Sum.class);
    Sum there = clients.there.open("sum", Sum.class);

    addUntil(() -> ends("sum").size() >= 4, here, there);

    List<Integer> gaps = updatesBetweenMarks("sum");
    assertThat(gaps).hasSizeGreaterThanOrEqualTo(4).allMatch(gap -> gap >= 100);
    assertThat(here.sum()).isEqualTo(there.sum());
    assertThat(divergences).isEmpty();
  }

  @Test
  void whoIsNotTheFirstToBeginOneWritesNothing() {
    Sum here = clients.here.open("sum", Sum.class);
    Sum there = clients.there.open("sum", Sum.class);
    here.next();
    assertThat(there.sum()).isEqualTo(1);
    clients.there.checkpoint(there); // unknown to the clients here
    Address tail = clients.corfu.log().tail();
    View<Sum> view =
        clients.here.view("sum", StreamId.named("sum"), clients.here.typeOf(Sum.class));

    assertThat(CheckpointWriter.writeIfFirst(view, CheckpointWriter.Pace.FAST)).isEmpty();
    assertThat(clients.corfu.log().tail()).isEqualTo(tail);

    view.catchUp();
    assertThat(CheckpointWriter.writeIfFirst(view, CheckpointWriter.Pace.FAST)).isPresent();
    assertThat(ends("sum")).hasSize(2);
  }

  @Test
  void timeAloneIsAReason() {
    restart(CheckpointPolicy.MANUAL.withEvery(Duration.ofMillis(50)));
    Sum sum = clients.here.open("sum", Sum.class);
    sum.next();

    eventually(() -> assertThat(ends("sum")).isNotEmpty());

    assertThat(sum.sum()).isEqualTo(1);
    assertThat(updatesBetweenMarks("sum")).containsExactly(1);
  }

  @Test
  void aReaderWhoWasFarBehindLeavesACheckpoint() {
    Sum writer = clients.there.open("sum", Sum.class);
    for (int i = 0; i < 300; i++) {
      writer.add(1);
    }
    Sum reader = ReplicatedObjects.over(clients.corfu, options(every(200))).open("sum", Sum.class);

    assertThat(reader.sum()).isEqualTo(300);

    eventually(() -> assertThat(ends("sum")).isNotEmpty());
    assertThat(ends("sum").getFirst().before()).isGreaterThan(300);
  }

  @Test
  void historyIsForgottenAsThePolicySaysAndWhoWantsItIsToldThePolicy() {
    restart(every(50).withHistory(History.ofAddresses(200)));
    Sum here = clients.here.open("sum", Sum.class);
    here.next();
    Address begin = clients.corfu.log().tail();

    addUntil(() -> isForgotten(begin), here, clients.there.open("sum", Sum.class));

    assertThatThrownBy(() -> clients.there.at(begin).open("sum", Sum.class))
        .isInstanceOf(HistoryTrimmedException.class)
        .hasMessageContaining("object sum")
        .hasMessageContaining("history of 200 addresses is kept");
    long sum = here.sum();
    here.add(7);
    long recent = behindTheEnd(200, at -> clients.there.at(at).open("sum", Sum.class).sum());
    assertThat(recent).isBetween(1L, sum + 7);
    assertThat(clients.there.open("sum", Sum.class).sum()).isEqualTo(sum + 7);
  }

  @Test
  void whatATransactionReadsIsNotForgottenByItsOwnClient() {
    Sum writer = clients.there.open("sum", Sum.class);
    Sum other = clients.there.open("other", Sum.class);
    writer.add(1);
    other.add(5);
    Address then = clients.corfu.log().tail();
    ReplicatedObjects objects =
        ReplicatedObjects.over(
            clients.corfu, options(every(50).withHistory(History.ofAddresses(10))));
    Sum read = objects.open("other", Sum.class);
    Sum old = objects.open("sum", Sum.class);

    objects.txBegin(TransactionOptions.at(then));
    assertThat(read.sum()).isEqualTo(5);
    changeAndReadElsewhere(writer, old);
    assertThat(old.sum()).isEqualTo(1);
    objects.txEnd();

    addUntil(() -> isForgotten(then), old, writer);
  }

  @Test
  void historyIsForgottenHoweverManyCheckpointsAreWithinWhatIsKept() {
    restart(every(10).withHistory(History.ofAddresses(1_000)));
    Sum here = clients.here.open("sum", Sum.class);
    here.next();
    Address begin = clients.corfu.log().tail();

    addUntil(() -> isForgotten(begin), here);

    here.add(1);
    assertThat(behindTheEnd(1_000, this::isForgotten)).isFalse();
  }

  @Test
  void historyMayBeKeptForATime() {
    restart(
        CheckpointPolicy.MANUAL
            .withEveryBytes(2_000)
            .withHistory(History.ofTime(Duration.ofMillis(1))));
    Sum here = clients.here.open("sum", Sum.class);
    here.next();
    Address begin = clients.corfu.log().tail();

    addUntil(() -> isForgotten(begin), here);
  }

  @Test
  void historyMayBeKeptFromAnAddressOn() {
    restart(every(10));
    Sum sum = clients.here.open("sum", Sum.class);
    sum.next();
    Address early = clients.corfu.log().tail();
    addUntil(() -> ends("sum").size() >= 2, sum); // a checkpoint for the start of the kept history
    Address first = clients.corfu.log().tail();

    ObjectOptions options = options(every(10).withHistory(History.from(first)));
    Sum again = ReplicatedObjects.over(clients.corfu, options).open("sum", Sum.class);
    addUntil(() -> isForgotten(early), again);

    assertThat(isForgotten(first)).isFalse();
  }

  @Test
  void norByACallOfItsOwnClient() {
    Sum sum = clients.here.open("sum", Sum.class);
    sum.add(1);
    Address then = clients.corfu.log().tail();
    sum.add(2);
    Address checkpoint = clients.here.checkpoint(sum);

    clients.here.txBegin(TransactionOptions.at(then));
    assertThat(sum.sum()).isEqualTo(1);
    assertThat(clients.here.forget(sum, checkpoint)).isEmpty();
    clients.here.txEnd();

    assertThat(clients.here.forget(sum, checkpoint)).contains(checkpoint);
  }

  /**
   * Changes the objects until checkpoints have been written. All but the transaction would allow
   * these to forget.
   */
  private void changeAndReadElsewhere(Sum writer, Sum old) {
    CompletableFuture.runAsync(
            () -> addUntil(() -> ends("sum").size() >= 3, writer, old),
            task -> Thread.ofVirtual().start(task))
        .join();
  }

  @Test
  void anotherTypesViewsOfTheStreamAreNotForgotten() {
    ObjectType<Count> count = ObjectTypes.of(Count.class);
    Count there = clients.there.open("sum", count);
    ReplicatedObjects objects =
        ReplicatedObjects.over(
            clients.corfu, options(every(50).withHistory(History.ofAddresses(0))));
    Sum here = objects.open("sum", Sum.class);
    here.next();
    clients.there.checkpoint(there);
    Address begin = clients.corfu.log().tail();

    addUntil(() -> ends("sum").size() >= 4, here, here);

    long added = here.sum();
    assertThat(clients.there.at(begin).open("sum", count).count()).isEqualTo(0);
    assertThat(there.count()).isEqualTo(added - 1);
    clients.there.checkpoint(there);
    addUntil(() -> isForgotten(begin), here, here);
  }

  static class Count {
    private long count;

    @Mutator
    public void add(long number) {
      count++;
    }

    @MutatorAccessor
    public long next() {
      return count;
    }

    @Accessor
    public long count() {
      return count;
    }
  }

  @Test
  void whereAllHistoryIsKeptOldCheckpointsAreNot() {
    restart(every(20));
    Sum here = clients.here.open("sum", Sum.class);
    here.next();
    Address begin = clients.corfu.log().tail();

    addUntil(() -> endsStream("sum").read(StreamAddress.ZERO) instanceof StreamRead.Trimmed, here);

    assertThat(clients.there.at(begin).open("sum", Sum.class).sum()).isEqualTo(1);
    assertThat(clients.there.open("sum", Sum.class).sum()).isEqualTo(here.sum());
  }

  @Test
  void aCheckpointUnderWayEndsWithItsClientAndIsNone() {
    CheckpointPolicy slow = every(3).withBytesPerSecond(1);
    Corfu mortal = clients.cluster.connect();
    ReplicatedObjects objects = ReplicatedObjects.over(mortal, options(slow));
    ReplicatedMap<String, String> map = objects.open("map", TEXTS);
    for (int i = 0; i < 3; i++) {
      map.put("key " + i, "x".repeat(200_000));
    }
    StreamId parts = Checkpoints.partsOf(StreamId.named("map"));
    LogStream written = Streams.over(clients.corfu).open(parts);
    eventually(() -> assertThat(written.tail().value()).isEqualTo(1));

    mortal.close(); // it would continue in three days

    assertThat(ends("map")).isEmpty();
    ReplicatedMap<String, String> there = clients.there.open("map", TEXTS);
    assertThat(there).hasSize(3);
    clients.there.checkpoint(there);
    assertThat(clients.here.open("map", TEXTS)).isEqualTo(there);
    assertThat(ends("map")).hasSize(1);
  }

  private static final ObjectType<ReplicatedMap<String, String>> TEXTS =
      ReplicatedMap.of(String.class, String.class);

  // ------------------------------------------------------------------------------------- helpers

  /** Changes and reads in turns until the condition holds; the test's time limit ends the wait. */
  private static void addUntil(BooleanSupplier condition, Sum... sums) {
    for (int i = 0; i % 50 != 0 || !condition.getAsBoolean(); i++) {
      checkTime();
      sums[i % sums.length].add(1);
      var unused = sums[(i + 1) % sums.length].sum();
    }
  }

  /** Fails when the test's time limit has interrupted the thread. */
  private static void checkTime() {
    assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
  }

  /**
   * Returns the state this far behind the log's end, seen while nobody appends. A checkpoint that
   * is being written moves the end, and lets more be forgotten.
   */
  private <T> T behindTheEnd(long addresses, Function<Address, T> look) {
    while (true) {
      checkTime();
      Address end = clients.corfu.log().tail();
      try {
        T seen = look.apply(new Address(end.value() - addresses));
        if (clients.corfu.log().tail().equals(end)) {
          return seen;
        }
      } catch (HistoryTrimmedException forgotten) {
        if (clients.corfu.log().tail().equals(end)) {
          throw forgotten;
        }
      }
    }
  }

  private boolean isForgotten(Address address) {
    try {
      clients.there.at(address).open("sum", Sum.class);
      return false;
    } catch (HistoryTrimmedException forgotten) {
      return true;
    }
  }

  /** Returns the number of updates between each mark and the mark before it. */
  private List<Integer> updatesBetweenMarks(String object) {
    List<Integer> gaps = new ArrayList<>();
    int updates = 0;
    for (StreamRead.Entry entry : entries(Streams.over(clients.corfu).open(object))) {
      ObjectRecord record = RecordCodec.decode(StreamId.named(object), entry.payload());
      if (record instanceof Updates) {
        updates++;
      } else if (record instanceof CheckpointMark) {
        gaps.add(updates);
        updates = 0;
      }
    }
    return gaps;
  }

  private List<CheckpointEnd> ends(String object) {
    List<CheckpointEnd> ends = new ArrayList<>();
    for (StreamRead.Entry entry : entries(endsStream(object))) {
      ObjectRecord record = RecordCodec.decode(StreamId.named(object), entry.payload());
      if (record instanceof CheckpointEnd end) {
        ends.add(end);
      }
    }
    return ends;
  }

  private LogStream endsStream(String object) {
    return Streams.over(clients.corfu).open(Checkpoints.endsOf(StreamId.named(object)));
  }

  private static List<StreamRead.Entry> entries(LogStream stream) {
    StreamReader reader = stream.reader();
    var unused = reader.sync();
    return reader.readRest();
  }
}
