package corfu.access.gate;

import static corfu.access.gate.GatedServer.EPOCH;
import static corfu.access.gate.GatedServer.SERVER;
import static corfu.access.gate.GatedServer.entry;
import static corfu.access.gate.GatedServer.identity;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.Identity;
import corfu.protocol.Incarnation;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.TokenWish;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Every request of the wire protocol, on real roles: of a client without a name, of one whose
 * permissions are for something else, of one with the needed permissions, and of a server.
 */
class EveryMessageTest {

  private static final StreamId ORDERS = StreamId.named("orders.1");
  private static final Identity RIGHT = identity("right");

  /** Has everything on other streams, and nothing on the log or the cluster. */
  private static final Identity WRONG = identity("wrong");

  private static final String[] OF_WRONG = {"wrong read b.*", "wrong append b", "wrong trim b"};

  /** The reply to a client with permissions for other streams. */
  private enum Others {
    /** It is refused. */
    REFUSED,
    /** The reply tells nothing of streams, or hides what the client may not see. */
    SERVED,
    /** The gate answers in its own way. */
    ANSWERED_BY_GATE
  }

  /**
   * A row of the table.
   *
   * @param request the request
   * @param others what other clients get
   * @param reply the reply to a client with the grants
   * @param grants the needed permissions, all of them
   */
  private record Row(
      Request request, Others others, Class<? extends Reply> reply, String... grants) {

    @Override
    public String toString() {
      return request.getClass().getSimpleName();
    }
  }

  private static final Map<Class<?>, Row> TABLE = table(new GatedServer());

  private static Map<Class<?>, Row> table(GatedServer server) {
    List<Row> rows = new ArrayList<>();
    rows.addAll(ofLogUnits(server));
    rows.addAll(ofSequencers());
    rows.addAll(ofLayoutServers(server));
    rows.addAll(ofServers());
    rows.add(
        new Row(
            new ViewRequest.Call(
                ORDERS, 100, ByteBuffer.wrap(new byte[] {GatedServer.CHANGE_CALL})),
            Others.REFUSED,
            ViewReply.Answered.class,
            "right read orders.1",
            "right append orders.1"));
    Map<Class<?>, Row> table = new LinkedHashMap<>();
    rows.forEach(row -> table.put(row.request.getClass(), row));
    return table;
  }

  private static Row row(
      Request request, Others others, Class<? extends Reply> reply, String... grants) {
    return new Row(request, others, reply, grants);
  }

  private static List<Row> ofLogUnits(GatedServer server) {
    AddressSet one = AddressSet.of(0);
    var query = List.of(StreamQuery.below(ORDERS, 10));
    return List.of(
        row(
            server.sealed(RIGHT, EPOCH, entry(5, "orders.1")),
            Others.REFUSED,
            LogUnitReply.Writes.class,
            "right append orders.1"),
        row(
            new LogUnitRequest.Repair(EPOCH, List.of(entry(0, "orders.1"))),
            Others.REFUSED,
            LogUnitReply.Writes.class,
            "right operate"),
        row(
            new LogUnitRequest.Read(EPOCH, one, 1_000),
            Others.SERVED,
            LogUnitReply.Reads.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.ReadBlocks(EPOCH, List.of(new PayloadRange(0, 0, 1)), 1_000),
            Others.SERVED,
            LogUnitReply.FoundBlocks.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.Trim(EPOCH, one),
            Others.REFUSED,
            Reply.Done.class,
            "right trim orders.1"),
        row(
            new LogUnitRequest.PrefixTrim(EPOCH, 1),
            Others.REFUSED,
            Reply.Done.class,
            "right operate"),
        row(
            new LogUnitRequest.Inspect(EPOCH, one),
            Others.SERVED,
            LogUnitReply.States.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.AskTail(EPOCH),
            Others.SERVED,
            LogUnitReply.Tail.class,
            "right append orders.1"),
        row(
            new LogUnitRequest.CopyRange(EPOCH, 0, 10, 1, 1_000),
            Others.REFUSED,
            LogUnitReply.Copied.class,
            "right read-log"),
        row(
            new LogUnitRequest.FindInStreams(EPOCH, query, 4),
            Others.REFUSED,
            LogUnitReply.FoundInStreams.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.ListStreams(EPOCH, ORDERS.part(), StreamId.NONE),
            Others.SERVED,
            LogUnitReply.Streams.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.TrimStream(EPOCH, ORDERS, 1),
            Others.REFUSED,
            Reply.Done.class,
            "right trim orders.1"),
        row(
            new LogUnitRequest.ReadStream(EPOCH, ORDERS, 0, 0, 10, 1_000),
            Others.REFUSED,
            LogUnitReply.StreamEntries.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.Complete(EPOCH, one),
            Others.SERVED,
            Reply.Done.class,
            "right append orders.1"),
        row(
            new LogUnitRequest.Follow(EPOCH, 7, List.of(ORDERS), List.of()),
            Others.REFUSED,
            LogUnitReply.Following.class,
            "right read orders.1"),
        row(
            new LogUnitRequest.Listen(EPOCH, 7, 1_000),
            Others.SERVED,
            Failure.NotServing.class, // there is no such follower
            "right read orders.1"),
        row(
            new LogUnitRequest.Seal(EPOCH),
            Others.REFUSED,
            LogUnitReply.SealedAt.class,
            "right operate"),
        row(
            new LogUnitRequest.Reset(EPOCH),
            Others.REFUSED,
            Failure.NotServing.class, // the layout relies on the unit
            "right operate"),
        row(
            new LogUnitRequest.Install(server.layout()),
            Others.ANSWERED_BY_GATE,
            Reply.Done.class,
            "right operate"),
        row(
            new LogUnitRequest.Compress(0),
            Others.REFUSED,
            LogUnitReply.Compressed.class,
            "right operate"),
        row(
            new LogUnitRequest.AskCompression(),
            Others.REFUSED,
            LogUnitReply.Compressed.class,
            "right observe"),
        row(
            new LogUnitRequest.AskScrub(),
            Others.REFUSED,
            LogUnitReply.Scrubbed.class,
            "right observe"),
        row(
            new LogUnitRequest.AskUsage(),
            Others.REFUSED,
            LogUnitReply.Usage.class,
            "right observe"));
  }

