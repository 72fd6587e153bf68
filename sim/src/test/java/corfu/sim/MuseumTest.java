package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.roles.QuarantinedFiles;
import corfu.runtime.LogEntry;
import corfu.sim.cluster.SimServer;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Failures of other shared logs. Seeds may find each of them; these tests name them. */
class MuseumTest {

  private static final Epoch SERVING = Epoch.FIRST.next();
  private static final Epoch NEXT = SERVING.next();

  /** Far below the time that a reader waits for a writer which may still come. */
  private static final long AT_ONCE_NANOS = 50_000_000L;

  /** Far above that time. */
  private static final long LONG_GONE_NANOS = 700_000_000L;

  private final Scenario scenario = new Scenario(3);
  private final List<Endpoint> chain = scenario.chainOf(0);

  /** CorfuDB #2461: a reader waited 10 s although the chain's head had the data. */
  @Test
  void aReaderCompletesAtOnceWhatADeadWriterLeftAtTheHead() {
    takeToken(SERVING);
    Entry entry = entry(0);
    write(entry, chain.getFirst(), SERVING);

    long before = scenario.simulator.timeline.nowNanos();
    LogEntry read = scenario.client(corfu -> corfu.log().read(Address.ZERO));

    assertThat(read).isEqualTo(new LogEntry.Data(Address.ZERO, entry.payload()));
    assertThat(scenario.simulator.timeline.nowNanos() - before).isLessThan(AT_ONCE_NANOS);
    assertThat(chain).allSatisfy(replica -> assertThat(at(replica)).isEqualTo(found(entry)));
  }

  /** CorfuDB #1819: readers skipped an address whose writer had died, and its data came later. */
  @Test
  void anAddressWhoseWriterDiedBeforeTheHeadBecomesAHoleForEver() {
    takeToken(SERVING);
    Address later = scenario.append("later");

    LogEntry hole = scenario.client(corfu -> corfu.log().read(Address.ZERO));
    WriteOutcome late = write(entry(0), chain.getFirst(), SERVING);

    assertThat(hole).isEqualTo(new LogEntry.Hole(Address.ZERO));
    assertThat(late).isInstanceOf(WriteOutcome.Overwritten.class);
    assertThat(later).isEqualTo(new Address(1));
  }

  /** CorfuDB #260: a fill overwrote written data. */
  @Test
  void aFillLeavesWhatIsWrittenAlone() {
    Address address = scenario.append("x");

    LogEntry filled = scenario.client(corfu -> corfu.log().fill(address));

    assertThat(CallHistory.content(filled).payload()).isEqualTo("x");
  }

  /** CorfuDB #1817: in-flight writes of the old epoch met tokens of the new one. */
  @Test
  void aWriteOfTheOldEpochThatArrivesLateIsRefused() {
    takeToken(SERVING);
    renew();

    for (Endpoint replica : chain) {
      Reply reply = scenario.ask(replica, new LogUnitRequest.Write(SERVING, List.of(entry(0))));
      assertThat(reply).isEqualTo(new Failure.Sealed(NEXT));
    }
    assertThat(scenario.append("x")).as("behind the dead token").isEqualTo(new Address(1));
  }

  /**
   * Seed 301341: a write arrived twice. The unit accepted the first copy, and refused the second
   * one after a seal. The refusal came back first: so the entry was appended at another address,
   * too.
   */
  @Test
  void aWriteThatArrivesTwiceAroundASealIsAppendedOnce() {
    Address address =
        scenario.client(
            (corfu, way) -> {
              way.answerToCopyOfNext(
                  LogUnitRequest.Write.class::isInstance,
                  () ->
                      scenario
                          .anotherReconfigures(r -> r.renew(scenario.arrangement.layout()))
                          .thenApply(layout -> new Failure.Sealed(layout.epoch())));
              return corfu.log().append(Payloads.of("x", 0));
            });

    assertThat(address).isEqualTo(Address.ZERO);
    assertThat(scenario.append("y")).as("behind the only copy").isEqualTo(new Address(1));
  }

  /**
   * A write arrived twice, and the first reply said that the unit was overloaded. Then so much time
   * passed that the client gave up the token.
   */
  @Test
  void aWriteThatIsTakenAndRefusedIsAppendedOnce() {
    Address address =
        scenario.client(
            (corfu, way) -> {
              way.answerToCopyOfNext(
                  LogUnitRequest.Write.class::isInstance,
                  () -> {
                    CompletableFuture<Reply> answer = new CompletableFuture<>();
                    scenario.simulator.timeline.after(
                        LONG_GONE_NANOS,
                        () -> answer.complete(new Failure.Overloaded("says a test")));
                    return answer;
                  });
              return corfu.log().append(Payloads.of("x", 0));
            });

    assertThat(address).isEqualTo(Address.ZERO);
    assertThat(scenario.append("y")).as("behind the only copy").isEqualTo(new Address(1));
  }

  /** CorfuDB #1363, #558: the first token after a failover was wrong. */
  @Test
  void aSequencerThatLostItsCountGoesOnBehindTheLastEntry() {
    for (int i = 0; i < 5; i++) {
      scenario.append("x" + i);
    }
    restart(scenario.arrangement.sequencer());

    assertThat(scenario.append("y")).isEqualTo(new Address(5));
  }

