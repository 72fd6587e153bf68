package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.LogEntry;
import corfu.sim.cluster.SimServer;
import corfu.sim.disk.SimDisk;
import corfu.sim.disk.SimFile;
import corfu.sim.history.CallHistory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Corruption on a single disk. Clients do not notice it: the servers repair it from other replicas.
 */
class LyingDiskTest {

  private static final Epoch SERVING = Epoch.FIRST.next();
  private static final Supervision NOBODY_MENDS = Supervision.DEFAULT.withAgent(false);
  private static final Supervision MENDED = Supervision.DEFAULT.withTrust(Duration.ofMillis(200));

  private Scenario scenario = new Scenario(3);

  @AfterEach
  void noUnitHasBrokenAPromise() {
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  private List<Endpoint> chain() {
    return scenario.chainOf(0);
  }

  /** Changes one byte of the record with this payload. */
  private void spoil(Endpoint unit, String payload) {
    SimServer server = scenario.server(unit);
    scenario.cluster.diskMayLie(server);
    byte[] wanted = payload.getBytes(StandardCharsets.US_ASCII);
    SimDisk disk = server.unitDisk();
    for (String name : disk.list()) {
      SimFile file = disk.file(name);
      byte[] bytes = new byte[file.size()];
      var unused = file.read(ByteBuffer.wrap(bytes), 0);
      for (int at = 0; at + wanted.length <= bytes.length; at++) {
        if (Arrays.equals(bytes, at, at + wanted.length, wanted, 0, wanted.length)) {
          file.lies().tell(at, new byte[] {'#'});
          return;
        }
      }
    }
    throw new AssertionError(payload + " is not on " + disk.name());
  }

  private ReadOutcome at(Endpoint unit, long address) {
    var read = new LogUnitRequest.Read(scenario.newest().epoch(), AddressSet.of(address), 1);
    return ((LogUnitReply.Reads) scenario.ask(unit, read)).outcomes().getFirst();
  }

  private void assertReadable(Address address, String payload) {
    LogEntry read = scenario.client(corfu -> corfu.log().read(address));
    assertThat(CallHistory.content(read).payload()).isEqualTo(payload);
  }

  @Test
  void aReaderGetsFromAnotherReplicaWhatTheTailCannotReadAndTheTailHasItAgain() {
    Address address = scenario.append("precious");
    spoil(chain().getLast(), "precious");

    assertReadable(address, "precious");

    scenario.until(
        "it is repaired",
        () -> scenario.server(chain().getLast()).scrubbed().orElseThrow().repaired() == 1);
    assertThat(at(chain().getLast(), 0)).isInstanceOf(ReadOutcome.Found.class);
  }

  /** CorfuDB #1693: such a server did not start. */
  @Test
  void aUnitWhoseNewestFileEndsWithATornRecordServesWhatWasBeforeThat() {
    scenario.append("precious");
    SimServer victim = scenario.server(chain().getLast());
    victim.kill();
    tear(victim.unitDisk());
    victim.start();

    scenario.pass(Duration.ofSeconds(2));

    assertThat(at(victim.endpoint(), 0)).isInstanceOf(ReadOutcome.Found.class);
    assertThat(victim.unitDisk().list()).noneMatch(name -> name.startsWith("aside-"));
  }

  /** Simulates a second write of the first record that was cut in the middle. */
  private static void tear(SimDisk disk) {
    String newest = disk.list().stream().filter(n -> n.startsWith("segment")).toList().getLast();
    SimFile file = disk.file(newest);
    byte[] bytes = new byte[file.size()];
    var unused = file.read(ByteBuffer.wrap(bytes), 0);
    int end = bytes.length;
    while (bytes[end - 1] == 0) {
      end--;
    }
    file.write(Arrays.copyOfRange(bytes, 64, 64 + 50), end + 7 & -8);
  }

  @Test
  void whatTheHeadCannotReadItGetsFromTheOthers() {
    Address address = scenario.append("precious");
    spoil(chain().getFirst(), "precious");
    assertThat(at(chain().getFirst(), 0)).isInstanceOf(ReadOutcome.Corrupt.class);

    scenario.pass(Duration.ofSeconds(1));

    assertThat(at(chain().getFirst(), 0)).isInstanceOf(ReadOutcome.Found.class);
    assertReadable(address, "precious");
  }

  @Test
  void aScrubberFindsWhatNobodyReadsAndItIsRepairedInTheSameRound() {
    scenario = Scenario.ofScrubbedUnits(2, 2, NOBODY_MENDS);
    scenario.append("precious");
    SimServer tail = scenario.server(chain().getLast());
    spoil(tail.endpoint(), "precious");
    long rounds = tail.scrubbed().orElseThrow().rounds();

    scenario.until("two rounds", () -> tail.scrubbed().orElseThrow().rounds() >= rounds + 2);

    assertThat(tail.scrubbed().orElseThrow().repaired()).isEqualTo(1);
    assertThat(at(tail.endpoint(), 0)).isInstanceOf(ReadOutcome.Found.class);
  }

  /** The client that completed the entry met a unit that refused to return its entry, forever. */
  @Test
  void anEntryIsCompletedThoughAReplicaOnItsWayCannotReadIt() {
    takeToken();
    Entry half = data(0, "half done");
    for (Endpoint unit : chain().subList(0, 2)) {
      scenario.ask(unit, new LogUnitRequest.Write(SERVING, List.of(half)));
    }
    spoil(chain().get(1), "half done");

    LogEntry read = scenario.client(corfu -> corfu.log().read(Address.ZERO));

    assertThat(read).isEqualTo(new LogEntry.Data(Address.ZERO, half.payload()));
    assertThat(at(chain().getLast(), 0)).isEqualTo(new ReadOutcome.Found(half));
  }

  @Test
  void aWriterIsNotToldThatAnAddressIsFreeWhereTheHeadCannotReadWhatItHolds() {
    scenario.append("precious");
    spoil(chain().getFirst(), "precious");
    Entry other = Entry.data(0, new AppendId(7, 7), ByteBuffer.allocate(8));
    var write = new LogUnitRequest.Write(SERVING, List.of(other));

    var writes = (LogUnitReply.Writes) scenario.ask(chain().getFirst(), write);

    assertThat(writes.outcomes()).containsExactly(WriteOutcome.Corrupt.CORRUPT);
    assertReadable(Address.ZERO, "precious");
  }

  /**
   * The entry was never acknowledged, and no other replica has it: the unit leaves, and the address
   * becomes a hole.
   */
  @Test
  void aHeadThatCannotReadWhatNobodyElseHasLeavesAndTheLogGoesOn() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    scenario.append("first");
    takeToken();
    Endpoint head = scenario.chainOf(1).getFirst();
    Entry lost = data(1, "only here");
    scenario.ask(head, new LogUnitRequest.Write(scenario.newest().epoch(), List.of(lost)));
    Incarnation before = scenario.newest().incarnationOf(head);
    spoil(head, "only here");
    assertThat(at(head, 1)).isInstanceOf(ReadOutcome.Corrupt.class);

    scenario.until(
        "it has left, and is back",
        () -> scenario.cluster.isWhole() && !scenario.newest().incarnationOf(head).equals(before));

    assertReadable(Address.ZERO, "first");
    LogEntry abandoned = scenario.client(corfu -> corfu.log().read(new Address(1)));
    assertThat(abandoned).isEqualTo(new LogEntry.Hole(new Address(1)));
  }

