package corfu.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.node.Supervision;
import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAppend;
import corfu.runtime.UnavailableException;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import corfu.sim.cluster.SimServer;
import corfu.sim.history.CallHistory;
import corfu.sim.history.Payloads;
import corfu.sim.world.SimNetwork;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * A partition through the middle of a cluster. A majority of the layout servers and the sequencer
 * are on one side. All replicas of a chain of the open segment are on the other side.
 */
final class UnreachableChainTest {

  private static final Supervision SOON = Supervision.DEFAULT.withTrust(Duration.ofMillis(500));
  private static final Duration FELT_AT_MOST = Duration.ofSeconds(2);

  private final Scenario scenario = new Scenario(4, 2, 0, 1, SOON);
  private final List<Endpoint> units = scenario.arrangement.units();
  private final Chain lost = new Chain(List.of(units.get(2), units.get(3)));
  private final List<SimNetwork.Cut> cuts = new ArrayList<>();

  private void cutOff(String... friends) {
    Set<String> there =
        Set.copyOf(
            Stream.concat(lost.replicas().stream().map(Endpoint::host), Stream.of(friends))
                .toList());
    List<String> here = new ArrayList<>(scenario.cluster.names());
    IntStream.range(0, 1_000).forEach(i -> here.add("test" + i));
    here.removeAll(there);
    cuts.add(new SimNetwork.Cut(there, Set.copyOf(here)));
    cuts.add(new SimNetwork.Cut(Set.copyOf(here), there));
    cuts.forEach(scenario.simulator.network::cut);
  }

  private void mend() {
    cuts.forEach(scenario.simulator.network::mend);
  }

  private long now() {
    return scenario.simulator.timeline.nowNanos();
  }

  private void append(int count) {
    scenario.client(
        corfu -> {
          for (int i = 0; i < count; i++) {
            Address unused = corfu.log().append(Payloads.of("before" + i, 0));
          }
          return "";
        });
  }

  /** Returns the segment that was open when the chain was last reachable. */
  private LayoutSegment closed() {
    return scenario.newest().segmentOf(0);
  }

  private void assertThatTheChainIsKept(long end) {
    assertThat(closed().end()).isEqualTo(end);
    assertThat(closed().log()).contains(lost);
    assertThat(scenario.newest().openSegment().units())
        .containsExactlyInAnyOrder(units.get(0), units.get(1));
  }

  private void assertThatAllIsWellInTheEnd() {
    mend();
    scenario.until("the cluster is as wanted", scenario.cluster::isWhole);
    assertThat(scenario.newest().logUnits()).containsExactlyInAnyOrderElementsOf(units);
    assertThat(scenario.simulator.findings.all()).isEmpty();
  }

  @Test
  void appendsGoOnSoonWhileTheCutLasts() {
    append(6);
    cutOff();
    long cutNanos = now();

    Address address = scenario.append("during");

    assertThat(Duration.ofNanos(now() - cutNanos)).isLessThan(FELT_AT_MOST);
    assertThatTheChainIsKept(scenario.newest().openSegment().start());
    LogEntry entry = scenario.client(corfu -> corfu.log().read(address));
    assertThat(CallHistory.content(entry).payload()).isEqualTo("during");
    assertThatThrownBy(() -> scenario.client(corfu -> corfu.log().read(new Address(2))))
        .as("nobody on this side has it")
        .hasRootCauseInstanceOf(UnavailableException.class);

    assertThatAllIsWellInTheEnd();
    for (int i = 0; i < 6; i++) {
      Address before = new Address(i);
      LogEntry read = scenario.client(corfu -> corfu.log().read(before));
      assertThat(CallHistory.content(read).payload()).isEqualTo("before" + i);
    }
  }

  /** A sequencer that knew no stream would have to ask the unreachable units. */
  @Test
  void aClientThatHasReadAStreamToItsEndGoesOnWithIt() {
    boolean[] hasRead = {false};
    CompletableFuture<List<String>> client =
        scenario.begin(
            world -> {
              Corfu corfu =
                  Corfu.connect(
                      CorfuOptions.of(scenario.arrangement.layoutServers()),
                      world,
                      scenario.transport(world));
              LogStream orders = Streams.over(corfu).open("orders");
              append(orders, 0, 6);
              StreamReader reader = orders.reader();
              reader.sync();
              assertThat(reader.readRest()).hasSize(6);
              hasRead[0] = true;
              while (closed().isOpen()) {
                world.pause(Duration.ofMillis(1));
              }
              long cutNanos = now();
              append(orders, 6, 9);
              reader.sync();
              List<String> read =
                  reader.readRest().stream().map(UnreachableChainTest::text).toList();
              assertThat(Duration.ofNanos(now() - cutNanos)).isLessThan(FELT_AT_MOST);
              return read;
            });
    scenario.until("it has read its stream", () -> hasRead[0]);
    cutOff();
    scenario.until("it has gone on", client::isDone);

    assertThat(client.join()).containsExactly("order6", "order7", "order8");
    assertThatTheChainIsKept(scenario.newest().openSegment().start());
    assertThatAllIsWellInTheEnd();
    List<String> all =
        scenario.client(
            corfu -> {
              StreamReader reader = Streams.over(corfu).open("orders").reader();
              reader.sync();
              return reader.readRest().stream().map(UnreachableChainTest::text).toList();
            });
    assertThat(all)
        .containsExactlyElementsOf(IntStream.range(0, 9).mapToObj(i -> "order" + i).toList());
  }

