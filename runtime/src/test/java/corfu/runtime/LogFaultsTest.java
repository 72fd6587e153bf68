package corfu.runtime;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.cluster.FaultyWay;
import corfu.runtime.cluster.FaultyWay.Fate;
import corfu.runtime.cluster.HurriedWorld;
import corfu.runtime.cluster.OldClient;
import corfu.runtime.cluster.RoleCluster;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The log as its users see it when messages get lost, writers die and epochs change. */
final class LogFaultsTest {

  /** Longer than any call may last. */
  private static final Duration TOO_LONG = Duration.ofHours(1);

  /** The timeout of requests and calls, long enough for a busy machine. */
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final RoleCluster cluster = RoleCluster.builder().nodes(2).replicas(2).start();
  private final CorfuOptions patient =
      cluster
          .clientOptions()
          .withOperationTimeout(PATIENCE)
          .withRequestTimeout(PATIENCE)
          .withReconfigureAfter(PATIENCE);
  private final FaultyWay way = new FaultyWay(cluster.transport());
  private final HurriedWorld writersWorld = new HurriedWorld(cluster.world());
  private final Corfu writer = Corfu.connect(patient, writersWorld, way);
  private final Corfu reader = cluster.connect(patient.withHoleTimeout(Duration.ofMillis(20)));

  @AfterEach
  void stop() {
    writer.close();
    cluster.close();
  }

  /** Lets the writer's time pass together with the loss. */
  private Fate atLast(Fate fate) {
    writersWorld.pass(TOO_LONG);
    return fate;
  }

  private static byte[] bytes(String text) {
    return text.getBytes(UTF_8);
  }

  private static LogEntry data(long address, String text) {
    return new LogEntry.Data(new Address(address), ByteBuffer.wrap(bytes(text)));
  }

  private Chain chainOf(long address) {
    return writer.layout().chainOf(address);
  }

  private static boolean isWriteTo(Endpoint replica, Endpoint server, Request request) {
    return request instanceof LogUnitRequest.Write && server.equals(replica);
  }

  @Test
  void aReaderCompletesWhatAWriterLeftAtTheHead() {
    way.plan(
        (server, request) ->
            isWriteTo(chainOf(0).tail(), server, request)
                ? atLast(Fate.IS_NOT_SENT)
                : Fate.ARRIVES);
    assertThatThrownBy(() -> writer.log().append(bytes("x")))
        .isInstanceOfSatisfying(
            AppendOutcomeUnknownException.class,
            unknown -> assertThat(unknown.address()).isEqualTo(new Address(0)));

    assertThat(reader.log().read(new Address(0))).isEqualTo(data(0, "x"));
    assertThat(reader.servers())
        .allSatisfy(server -> assertThat(server.usage().orElseThrow().entries()).isEqualTo(1));
  }

  @Test
  void aReaderFillsWhatAWriterNeverWrote() {
    way.plan(
        (server, request) ->
            request instanceof LogUnitRequest.Write ? atLast(Fate.IS_NOT_SENT) : Fate.ARRIVES);
    assertThatThrownBy(() -> writer.log().append(bytes("x")))
        .isInstanceOf(UnavailableException.class);

    assertThat(reader.log().read(new Address(0))).isEqualTo(new LogEntry.Hole(new Address(0)));
  }

  @Test
  void aRangeReadCompletesAndFillsWhatWritersLeft() {
    reader.log().append(bytes("whole"));
    way.plan(
        (server, request) ->
            isWriteTo(chainOf(1).tail(), server, request)
                ? atLast(Fate.IS_NOT_SENT)
                : Fate.ARRIVES);
    assertThatThrownBy(() -> writer.log().append(bytes("half")))
        .isInstanceOf(AppendOutcomeUnknownException.class);
    way.plan(
        (server, request) ->
            request instanceof LogUnitRequest.Write ? atLast(Fate.IS_NOT_SENT) : Fate.ARRIVES);
    assertThatThrownBy(() -> writer.log().append(bytes("none")))
        .isInstanceOf(UnavailableException.class);

    List<LogEntry> found = reader.log().read(new Address(0), reader.log().tail());

    assertThat(found).startsWith(data(0, "whole"), data(1, "half")).hasSizeGreaterThan(2);
    assertThat(found.subList(2, found.size())).allMatch(LogEntry.Hole.class::isInstance);
  }

  @Test
  void anAppendWhoseAcknowledgementsGetLostHappensOnce() {
    AtomicInteger lost = new AtomicInteger();
    way.plan(
        (server, request) ->
            request instanceof LogUnitRequest.Write && lost.getAndIncrement() < 3
                ? Fate.REPLY_IS_LOST
                : Fate.ARRIVES);

    assertThat(writer.log().append(bytes("once"))).isEqualTo(new Address(0));
    assertThat(reader.log().tail()).isEqualTo(new Address(1));
    assertThat(reader.log().read(new Address(0))).isEqualTo(data(0, "once"));
  }