  private static List<Row> ofSequencers() {
    return List.of(
        row(
            new SequencerRequest.Next(EPOCH, 1),
            Others.REFUSED,
            SequencerReply.Tokens.class,
            "right append-log"),
        row(
            new SequencerRequest.NextInStreams(
                EPOCH, List.of(TokenWish.in(List.of(ORDERS))), List.of()),
            Others.REFUSED,
            SequencerReply.StreamTokens.class,
            "right append orders.1"),
        row(
            new SequencerRequest.AskStreams(EPOCH, List.of(ORDERS), List.of()),
            Others.REFUSED,
            SequencerReply.StreamEnds.class,
            "right read orders.1"),
        row(
            new SequencerRequest.Adopt(EPOCH, 5, List.of()),
            Others.REFUSED,
            SequencerReply.Tail.class,
            "right operate"),
        row(
            new SequencerRequest.AskTail(EPOCH),
            Others.SERVED,
            SequencerReply.Tail.class,
            "right append orders.1"),
        row(
            new SequencerRequest.Start(EPOCH, 0, GatedServer.INCARNATION),
            Others.REFUSED,
            Reply.Done.class,
            "right operate"),
        row(
            new SequencerRequest.Seal(EPOCH),
            Others.REFUSED,
            SequencerReply.SealedAt.class,
            "right operate"));
  }

  private static List<Row> ofLayoutServers(GatedServer server) {
    return List.of(
        row(
            new LayoutRequest.Fetch(),
            Others.SERVED,
            LayoutReply.Current.class,
            "right read orders.1"),
        row(
            new LayoutRequest.Prepare(EPOCH.next(), new Ballot(1, 1)),
            Others.REFUSED,
            LayoutReply.Promised.class,
            "right operate"),
        row(
            new LayoutRequest.Accept(new Ballot(1, 1), server.layout()),
            Others.REFUSED,
            LayoutReply.Decided.class,
            "right operate"),
        row(
            new LayoutRequest.Learn(server.layout()),
            Others.REFUSED,
            Reply.Done.class,
            "right operate"),
        row(
            new LayoutRequest.Renew(EPOCH, GatedServer.ADDRESS, Health.UNKNOWN),
            Others.REFUSED,
            LayoutReply.Granted.class),
        row(
            new LayoutRequest.Remember(GatedServer.ADDRESS, new Incarnation(1), Progress.NONE),
            Others.REFUSED,
            LayoutReply.Remembered.class),
        row(
            new LayoutRequest.Observe(),
            Others.REFUSED,
            LayoutReply.Observations.class,
            "right observe"),
        row(
            new LayoutRequest.Report(List.of(), List.of()),
            Others.SERVED,
            Reply.Done.class,
            "right read orders.1"),
        row(
            new LayoutRequest.AskReports(),
            Others.REFUSED,
            LayoutReply.Reports.class,
            "right observe"));
  }