  /** Only appends that may have reached the chain wait for it. */
  @Test
  void anAppendThatMayHaveReachedTheChainKeepsNoOtherWaiting() {
    boolean[] isConnected = {false};
    List<CompletableFuture<Address>> appends = new ArrayList<>();
    CompletableFuture<String> client =
        scenario.another(
            corfu -> {
              for (int i = 0; i < 4; i++) {
                Address unused = corfu.log().append(Payloads.of("before" + i, 0));
              }
              isConnected[0] = true;
              while (cuts.isEmpty()) {
                Address unused = corfu.log().tail();
              }
              for (int i = 0; i < 8; i++) {
                appends.add(corfu.log().appendAsync(Payloads.of("during" + i, 0)));
              }
              appends.forEach(append -> append.handle((address, failure) -> address).join());
              return "";
            });
    scenario.until("it is connected", () -> isConnected[0]);
    cutOff();
    long cutNanos = now();
    scenario.until(
        "most have been appended", () -> appends.stream().filter(one -> one.isDone()).count() >= 6);

    assertThat(Duration.ofNanos(now() - cutNanos)).isLessThan(FELT_AT_MOST);
    assertThat(client).isNotDone();
    mend();
    scenario.until("all have been", client::isDone);
    assertThat(appends).allSatisfy(append -> assertThat(append).isCompleted());
    assertThatAllIsWellInTheEnd();
  }

  private static void append(LogStream stream, int from, int to) {
    for (int i = from; i < to; i++) {
      StreamAppend.Appended unused = stream.append(Payloads.of("order" + i, 0));
    }
  }

  private static String text(StreamRead.Entry entry) {
    String text = StandardCharsets.US_ASCII.decode(entry.payload().duplicate()).toString();
    return text.substring(0, text.indexOf(Payloads.END_OF_NAME));
  }

  private static String text(LogEntry entry) {
    return CallHistory.content(entry).payload();
  }

  /** No server has sealed the chain, so it still accepts entries of issued tokens. */
  @Test
  void whatIsWrittenBeyondTheCutUnderAnIssuedTokenIsFound() {
    append(2);
    Layout before = scenario.newest();
    Epoch epoch = before.epoch();
    var tokens =
        (SequencerReply.Tokens)
            scenario.ask(scenario.arrangement.sequencer(), new SequencerRequest.Next(epoch, 4));
    long token =
        IntStream.range(0, 4)
            .mapToLong(i -> tokens.first() + i)
            .filter(address -> before.chainOf(address).equals(lost))
            .findFirst()
            .orElseThrow();
    Entry entry = Entry.data(token, new AppendId(5, 6), ByteBuffer.wrap(Payloads.of("beyond", 0)));
    cutOff("writer");
    Address during = scenario.append("during");
    assertThat(during.value()).as("no token is given twice").isGreaterThanOrEqualTo(6);
    assertThatTheChainIsKept(scenario.newest().openSegment().start());

    var write = new LogUnitRequest.Write(epoch, List.of(entry));
    for (Endpoint unit : lost.replicas()) {
      Reply reply =
          scenario.runAs(
              "writer",
              world -> scenario.transport(world).peer(unit).call(write, Long.MAX_VALUE / 4));
      assertThat(reply).isInstanceOf(LogUnitReply.Writes.class);
    }

    assertThatAllIsWellInTheEnd();
    LogEntry read = scenario.client(corfu -> corfu.log().read(new Address(token)));
    assertThat(text(read)).isEqualTo("beyond");
  }

  /** Without the sequencer's count, a client might have written anywhere in the chain. */
  @Test
  void withoutTheEpochsSequencerAppendsWaitForTheChain() {
    append(6);
    SimServer sequencer = scenario.server(scenario.arrangement.sequencer());
    sequencer.kill();
    cutOff();
    sequencer.start();
    CompletableFuture<Address> waiting =
        scenario.another(corfu -> corfu.log().append(Payloads.of("waiting", 0)));
    scenario.pass(Duration.ofSeconds(5));

    assertThat(scenario.newest().openSegment().log()).contains(lost);
    assertThat(waiting).isNotDone();
    assertThatAllIsWellInTheEnd();
    assertThat(scenario.append("afterwards").value()).isGreaterThanOrEqualTo(6);
  }
}