  /** CorfuDB #1268: a sequencer's state of one epoch was used in another. */
  @Test
  void aStartOfAnOldEpochThatArrivesLateIsRefused() {
    scenario.append("x");
    renew();

    Reply late =
        scenario.ask(scenario.arrangement.sequencer(), new SequencerRequest.Start(SERVING, 0, 0));

    assertThat(late).isEqualTo(new Failure.Sealed(NEXT));
    assertThat(scenario.append("y")).isEqualTo(new Address(1));
  }

  /** CorfuDB #3875: a server that found a half-done reconfiguration reconfigured forever. */
  @Test
  void aReconfigurationThatDiedAfterItsSealIsFinishedByTheNextOne() {
    scenario.append("x");
    for (Endpoint unit : scenario.arrangement.units()) {
      scenario.ask(unit, new LogUnitRequest.Seal(SERVING));
    }

    assertThat(renew().epoch()).isEqualTo(NEXT);
    assertThat(scenario.append("y")).isEqualTo(new Address(1));
  }

  /**
   * Seed 110: a sequencer's server began to renew the layout, but reached only some units. Then it
   * found its sequencer serving, and stopped; the sealed units stayed sealed.
   */
  @Test
  void aHalfDoneSealIsNoticedByWhoeverMakesSureThatTheLogIsServed() {
    scenario.ask(chain.getLast(), new LogUnitRequest.Seal(SERVING));

    Layout layout = scenario.reconfigure(r -> r.serve(scenario.arrangement.layout()));

    assertThat(layout.epoch()).isEqualTo(NEXT);
    assertThat(scenario.append("x")).isEqualTo(Address.ZERO);
  }

  /** A read need not wait for the next layout if its unit has the entry in both layouts. */
  @Test
  void readsGoOnWhileTheNextLayoutIsBeingDecided() {
    scenario.append("x");
    for (Endpoint unit : scenario.arrangement.units()) {
      scenario.ask(
          unit, new LogUnitRequest.Seal(SERVING, LogUnitRequest.Seal.Extent.ALL_BUT_READS));
    }

    LogEntry read = scenario.client(corfu -> corfu.log().read(Address.ZERO));
    assertThat(read).isInstanceOf(LogEntry.Data.class);
    assertThat(scenario.newest().epoch()).isEqualTo(SERVING);
    assertThat(renew().epoch()).isEqualTo(NEXT);
  }

  /**
   * Seed 25: a unit had sealed an epoch before it received the epoch's layout. Its server sent it
   * the layout again and again, forever.
   */
  @Test
  void aUnitThatSealedAnEpochBeforeItKnewItGoesOnInTheNextOne() {
    scenario.ask(chain.getLast(), new LogUnitRequest.Seal(NEXT));

    assertThat(renew().epoch()).isEqualTo(NEXT);
    assertThat(renew().epoch()).isEqualTo(NEXT.next());
    assertThat(scenario.append("x")).isEqualTo(Address.ZERO);
  }

  /** CorfuDB #1693: a torn write kept the server from starting. */
  @Test
  void aUnitStartsAfterEveryPowerLossAndKeepsWhatWasAcknowledged() {
    for (int i = 0; i < 30; i++) {
      Address address = scenario.append("x" + i);
      SimServer victim = scenario.server(chain.get(i % chain.size()));
      victim.losePower();
      victim.start();
      String expected = "x" + i;

      LogEntry read = scenario.client(corfu -> corfu.log().read(address));
      assertThat(CallHistory.content(read).payload()).isEqualTo(expected);
      assertThat(victim.unitDisk().list())
          .as("it trusts its disk")
          .noneMatch(QuarantinedFiles::isAside);
    }
  }

  /** The same with a torn write in progress; no acknowledged entry is lost. */
  @Test
  void aUnitStartsAfterAPowerLossInTheMiddleOfAWriteAndTrustsItsDisk() {
    for (int i = 0; i < 60; i++) {
      byte[] payload = new byte[3_000];
      CompletableFuture<Address> append = scenario.another(corfu -> corfu.log().append(payload));
      scenario.pass(Duration.ofNanos(50_000L * (i + 1)));
      SimServer victim = scenario.server(chain.get(i % chain.size()));
      victim.losePower();
      victim.start();
      scenario.until("it is appended", append::isDone);

      assertThat(append).isCompleted();
      assertThat(victim.unitDisk().list())
          .as("it trusts its disk")
          .noneMatch(QuarantinedFiles::isAside);
    }
  }

  private void takeToken(Epoch epoch) {
    Reply reply =
        scenario.ask(scenario.arrangement.sequencer(), new SequencerRequest.Next(epoch, 1));
    assertThat(reply).isEqualTo(new SequencerReply.Tokens(0, 1));
  }

  private static Entry entry(long address) {
    return Entry.data(address, new AppendId(1, 1), ByteBuffer.wrap(Payloads.of("dead", 5)));
  }

  private WriteOutcome write(Entry entry, Endpoint replica, Epoch epoch) {
    Reply reply = scenario.ask(replica, new LogUnitRequest.Write(epoch, List.of(entry)));
    return ((LogUnitReply.Writes) reply).outcomes().getFirst();
  }

  private ReadOutcome at(Endpoint replica) {
    Reply reply = scenario.ask(replica, new LogUnitRequest.Read(SERVING, AddressSet.of(0), 1));
    return ((LogUnitReply.Reads) reply).outcomes().getFirst();
  }

  private static ReadOutcome found(Entry entry) {
    return new ReadOutcome.Found(entry);
  }

  private Layout renew() {
    return scenario.reconfigure(r -> r.renew(scenario.arrangement.layout()));
  }

  private void restart(Endpoint server) {
    scenario.server(server).kill();
    scenario.server(server).start();
  }
}
