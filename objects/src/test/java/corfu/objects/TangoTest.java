package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.tango.ForgottenHistoryException;
import corfu.objects.tango.MixedObjectException;
import corfu.objects.tango.TangoObject;
import corfu.objects.tango.TangoOptions;
import corfu.objects.tango.TangoRuntime;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that an application has written itself on the Tango interface. */
@Timeout(180)
class TangoTest {

  private static final TangoOptions SOON =
      new TangoOptions(Duration.ofMillis(10), Duration.ofMillis(50));

  private final TwoClients clients = new TwoClients();
  private final TangoRuntime here = TangoRuntime.over(clients.corfu, SOON);
  private final TangoRuntime there = TangoRuntime.over(clients.other, SOON);

  @AfterEach
  void stop() {
    clients.close();
  }

  /** Figure 5.1. */
  private static class CorfuRegister implements TangoObject {
    private final TangoRuntime runtime;
    private final StreamId oid;
    private int state;

    CorfuRegister(TangoRuntime runtime, String name) {
      this.runtime = runtime;
      this.oid = runtime.register(name, this);
    }

    @Override
    public void apply(ByteBuffer update, Address address) {
      state = update.getInt();
    }

    void writeRegister(int newState) {
      runtime.updateHelper(oid, ByteBuffer.allocate(Integer.BYTES).putInt(newState).flip());
    }

    int readRegister() {
      runtime.queryHelper(oid);
      return state;
    }

    @Override
    public ByteBuffer save() {
      return ByteBuffer.allocate(Integer.BYTES).putInt(state).flip();
    }

    @Override
    public void load(ByteBuffer checkpoint) {
      state = checkpoint.getInt();
    }
  }

  /** A register that is read by clients that do not have the objects read by its writer. */
  private static final class SharedRegister extends CorfuRegister {
    SharedRegister(TangoRuntime runtime, String name) {
      super(runtime, name);
    }

    @Override
    public boolean isShared() {
      return true;
    }
  }

  @Test
  void theRegisterOfThePaperIsLinearizableAndDurable() {
    CorfuRegister mine = new CorfuRegister(here, "register");
    CorfuRegister yours = new CorfuRegister(there, "register");
    assertThat(mine.readRegister()).isZero();
    mine.writeRegister(7);
    assertThat(yours.readRegister()).isEqualTo(7);
    yours.writeRegister(8);
    assertThat(mine.readRegister()).isEqualTo(8);
    CorfuRegister later = new CorfuRegister(TangoRuntime.over(clients.corfu), "register");
    assertThat(later.readRegister()).isEqualTo(8);
  }

  /** Holds addresses; the texts are in the log (section 5.1.1). */
  private static final class Lines implements TangoObject {
    private final List<Address> addresses = new ArrayList<>();

    @Override
    public void apply(ByteBuffer update, Address address) {
      addresses.add(address);
    }
  }