  @Test
  void anAppendThatReachedTheHeadUnnoticedSaysSoWithItsAddress() {
    way.plan(
        (server, request) ->
            isWriteTo(chainOf(0).head(), server, request)
                ? atLast(Fate.REPLY_IS_LOST)
                : Fate.ARRIVES);

    assertThatThrownBy(() -> writer.log().append(bytes("x")))
        .isInstanceOfSatisfying(
            AppendOutcomeUnknownException.class,
            unknown -> assertThat(unknown.address()).isEqualTo(new Address(0)))
        .hasMessageContaining("address 0");
    assertThat(reader.log().read(new Address(0))).isEqualTo(data(0, "x"));
  }

  @Test
  void aWriterWhoseAddressWasFilledTakesAnother() {
    var sequencer = cluster.transport().peer(writer.layout().sequencers().getFirst());
    sequencer.call(new SequencerRequest.Next(writer.layout().epoch(), 3), PATIENCE.toNanos());
    OldClient other = new OldClient(cluster.transport(), writer.layout());
    for (long hole = 0; hole < 5; hole++) {
      other.fill(hole);
    }

    assertThat(writer.log().append(bytes("x"))).isEqualTo(new Address(5));
  }

  @Test
  void withoutAnswersFromTheSequencerAnAppendIsRefusedInTimeAndHasNoEffect() {
    way.plan(
        (server, request) ->
            request instanceof SequencerRequest ? atLast(Fate.IS_LOST) : Fate.ARRIVES);

    assertThatThrownBy(() -> writer.log().append(bytes("x")))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("append");
    assertThat(reader.log().tail()).isEqualTo(Address.ZERO);
  }

  @Test
  void epochsChangeUnderALoadThatLosesAndRepeatsNothing() {
    Log log = reader.log();
    List<CompletableFuture<Address>> appends = new ArrayList<>();
    Layout layout = reader.layout();
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 200; i++) {
        appends.add(log.appendAsync(bytes("entry " + appends.size())));
      }
      layout = cluster.reconfiguration().renew(layout);
    }
    List<Address> addresses = appends.stream().map(CompletableFuture::join).toList();

    assertThat(layout.epoch().value()).isEqualTo(reader.layout().epoch().value()).isEqualTo(7);
    List<LogEntry> all = log.read(Address.ZERO, log.tail());
    List<LogEntry> entries = all.stream().filter(LogEntry.Data.class::isInstance).toList();
    assertThat(entries).hasSize(1000);
    for (int i = 0; i < addresses.size(); i++) {
      long address = addresses.get(i).value();
      assertThat(all.get((int) address)).isEqualTo(data(address, "entry " + i));
    }
  }

  @Test
  void aHeadLeftInDoubtByTheOldEpochIsSettledInTheNew() {
    Layout old = writer.layout();
    way.plan(
        (server, request) ->
            request instanceof LogUnitRequest.Write && request.epoch().equals(old.epoch())
                ? Fate.REPLY_IS_LOST
                : Fate.ARRIVES);
    CompletableFuture<Address> append = writer.log().appendAsync(bytes("x"));
    cluster.reconfiguration().renew(old);

    Address address = append.join();

    assertThat(reader.log().read(address)).isEqualTo(data(address.value(), "x"));
    List<LogEntry> all = reader.log().read(Address.ZERO, reader.log().tail());
    assertThat(all.stream().filter(LogEntry.Data.class::isInstance)).hasSize(1);
  }

  /**
   * Seed 70447: the head had accepted the entries behind the damaged one. That was forgotten, and
   * they were appended once more when the epoch changed.
   */
  @Test
  void whatTravelsBehindADamagedEntryIsAppendedOnce() {
    Layout old = writer.layout();
    way.plan(
        (server, request) ->
            request.epoch().equals(old.epoch()) ? Fate.FIRST_ENTRY_IS_DAMAGED : Fate.ARRIVES);
    List<CompletableFuture<Address>> appends = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      appends.add(writer.log().appendAsync(bytes("entry " + i)));
    }
    CompletableFuture.anyOf(appends.toArray(CompletableFuture[]::new)).join();
    cluster.reconfiguration().renew(old);

    appends.forEach(CompletableFuture::join);

    List<LogEntry> all = reader.log().read(Address.ZERO, reader.log().tail());
    assertThat(all.stream().filter(LogEntry.Data.class::isInstance)).hasSize(20);
  }

  @Test
  void aSecondBootstrapFindsTheFirst() {
    reader.log().append(bytes("x"));

    Layout again = cluster.bootstrap();

    assertThat(again).isEqualTo(reader.layout());
    assertThat(reader.log().append(bytes("y"))).isEqualTo(new Address(1));
  }
}