  /** Earlier the server did not start, and an operator had to empty its directory. */
  @Test
  void aUnitThatCannotTellWhatItSealedBeginsAnewAndIsFilledAgain() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    append(10);
    SimServer victim = scenario.server(scenario.arrangement.units().getFirst());
    Incarnation before = scenario.newest().incarnationOf(victim.endpoint());
    victim.kill();
    SimFile epoch = victim.unitDisk().file("epoch");
    epoch.lies().tell(0, new byte[epoch.size()]);
    watch(victim);
    victim.start();

    assertBackInAnotherLife(victim, before);

    assertReadable(10);
    assertThat(victim.unitDisk().list()).noneMatch(name -> name.startsWith("aside-"));
  }

  @Test
  void aUnitWhoseDiskWasSetBackServesNobodyLeavesAndIsFilledAgain() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    append(4);
    SimServer victim = scenario.server(scenario.arrangement.units().getFirst());
    Incarnation before = scenario.newest().incarnationOf(victim.endpoint());
    SimDisk image = new SimDisk("image", SimDisk.DEFAULT_CAPACITY_BYTES);
    image.becomes(victim.unitDisk());
    for (int i = 4; i < 10; i++) {
      scenario.append("x" + i);
    }
    scenario.pass(Duration.ofMillis(200));
    victim.kill();
    victim.unitDisk().becomes(image);
    scenario.cluster.diskMayFail(victim);
    watch(victim);
    victim.start();

    assertBackInAnotherLife(victim, before);

    assertReadable(10);
  }

  /** Layout servers store what they remember with some delay. */
  @Test
  void aDiskThatWasSetBackIsRecognisedAlsoAfterAllServersWereDown() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    append(4);
    SimServer victim = scenario.server(scenario.arrangement.units().getFirst());
    Incarnation before = scenario.newest().incarnationOf(victim.endpoint());
    SimDisk image = new SimDisk("image", SimDisk.DEFAULT_CAPACITY_BYTES);
    image.becomes(victim.unitDisk());
    for (int i = 4; i < 10; i++) {
      scenario.append("x" + i);
    }
    scenario.pass(Duration.ofSeconds(12));
    scenario.cluster.servers().forEach(SimServer::losePower);
    victim.unitDisk().becomes(image);
    scenario.cluster.diskMayFail(victim);
    watch(victim);
    scenario.cluster.servers().forEach(SimServer::start);

    assertBackInAnotherLife(victim, before);

    assertReadable(10);
  }

  @Test
  void aUnitThatHasLostAFileServesNobodyLeavesAndIsFilledAgain() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    append(10);
    SimServer victim = scenario.server(scenario.arrangement.units().getFirst());
    Incarnation before = scenario.newest().incarnationOf(victim.endpoint());
    victim.stop();
    scenario.until("it has stopped", () -> !victim.isUp());
    List<String> segments =
        victim.unitDisk().list().stream().filter(name -> name.endsWith(".log")).toList();
    victim.unitDisk().delete(segments.getFirst());
    watch(victim);
    victim.start();

    assertBackInAnotherLife(victim, before);

    assertReadable(10);
  }

  /** No data is missing, so the layout must not change. */
  @Test
  void aUnitThatWasDownIsVouchedForAndServesAgain() {
    scenario = new Scenario(3, 2, 0, 1, MENDED);
    append(10);
    SimServer one = scenario.server(scenario.arrangement.units().getFirst());
    Incarnation before = scenario.newest().incarnationOf(one.endpoint());
    for (int i = 0; i < 3; i++) {
      one.losePower();
      one.start();
      scenario.append("y" + i);
      scenario.pass(Duration.ofMillis(300));
    }
    scenario.until("it is whole", () -> scenario.cluster.isWhole());

    assertThat(scenario.newest().incarnationOf(one.endpoint())).isEqualTo(before);
    assertThat(one.unitDisk().list()).noneMatch(name -> name.startsWith("aside-"));
    assertReadable(10);
  }

  private void append(int count) {
    for (int i = 0; i < count; i++) {
      scenario.append("x" + i);
    }
  }

  private void assertReadable(int count) {
    for (int i = 0; i < count; i++) {
      assertReadable(new Address(i), "x" + i);
    }
  }

  /** Lets a server that begins anew forget its contents. */
  private void watch(SimServer victim) {
    victim.isKeptBy(
        new SimServer.DiskKeeper() {
          @Override
          public void opens(SimServer server) {}

          @Override
          public void beganAnew(SimServer server, boolean unit) {
            scenario.cluster.beganAnew(server, unit);
          }

          @Override
          public void recognised(SimServer server, Incarnation life, boolean hasAll) {
            if (!hasAll) {
              scenario.cluster.beganAnew(server, true);
            }
          }
        });
  }

  private void assertBackInAnotherLife(SimServer victim, Incarnation before) {
    scenario.until(
        "it is back",
        () ->
            scenario.cluster.isWhole()
                && !scenario.newest().incarnationOf(victim.endpoint()).equals(before));
  }

  private static Entry data(long address, String payload) {
    ByteBuffer bytes = ByteBuffer.wrap(payload.getBytes(StandardCharsets.US_ASCII));
    return Entry.data(address, new AppendId(1, 2), bytes);
  }

  private void takeToken() {
    var tokens =
        scenario.ask(
            scenario.arrangement.sequencer(),
            new SequencerRequest.Next(scenario.newest().epoch(), 1));
    assertThat(tokens).isInstanceOf(SequencerReply.Tokens.class);
  }
}