  @Test
  void aViewMayHoldAddressesAndReadTheLogWhenItIsAsked() {
    Lines lines = new Lines();
    StreamId oid = here.register("lines", lines);
    for (String line : List.of("one", "two")) {
      there.updateHelper(oid, ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8)));
    }
    here.queryHelper(oid);
    assertThat(lines.addresses).hasSize(2);
    ByteBuffer second = here.updatesAt(oid, lines.addresses.get(1)).getFirst();
    assertThat(StandardCharsets.UTF_8.decode(second).toString()).isEqualTo("two");
  }

  @Test
  void aQueryStopsWhereItIsTold() {
    CorfuRegister mine = new CorfuRegister(here, "register");
    mine.writeRegister(1);
    Address then = clients.corfu.log().tail();
    mine.writeRegister(2);
    CorfuRegister past = new CorfuRegister(there, "register");
    there.queryHelper(past.oid, then);
    assertThat(past.state).isEqualTo(1);
    assertThat(past.readRegister()).isEqualTo(2);
    assertThatThrownBy(() -> there.queryHelper(past.oid, then))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("register a new one");
  }

  @Test
  void checkpointsLeadPastWhatIsForgotten() {
    CorfuRegister mine = new CorfuRegister(here, "register");
    mine.writeRegister(1);
    mine.writeRegister(2);
    Address first = here.checkpoint(mine.oid);
    mine.writeRegister(3);
    assertThat(here.forget(mine.oid, first)).contains(first);
    CorfuRegister late = new CorfuRegister(there, "register");
    assertThat(late.readRegister()).isEqualTo(3);
    CorfuRegister past = new CorfuRegister(TangoRuntime.over(clients.corfu), "register");
    assertThatThrownBy(() -> past.runtime.queryHelper(past.oid, new Address(1)))
        .isInstanceOf(ForgottenHistoryException.class);
    assertThat(here.forget(mine.oid, new Address(0))).isEqualTo(Optional.empty());
  }

  @Test
  void whoIsBehindAForgottenPartGoesOnFromTheCheckpoint() {
    CorfuRegister mine = new CorfuRegister(here, "register");
    CorfuRegister slow = new CorfuRegister(there, "register");
    mine.writeRegister(1);
    assertThat(slow.readRegister()).isEqualTo(1);
    mine.writeRegister(2);
    mine.writeRegister(3);
    assertThat(here.forget(mine.oid, here.checkpoint(mine.oid))).isPresent();
    assertThat(slow.readRegister()).isEqualTo(3);
  }

  @Test
  void aTransactionHoldsIfNothingOfWhatItHasReadHasChanged() {
    CorfuRegister a = new CorfuRegister(here, "a");
    CorfuRegister b = new CorfuRegister(here, "b");
    CorfuRegister otherA = new CorfuRegister(there, "a");
    CorfuRegister otherB = new CorfuRegister(there, "b");
    a.writeRegister(10);
    here.beginTx();
    int was = a.readRegister();
    a.writeRegister(was - 3);
    b.writeRegister(3);
    assertThat(a.readRegister()).isEqualTo(10); // not until it is over
    assertThat(here.endTx()).isTrue();
    assertThat(otherA.readRegister() + otherB.readRegister()).isEqualTo(10);
    assertThat(otherB.readRegister()).isEqualTo(3);

    here.beginTx();
    a.writeRegister(a.readRegister() - 1);
    b.writeRegister(4);
    otherA.writeRegister(100);
    assertThat(here.endTx()).isFalse();
    assertThat(a.readRegister()).isEqualTo(100);
    assertThat(otherB.readRegister()).isEqualTo(3);

    here.beginTx();
    a.readRegister();
    otherB.writeRegister(5); // irrelevant, because it was not read
    b.writeRegister(6);
    assertThat(here.endTx()).isTrue();
    assertThat(otherB.readRegister()).isEqualTo(6);
  }

  @Test
  void aTransactionThatFailedIsInNobodysWay() {
    CorfuRegister a = new CorfuRegister(here, "a");
    CorfuRegister otherA = new CorfuRegister(there, "a");
    assertThat(otherA.readRegister()).isZero();
    there.beginTx();
    int seen = otherA.readRegister(); // at the beginning
    here.beginTx();
    a.writeRegister(a.readRegister() + 1);
    assertThat(here.endTx()).isTrue(); // so the other one fails
    otherA.writeRegister(seen + 10);
    CorfuRegister third = new CorfuRegister(TangoRuntime.over(clients.corfu), "a");
    third.runtime.beginTx();
    third.writeRegister(third.readRegister() + 100);
    assertThat(there.endTx()).isFalse(); // between the third one's read and its end
    assertThat(third.runtime.endTx()).isTrue();
    assertThat(a.readRegister()).isEqualTo(101);
    assertThat(otherA.readRegister()).isEqualTo(101);
  }

  @Test
  void transactionsThatReadOnlyWriteNothing() {
    CorfuRegister a = new CorfuRegister(here, "a");
    CorfuRegister otherA = new CorfuRegister(there, "a");
    a.writeRegister(1);
    Address tail = clients.corfu.log().tail();
    here.beginTx();
    assertThat(a.readRegister()).isEqualTo(1);
    assertThat(here.endTx()).isTrue();
    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
    here.beginTx();
    assertThat(a.readRegister()).isEqualTo(1);
    otherA.writeRegister(2);
    assertThat(here.endTx()).isFalse();
    here.beginTx();
    a.writeRegister(9);
    here.abortTx();
    assertThat(otherA.readRegister()).isEqualTo(2);
  }

  @Test
  void whoHostsOnlyWhatIsWrittenLearnsFromTheDecisionRecord() {
    CorfuRegister source = new CorfuRegister(here, "source");
    CorfuRegister target = new SharedRegister(here, "target");
    CorfuRegister elsewhere = new SharedRegister(there, "target");
    source.writeRegister(5);
    here.beginTx();
    target.writeRegister(source.readRegister());
    assertThat(here.endTx()).isTrue();
    assertThat(elsewhere.readRegister()).isEqualTo(5);
    assertThat(lengthOf("target")).isEqualTo(2); // the commit record and the decision
    here.beginTx();
    target.writeRegister(source.readRegister() + 1);
    new CorfuRegister(there, "source").writeRegister(6);
    assertThat(here.endTx()).isFalse();
    assertThat(elsewhere.readRegister()).isEqualTo(5);
  }

  private long lengthOf(String name) {
    LogStream stream = Streams.over(clients.corfu).open(name);
    return stream.tail().value();
  }

  /** Leaves a commit record whose writer died before it wrote the decision. */
  private void leaveAnOrphan(boolean holds) {
    CorfuRegister source = new CorfuRegister(here, "source");
    CorfuRegister target = new SharedRegister(here, "target");
    source.writeRegister(1);
    here.beginTx();
    target.writeRegister(source.readRegister() + 1);
    if (!holds) {
      there.updateHelper(source.oid, ByteBuffer.allocate(Integer.BYTES).putInt(2).flip());
    }
    assertThat(here.endTx()).isEqualTo(holds);
    // The stream as after the writer's death: the same without the decision record.
    Streams streams = Streams.over(clients.corfu);
    LogStream dead = streams.open("target");
    var commit = (StreamRead.Entry) dead.read(StreamAddress.ZERO);
    streams.append(List.of(StreamId.named("orphaned")), withTarget(commit.payload()));
  }

  /** Returns the same commit record for another object. */
  private static ByteBuffer withTarget(ByteBuffer commit) {
    StreamId from = StreamId.named("target");
    StreamId to = StreamId.named("orphaned");
    byte[] bytes = new byte[commit.remaining()];
    commit.get(bytes);
    ByteBuffer all = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i + 16 <= bytes.length; i++) {
      if (all.getLong(i) == from.high() && all.getLong(i + 8) == from.low()) {
        all.putLong(i, to.high()).putLong(i + 8, to.low());
      }
    }
    return all;
  }

  @Test
  void anOrphanedCommitRecordIsDecidedByWhoeverWaitsForIt() {
    leaveAnOrphan(true);
    CorfuRegister waiting = new SharedRegister(there, "orphaned");
    assertThat(waiting.readRegister()).isEqualTo(2);
    assertThat(lengthOf("orphaned")).isEqualTo(2); // now others need not wait
    assertThat(new SharedRegister(TangoRuntime.over(clients.corfu), "orphaned").readRegister())
        .isEqualTo(2);
  }

  @Test
  void anOrphanedCommitRecordThatDoesNotHoldDoesNothing() {
    leaveAnOrphan(false);
    CorfuRegister waiting = new SharedRegister(there, "orphaned");
    assertThat(waiting.readRegister()).isZero();
    assertThat(lengthOf("orphaned")).isEqualTo(2);
  }

  @Test
  void whoHasAllThatAnOrphanHasReadDecidesAtOnceAndTellsAfterAWhile() {
    leaveAnOrphan(true);
    CorfuRegister hosting = new SharedRegister(there, "orphaned");
    CorfuRegister source = new CorfuRegister(there, "source");
    assertThat(hosting.readRegister()).isEqualTo(2);
    while (lengthOf("orphaned") < 2) {
      assertThat(source.readRegister()).isEqualTo(1);
    }
  }

  @Test
  void aTransactionMayWriteWhatIsNotHostedHereButNotReadIt() {
    CorfuRegister mine = new CorfuRegister(here, "mine");
    StreamId remote = StreamId.named("remote");
    here.beginTx();
    int seen = mine.readRegister();
    here.updateHelper(remote, ByteBuffer.allocate(4).putInt(seen + 4).flip());
    assertThat(here.endTx()).isTrue();
    assertThat(new CorfuRegister(there, "remote").readRegister()).isEqualTo(4);
    assertThatThrownBy(() -> here.queryHelper(remote))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("not hosted here");
  }

  @Test
  void theSumOfTwoRegistersStaysWhatItIsWhateverManyDo() {
    new CorfuRegister(here, "x").writeRegister(1000);
    AtomicInteger held = new AtomicInteger();
    List<CompletableFuture<Void>> threads = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      TangoRuntime runtime = TangoRuntime.over(i % 2 == 0 ? clients.corfu : clients.other, SOON);
      CorfuRegister x = new CorfuRegister(runtime, "x");
      CorfuRegister y = new CorfuRegister(runtime, "y");
      threads.add(
          CompletableFuture.runAsync(
              () -> {
                for (int step = 0; step < 25; step++) {
                  runtime.beginTx();
                  int hasX = x.readRegister();
                  int hasY = y.readRegister();
                  x.writeRegister(hasX - 1);
                  y.writeRegister(hasY + 1);
                  if (runtime.endTx()) {
                    held.incrementAndGet();
                    assertThat(hasX + hasY).isEqualTo(1000);
                  }
                }
              }));
    }
    threads.forEach(CompletableFuture::join);
    assertThat(held.get()).isPositive();
    assertThat(new CorfuRegister(there, "y").readRegister()).isEqualTo(held.get());
    assertThat(new CorfuRegister(there, "x").readRegister()).isEqualTo(1000 - held.get());
  }

  @Test
  void theTwoKindsOfObjectsCanNotBeMixed() {
    ReplicatedMap<String, Integer> map =
        clients.here.open("map", ReplicatedMap.of(String.class, Integer.class));
    map.put("a", 1);
    CorfuRegister register = new CorfuRegister(there, "map");
    assertThatThrownBy(() -> register.writeRegister(1))
        .isInstanceOf(MixedObjectException.class)
        .hasMessageContaining("can't be mixed");
    assertThatThrownBy(register::readRegister).isInstanceOf(MixedObjectException.class);
    new CorfuRegister(here, "register").writeRegister(5);
    ReplicatedMap<String, Integer> wrong =
        clients.there.open("register", ReplicatedMap.of(String.class, Integer.class));
    assertThatThrownBy(() -> wrong.get("a"))
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("can't be mixed");
    assertThatThrownBy(() -> wrong.fastPut("a", 1))
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("can't be mixed");
    assertThat(map.get("a")).isEqualTo(1);
  }

  @Test
  void whatIsNoTransactionIsRefused() {
    assertThatThrownBy(here::endTx).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(here::abortTx).isInstanceOf(IllegalStateException.class);
    here.beginTx();
    assertThatThrownBy(here::beginTx).isInstanceOf(IllegalStateException.class);
    here.abortTx();
    new CorfuRegister(here, "a");
    assertThatThrownBy(() -> new CorfuRegister(here, "a"))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> new TangoOptions(Duration.ofSeconds(2), Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aViewWhoseUpcallFailsIsNotReadAnyMore() {
    StreamId oid =
        here.register(
            "bad",
            (update, address) -> {
              throw new IllegalArgumentException("at " + address);
            });
    there.updateHelper(oid, ByteBuffer.allocate(1));
    assertThatThrownBy(() -> here.queryHelper(oid)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> here.queryHelper(oid))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("register a new one");
  }
}
