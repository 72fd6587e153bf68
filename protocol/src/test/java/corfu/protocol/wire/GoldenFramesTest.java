package corfu.protocol.wire;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.EntryKind;
import corfu.protocol.Epoch;
import corfu.protocol.Identity;
import corfu.protocol.Incarnation;
import corfu.protocol.PayloadBlocks;
import corfu.protocol.PayloadRange;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.TokenKey;
import corfu.protocol.TokenSeal;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Health;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.CopiedRecord;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.QuotaUse;
import corfu.protocol.message.Reply;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.SequencerRequest.KnownStreams;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenOutcome;
import corfu.protocol.stream.TokenWish;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.UUID;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One frame of each type, byte by byte, in {@code golden/}, and of later versions in directories
 * beside it. Other implementations check themselves against these files. A changed frame needs a
 * new version of the schema, not a changed file.
 */
class GoldenFramesTest {

  private static final long REQUEST_ID = 0x1122334455667788L;
  private static final Epoch EPOCH = new Epoch(0x0a0b0c);
  private static final ClusterId CLUSTER =
      new ClusterId(UUID.fromString("00112233-4455-6677-8899-aabbccddeeff"));
  private static final AppendId APPEND = new AppendId(0xc0ffee0123456789L, 42);
  private static final StreamId ORDERS = StreamId.named("orders");
  private static final StreamId USERS = new StreamId(0x0011223344556677L, 0x8899aabbccddeeffL);
  private static final StreamPosition PLACE = new StreamPosition(17, Backpointers.of(1_001, 999));
  private static final Entry IN_STREAMS =
      Entry.data(
          1_001,
          APPEND,
          List.of(
              new StreamHeader(USERS, 3, Backpointers.of(7)),
              new StreamHeader(ORDERS, 17, Backpointers.NONE)),
          ByteBuffer.wrap("hello, streams".getBytes(StandardCharsets.US_ASCII)));
  private static final Ballot BALLOT = new Ballot(3, 0xfedcba9876543210L);
  private static final Entry DATA =
      Entry.data(1_000, APPEND, ByteBuffer.wrap("hello, log".getBytes(StandardCharsets.UTF_8)));
  private static final Entry HOLE = Entry.hole(1_001, new AppendId(7, 8));
  private static final AddressSet STRIDED = new AddressSet.Strided(1_000, 3, 5);
  private static final AddressSet LISTED = new AddressSet.Listed(new long[] {5, 3, 1L << 40});
  private static final Incarnation LIFE = new Incarnation(0x2f60c37a11b4e0d9L);
  private static final Progress PROGRESS = new Progress(7, 65_536, new Epoch(11), new Epoch(12));
  private static final Health HEALTH =
      new Health(
          Health.State.BROKEN,
          Health.State.SERVING,
          Health.State.ABSENT,
          LIFE,
          Incarnation.NONE,
          "disk failed");
  private static final Layout LAYOUT = layout();
  private static final TokenKey KEY =
      new TokenKey(
          0x5ea1ed0000000001L,
          "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));

  /** The seal of that key for the client spiffe://prod/orders. */
  private static final TokenSeal SEAL =
      new TokenSeal(KEY.id(), 1_000, 2, 0x9c3a9ba773f7a3dbL, 0x59099f5929fb5ae3L);

  private static Layout layout() {
    Endpoint one = new Endpoint("10.0.0.1", 9000);
    Endpoint two = new Endpoint("node-2", 9000);
    Endpoint three = new Endpoint("fd00::3", 9000);
    Layout open =
        Layout.initial(
                CLUSTER,
                List.of(one),
                List.of(one, two, three),
                List.of(one, two, three),
                new Wanted(2, 2))
            .withIncarnations(Map.of(one, LIFE, two, LIFE, three, LIFE), Map.of(one, LIFE));
    LayoutSegment closed =
        new LayoutSegment(0, 100, List.of(new Chain(List.of(one))))
            .withTarget(Optional.of(new ChainLayout(List.of(new Chain(List.of(two, one))))));
    return new Layout(
        CLUSTER,
        open.epoch(),
        open.wanted(),
        open.sequencers(),
        open.acceptors(),
        open.units(),
        List.of(closed, new LayoutSegment(100, LayoutSegment.OPEN, open.openSegment().log())));
  }

  private static Message sample(MessageType type) {
    return switch (type) {
      case HELLO -> new NodeRequest.Hello(1, 2, Optional.of(CLUSTER));
      case ASK_STATUS -> new NodeRequest.AskStatus();
      case ASK_NAMES -> new NodeRequest.AskNames();
      case NAMES ->
          new NodeReply.Names(
              List.of(
                  new NodeReply.Named(new Endpoint("10.0.0.1", 9000), "a"),
                  new NodeReply.Named(new Endpoint("node-2", 9000), "b")));
      case INTRODUCE -> new NodeRequest.Introduce(List.of("orders", "users/\u00e9"));
      case SETTLE -> new NodeRequest.Settle(STRIDED);
      case SETTLE_STREAMS -> new NodeRequest.SettleStreams(List.of(ORDERS, USERS));
      case ASK_ACCESS -> new NodeRequest.AskAccess();
      case ACCESS -> new NodeReply.Access(1_003, 250, true);
      case ASK_TOKEN_KEY -> new NodeRequest.AskTokenKey();
      case TOKEN_KEY -> new NodeReply.SealingKey(Optional.of(KEY));
      case SEALED_WRITE -> new LogUnitRequest.Write(EPOCH, List.of(DATA, HOLE), List.of(SEAL));
      case ASK_QUOTAS -> new NodeRequest.AskQuotas();
      case QUOTAS ->
          new NodeReply.Quotas(
              List.of(
                  new QuotaUse(
                      new Identity("spiffe://prod/app"),
                      100,
                      65_536,
                      1 << 30,
                      2,
                      List.of(17L, -5L),
                      3,
                      4)));
      case WRITE -> new LogUnitRequest.Write(EPOCH, List.of(DATA, HOLE));
      case REPAIR -> new LogUnitRequest.Repair(EPOCH, List.of(DATA));
      case ASK_SCRUB -> new LogUnitRequest.AskScrub();
      case COMPRESS -> new LogUnitRequest.Compress(5_000);
      case ASK_COMPRESSION -> new LogUnitRequest.AskCompression();
      case COMPRESSED ->
          new LogUnitReply.Compressed(5_000, 67_108_864, 16_777_216, 65_536, "no room");
      case SCRUBBED ->
          new LogUnitReply.Scrubbed(3, 7_000, 98_304, 24, 4_096, 65_536, 2, 1, 1, "at 7");
      case READ -> new LogUnitRequest.Read(EPOCH, STRIDED, 65_536);
      case READ_BLOCKS ->
          new LogUnitRequest.ReadBlocks(
              EPOCH,
              List.of(new PayloadRange(1_002, 8_192, 4_096), new PayloadRange(1_003, 0, 1)),
              65_536);
      case TRIM -> new LogUnitRequest.Trim(EPOCH, LISTED);
      case PREFIX_TRIM -> new LogUnitRequest.PrefixTrim(EPOCH, 500);
      case INSPECT -> new LogUnitRequest.Inspect(EPOCH, LISTED);
      case ASK_UNIT_TAIL -> new LogUnitRequest.AskTail(EPOCH);
      case COPY_RANGE -> new LogUnitRequest.CopyRange(EPOCH, 100, 2_000, 3, 1 << 20);
      case RESET -> new LogUnitRequest.Reset(EPOCH);
      case SEAL_UNIT -> new LogUnitRequest.Seal(EPOCH, LogUnitRequest.Seal.Extent.ALL_BUT_READS);
      case INSTALL -> new LogUnitRequest.Install(LAYOUT);
      case ASK_USAGE -> new LogUnitRequest.AskUsage();
      case FIND_IN_STREAMS ->
          new LogUnitRequest.FindInStreams(
              EPOCH, List.of(new StreamQuery(ORDERS, 1_002, 17), StreamQuery.below(USERS, 8)), 4);
      case LIST_STREAMS -> new LogUnitRequest.ListStreams(EPOCH, 255, ORDERS);
      case READ_STREAM -> new LogUnitRequest.ReadStream(EPOCH, ORDERS, 12, 500, 1_002, 1 << 20);
      case COMPLETE -> new LogUnitRequest.Complete(EPOCH, LISTED);
      case FOLLOW ->
          new LogUnitRequest.Follow(EPOCH, 0xf0110e7L, List.of(ORDERS, USERS), List.of(USERS));
      case LISTEN -> new LogUnitRequest.Listen(EPOCH, 0xf0110e7L, 1 << 20);
      case FOLLOWING -> new LogUnitReply.Following(2);
      case HEARD -> new LogUnitReply.Heard(true, List.of(IN_STREAMS));
      case STREAM_ENTRIES -> new LogUnitReply.StreamEntries(12, 18, List.of(IN_STREAMS));
      case TRIM_STREAM -> new LogUnitRequest.TrimStream(EPOCH, ORDERS, 12);
      case NEXT -> new SequencerRequest.Next(EPOCH, 16);
      case NEXT_IN_STREAMS ->
          new SequencerRequest.NextInStreams(
              EPOCH,
              List.of(
                  TokenWish.in(List.of(ORDERS, USERS)),
                  new TokenWish(
                      List.of(new StreamPart(ORDERS, List.of(7L, -8L))),
                      Optional.of(
                          new Condition(
                              1_001,
                              List.of(
                                  StreamPart.whole(USERS), new StreamPart(ORDERS, List.of(7L))))))),
              List.of(new StreamTail(USERS, PLACE)));
      case ADOPT -> new SequencerRequest.Adopt(EPOCH, 1_003, List.of(new StreamTail(USERS, PLACE)));
      case ASK_STREAMS ->
          new SequencerRequest.AskStreams(
              EPOCH, List.of(ORDERS, USERS), List.of(new StreamTail(USERS, PLACE)));
      case STREAM_TOKENS ->
          new SequencerReply.StreamTokens(
              List.of(
                  new TokenOutcome.Issued(1_002, List.of(PLACE, StreamPosition.START)),
                  new TokenOutcome.Conflict(ORDERS, OptionalLong.of(-8), 1_001),
                  new TokenOutcome.Conflict(USERS, OptionalLong.empty(), 1_000)));
      case SEALED_STREAM_TOKENS ->
          new SequencerReply.StreamTokens(
              List.of(
                  new TokenOutcome.Issued(1_000, List.of(PLACE)),
                  new TokenOutcome.Issued(1_001, List.of(StreamPosition.START)),
                  new TokenOutcome.Conflict(USERS, OptionalLong.empty(), 999)),
              Optional.of(SEAL));
      case STREAM_ENDS ->
          new SequencerReply.StreamEnds(1_002, 900, List.of(PLACE, StreamPosition.START));
      case UNKNOWN_STREAMS -> new SequencerReply.UnknownStreams(900, List.of(USERS, ORDERS));
      case FOUND_IN_STREAMS ->
          new LogUnitReply.FoundInStreams(
              500,
              List.of(
                  new Occurrences(12, List.of(new Occurrence(1_001, 16), new Occurrence(999, 15))),
                  new Occurrences(0, List.of())));
      case STREAMS -> new LogUnitReply.Streams(List.of(new StreamTail(USERS, PLACE)), true);
      case ASK_SEQUENCER_TAIL -> new SequencerRequest.AskTail(EPOCH);
      case START -> new SequencerRequest.Start(EPOCH, 1_002, 0x1122334455667788L);
      case SEAL_SEQUENCER -> new SequencerRequest.Seal(EPOCH);
      case HAND_OVER -> new SequencerRequest.Seal(EPOCH, KnownStreams.KEPT);
      case CONTINUE ->
          new SequencerRequest.Start(EPOCH, 1_003, 0x1122334455667788L, KnownStreams.KEPT);
      case FETCH -> new LayoutRequest.Fetch();
      case PREPARE -> new LayoutRequest.Prepare(EPOCH, BALLOT);
      case ACCEPT -> new LayoutRequest.Accept(BALLOT, LAYOUT);
      case LEARN -> new LayoutRequest.Learn(LAYOUT);
      case RENEW -> new LayoutRequest.Renew(EPOCH, new Endpoint("node-2", 9000), HEALTH);
      case OBSERVE -> new LayoutRequest.Observe();
      case REMEMBER ->
          new LayoutRequest.Remember(
              new Endpoint("node-2", 9000), new Incarnation(0x0102_0304_0506_0708L), PROGRESS);
      case REPORT ->
          new LayoutRequest.Report(
              List.of(new Endpoint("node-2", 9000)),
              List.of(new Endpoint("10.0.0.1", 9000), new Endpoint("fd00::3", 9000)));
      case ASK_REPORTS -> new LayoutRequest.AskReports();
      case REPORTS ->
          new LayoutReply.Reports(
              3, 4, List.of(new LayoutReply.Complaint(new Endpoint("node-2", 9000), 2)));
      case DONE -> Reply.Done.DONE;
      case WELCOME -> new NodeReply.Welcome(1, Optional.of(CLUSTER), "node-2");
      case STATUS ->
          new NodeReply.Status(
              "node-2",
              Optional.of(CLUSTER),
              EPOCH,
              List.of("sequencer", "log-unit"),
              HEALTH,
              List.of(new NodeReply.Rebuild(0, 100, 50, 6_400, 12)));
      case WRITES ->
          new LogUnitReply.Writes(
              List.of(
                  WriteOutcome.Written.WRITTEN,
                  new WriteOutcome.Overwritten(APPEND, EntryKind.DATA),
                  WriteOutcome.Trimmed.TRIMMED,
                  WriteOutcome.NoSpace.NO_SPACE,
                  WriteOutcome.Damaged.DAMAGED));
      case READS ->
          new LogUnitReply.Reads(
              List.of(
                  ReadOutcome.Unwritten.UNWRITTEN,
                  new ReadOutcome.Found(DATA),
                  ReadOutcome.Trimmed.TRIMMED,
                  new ReadOutcome.Corrupt("bad checksum")));
      case FOUND_BLOCKS ->
          new LogUnitReply.FoundBlocks(
              List.of(
                  BlocksOutcome.Unwritten.UNWRITTEN,
                  new BlocksOutcome.Whole(DATA),
                  BlocksOutcome.Trimmed.TRIMMED,
                  new BlocksOutcome.Corrupt("bad checksum"),
                  BlocksOutcome.Unconfirmed.UNCONFIRMED,
                  new BlocksOutcome.Found(lastBlock())));
      case STATES -> new LogUnitReply.States(List.of(AddressState.values()));
      case UNIT_TAIL -> new LogUnitReply.Tail(1_002, 500);
      case UNIT_SEALED -> new LogUnitReply.SealedAt(1_002, 500, LIFE);
      case BLANK -> new LogUnitReply.Blank(LIFE);
      case COPIED ->
          new LogUnitReply.Copied(
              1_001, List.of(new CopiedRecord(1_000, new ReadOutcome.Found(DATA))));
      case USAGE -> new LogUnitReply.Usage(2, 130, 4_096, 1L << 40, 1_002, 500, "durable");
      case TOKENS -> new SequencerReply.Tokens(1_002, 16);
      case SEALED_TOKENS -> new SequencerReply.Tokens(1_000, 2, Optional.of(SEAL));
      case SEQUENCER_TAIL -> new SequencerReply.Tail(1_018);
      case SEQUENCER_SEALED -> new SequencerReply.SealedAt(1_018, 0x1122334455667788L);
      case HANDED_OVER ->
          new SequencerReply.HandedOver(1_019, 0x1122334455667788L, new Epoch(1_020));
      case CURRENT -> new LayoutReply.Current(LAYOUT);
      case PROMISED ->
          new LayoutReply.Promised(
              Optional.of(new LayoutReply.Accepted(BALLOT, LAYOUT)),
              List.of(new LayoutReply.RunningLease(new Endpoint("node-2", 9000), 125)));
      case ACCEPTED -> LayoutReply.AcceptedNow.ACCEPTED;
      case OUTBID -> new LayoutReply.Outbid(BALLOT);
      case DECIDED -> new LayoutReply.Decided(LAYOUT);
      case GRANTED -> new LayoutReply.Granted(300);
      case REMEMBERED -> new LayoutReply.Remembered(Optional.of(PROGRESS));
      case OBSERVATIONS ->
          new LayoutReply.Observations(
              List.of(
                  new LayoutReply.Observation(new Endpoint("node-2", 9000), 20, 60_000, HEALTH)));
      case SEALED -> new Failure.Sealed(EPOCH);
      case BEHIND -> new Failure.Behind(EPOCH);
      case NOT_BOOTSTRAPPED -> new Failure.NotBootstrapped();
      case WRONG_CLUSTER -> new Failure.WrongCluster(CLUSTER);
      case NOT_SERVING -> new Failure.NotServing("no sequencer here");
      case REFUSED -> new Failure.Refused(Failure.Cause.TOO_LARGE, "too large");
      case OVERLOADED -> new Failure.Overloaded("later");
      case BROKEN -> new Failure.Broken("disk failed");
      case FORBIDDEN ->
          new Failure.Forbidden(Permission.APPEND, Optional.of(ORDERS), "no grant to append");
      case OVER_QUOTA -> new Failure.OverQuota("1 MiB/s", 120);
      case CALL_VIEW -> new ViewRequest.Call(ORDERS, 1_500, ascii("opaque call"));
      case VIEW_ANSWER -> new ViewReply.Answered(ascii("opaque answer"));
    };
  }

  /** Returns the last block of a payload whose byte at offset i is i, modulo 256. */
  private static EntryBlocks lastBlock() {
    byte[] payload = new byte[PayloadBlocks.LARGEST_UNDIVIDED_BYTES + 10];
    for (int i = 0; i < payload.length; i++) {
      payload[i] = (byte) i;
    }
    Entry entry = Entry.data(1_002, APPEND, ByteBuffer.wrap(payload));
    return entry.blocks(new PayloadRange(1_002, payload.length - 4, 4)).orElseThrow();
  }

  private static ByteBuffer ascii(String text) {
    return ByteBuffer.wrap(text.getBytes(StandardCharsets.US_ASCII));
  }

  private static String fileOf(MessageType type, int version) {
    return (version == 1 ? "golden/" : "golden-v" + version + "/")
        + type.name().toLowerCase(Locale.ROOT).replace('_', '-')
        + ".hex";
  }

  private static byte[] golden(MessageType type, int version) throws IOException {
    try (InputStream file =
        GoldenFramesTest.class.getClassLoader().getResourceAsStream(fileOf(type, version))) {
      assertThat(file)
          .as(
              "%s is missing; it holds %s",
              fileOf(type, version), HexFormat.of().formatHex(written(type, version)))
          .isNotNull();
      String text = new String(file.readAllBytes(), StandardCharsets.US_ASCII);
      String hex =
          text.lines()
              .filter(line -> !line.startsWith("#"))
              .collect(Collectors.joining())
              .replace(" ", "");
      return HexFormat.of().parseHex(hex);
    }
  }

  private static byte[] written(MessageType type, int version) {
    HeapWriter out = new HeapWriter();
    FrameCodec.encode(sample(type), REQUEST_ID, version, out);
    ByteBuffer frame = out.finish();
    byte[] bytes = new byte[frame.remaining()];
    frame.get(bytes);
    return bytes;
  }

  @ParameterizedTest
  @EnumSource
  void isWrittenAsItAlwaysWas(MessageType type) throws IOException {
    for (int version = type.since(); version <= FrameCodec.NEWEST_VERSION; version++) {
      assertThat(written(type, version)).isEqualTo(golden(type, version));
    }
  }

  @ParameterizedTest
  @EnumSource
  void isReadAsItAlwaysWas(MessageType type) throws IOException {
    for (int version = type.since(); version <= FrameCodec.NEWEST_VERSION; version++) {
      assertThat(FrameCodec.decode(ByteBuffer.wrap(golden(type, version))))
          .isEqualTo(new Frame(REQUEST_ID, version, sample(type)));
    }
  }
}