  private static List<Row> ofServers() {
    return List.of(
        row(
            new NodeRequest.Hello(1, 3, Optional.empty()),
            Others.SERVED,
            NodeReply.Welcome.class,
            "right read orders.1"),
        row(
            new NodeRequest.AskStatus(),
            Others.SERVED,
            NodeReply.Status.class,
            "right read orders.1"),
        row(
            new NodeRequest.AskNames(),
            Others.SERVED,
            NodeReply.Names.class,
            "right read orders.1"),
        row(
            new NodeRequest.Introduce(List.of("orders.1")),
            Others.ANSWERED_BY_GATE,
            Reply.Done.class,
            "right read orders.*"),
        row(
            new NodeRequest.Settle(AddressSet.of(1)),
            Others.SERVED,
            Reply.Done.class,
            "right read orders.1"),
        row(
            new NodeRequest.SettleStreams(List.of(ORDERS)),
            Others.REFUSED,
            Reply.Done.class,
            "right read orders.1"),
        row(new NodeRequest.AskAccess(), Others.REFUSED, NodeReply.Access.class, "right observe"),
        row(new NodeRequest.AskTokenKey(), Others.REFUSED, NodeReply.SealingKey.class),
        row(new NodeRequest.AskQuotas(), Others.REFUSED, NodeReply.Quotas.class, "right observe"));
  }

  private static Stream<Class<?>> kinds(Class<?> type) {
    return type.isSealed()
        ? Stream.of(type.getPermittedSubclasses()).flatMap(EveryMessageTest::kinds)
        : Stream.of(type);
  }

  static Stream<Row> rows() {
    return TABLE.values().stream();
  }

  @Test
  void eachRequestHasItsRow() {
    assertThat(TABLE.keySet()).containsExactlyInAnyOrderElementsOf(kinds(Request.class).toList());
  }

  private static GatedServer server(String... grants) {
    GatedServer server = new GatedServer(grants);
    server.allow(OF_WRONG);
    server.write(entry(0, "orders.1"));
    return server;
  }

  private static boolean isHello(Row row) {
    return row.request instanceof NodeRequest.Hello;
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClientWithoutANameIsRefused(Row row) {
    Reply reply = server(row.grants).as(Identity.ANONYMOUS, row.request);
    assertThat(reply).isInstanceOf(isHello(row) ? row.reply : Failure.Forbidden.class);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClientWithoutAnyGrantIsRefusedAndToldWhatIsMissing(Row row) {
    Reply reply = server(row.grants).as("nobody", row.request);
    assertThat(reply).isInstanceOf(isHello(row) ? row.reply : Failure.Forbidden.class);
    if (reply instanceof Failure.Forbidden forbidden) {
      assertThat(forbidden.reason()).contains("spiffe://prod/nobody");
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClientWithOtherPermissionsGetsNothingOfTheStream(Row row) {
    GatedServer server = server(row.grants);
    Reply reply = server.as(WRONG, row.request);
    switch (row.others) {
      case REFUSED -> assertThat(reply).isInstanceOf(Failure.Forbidden.class);
      case SERVED -> assertThat(reply).isInstanceOf(row.reply);
      case ANSWERED_BY_GATE -> assertThat(reply).isNotInstanceOf(Failure.Forbidden.class);
    }
    assertThat(reply.toString()).doesNotContain("entry at 0");
    assertThat(held(server)).isEqualTo(entry(0, "orders.1"));
  }

  /** Returns the entry at address 0 as a server reads it. */
  private static Object held(GatedServer server) {
    Reply reply = server.as(SERVER, new LogUnitRequest.Read(EPOCH, AddressSet.of(0), 1_000));
    assertThat(reply).isInstanceOf(LogUnitReply.Reads.class);
    return ((LogUnitReply.Reads) reply).outcomes().getFirst().held().orElseThrow();
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aClientWithThePermissionIsServed(Row row) {
    boolean isForServers = row.grants.length == 0;
    assertThat(server(row.grants).as(isForServers ? SERVER : RIGHT, row.request))
        .isInstanceOf(row.reply);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void eachOfTheGrantsIsNeeded(Row row) {
    for (String taken : row.grants) {
      GatedServer server = server(row.grants);
      server.revoke(taken);
      Reply reply = server.as(RIGHT, row.request);
      assertThat(reply).isInstanceOf(isHello(row) ? row.reply : Failure.Forbidden.class);
    }
  }

  @ParameterizedTest
  @MethodSource("rows")
  void aServerIsServed(Row row) {
    assertThat(server(row.grants).as(SERVER, row.request)).isInstanceOf(row.reply);
  }

  @ParameterizedTest
  @MethodSource("rows")
  void beforeThePolicyIsKnownOnlyTheConfiguredAreServed(Row row) {
    GatedServer server = server(row.grants);
    server.gate.forgetPolicy();
    assertThat(server.as(RIGHT, row.request))
        .isInstanceOf(isHello(row) ? row.reply : Failure.NotServing.class);
    assertThat(server.as(SERVER, row.request)).isInstanceOf(row.reply);
  }
}
