package corfu.access.gate;

import static corfu.access.gate.GatedServer.EPOCH;
import static corfu.access.gate.GatedServer.SERVER;
import static corfu.access.gate.GatedServer.entry;
import static corfu.access.gate.GatedServer.hole;
import static corfu.access.gate.GatedServer.identity;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Incarnation;
import corfu.protocol.PayloadRange;
import corfu.protocol.Permission;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.layout.Wanted;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.stream.StreamTail;
import corfu.protocol.stream.TokenWish;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * Tenant {@code a} has all permissions on the streams {@code a/...}, and tries each way to the
 * entries of {@code b/...}: it neither sees nor changes any of them.
 */
class AllWaysTest {

  private static final StreamId OURS = StreamId.named("a.1");
  private static final StreamId THEIRS = StreamId.named("b.1");
  private static final String SECRET = "payload of b";

  private final GatedServer server =
      new GatedServer("a read a.*", "a append a.*", "a trim a.*", "b read b.1");

  private final Entry secret = payload(1, SECRET, "b.1");

  AllWaysTest() {
    server.as("a", new NodeRequest.Introduce(List.of("a.1")));
    server.write(entry(0, "a.1"), secret, entry(2, "a.1", "b.1"), entry(3), hole(4));
  }

  private static Entry payload(long address, String text, String stream) {
    StreamHeader header = new StreamHeader(StreamId.named(stream), 0, Backpointers.NONE);
    return Entry.data(
        address, new AppendId(5, 6), List.of(header), ByteBuffer.wrap(text.getBytes()));
  }

  private Reply ask(Request request) {
    return server.as("a", request);
  }

  private void refused(Request request, Permission missing) {
    assertThat(ask(request))
        .isInstanceOfSatisfying(
            Failure.Forbidden.class,
            forbidden -> assertThat(forbidden.permission()).isEqualTo(missing));
  }

  // -------------------------------------------------------------------------------------- reads

  @Test
  void aReadShowsOnlyEntriesOfReadableStreamsAndHoles() {
    var reads =
        (LogUnitReply.Reads)
            ask(new LogUnitRequest.Read(EPOCH, new AddressSet.Strided(0, 1, 6), 1 << 20));
    assertThat(reads.outcomes())
        .containsExactly(
            new ReadOutcome.Found(entry(0, "a.1")),
            ReadOutcome.Forbidden.FORBIDDEN,
            new ReadOutcome.Found(entry(2, "a.1", "b.1")),
            ReadOutcome.Forbidden.FORBIDDEN,
            new ReadOutcome.Found(hole(4)),
            ReadOutcome.Unwritten.UNWRITTEN);
  }

  @Test
  void aReadOfTheLogShowsEverything() {
    server.allow("a read-log");
    var reads =
        (LogUnitReply.Reads)
            ask(new LogUnitRequest.Read(EPOCH, new AddressSet.Strided(0, 1, 5), 1 << 20));
    assertThat(reads.outcomes()).allMatch(ReadOutcome.Found.class::isInstance);
  }

  @Test
  void partsOfEntriesAreHiddenLikeWholeOnes() {
    Entry ours = entry(5, 100_000, "a.1");
    Entry theirs = entry(6, 100_000, "b.1");
    Entry shared = entry(7, 100_000, "a.1", "b.1");
    server.write(ours, theirs, shared);
    var ranges =
        List.of(
            new PayloadRange(5, 50_000, 10),
            new PayloadRange(6, 50_000, 10),
            new PayloadRange(7, 50_000, 10),
            new PayloadRange(1, 0, 10),
            new PayloadRange(0, 0, 10));
    var found =
        (LogUnitReply.FoundBlocks) ask(new LogUnitRequest.ReadBlocks(EPOCH, ranges, 1 << 20));
    assertThat(found.outcomes()).hasSize(5);
    assertThat(found.outcomes().get(0)).isInstanceOf(BlocksOutcome.Found.class);
    assertThat(found.outcomes().get(1)).isEqualTo(BlocksOutcome.Forbidden.FORBIDDEN);
    assertThat(found.outcomes().get(2)).isInstanceOf(BlocksOutcome.Found.class);
    assertThat(found.outcomes().get(3)).isEqualTo(BlocksOutcome.Forbidden.FORBIDDEN);
    assertThat(found.outcomes().get(4)).isEqualTo(new BlocksOutcome.Whole(entry(0, "a.1")));
  }

  @Test
  void readsOfAStreamAndOfEntriesOfNoStreamAreRefused() {
    refused(new LogUnitRequest.ReadStream(EPOCH, THEIRS, 0, 0, 99, 1_000), Permission.READ);
    refused(
        new LogUnitRequest.ReadStream(EPOCH, StreamId.NONE, 0, 0, 99, 1_000), Permission.READ_LOG);
    assertThat(ask(new LogUnitRequest.ReadStream(EPOCH, OURS, 0, 0, 99, 1_000)))
        .isInstanceOf(LogUnitReply.StreamEntries.class);
  }

  /** A copy without some entries would look as if their addresses were unwritten. */
  @Test
  void copiesOfARangeAreRefusedAsAWholeAlsoForOperators() {
    refused(new LogUnitRequest.CopyRange(EPOCH, 0, 9, 1, 1_000), Permission.READ_LOG);
    server.allow("a operate");
    refused(new LogUnitRequest.CopyRange(EPOCH, 0, 9, 1, 1_000), Permission.READ_LOG);
  }

  @Test
  void placesOfAStreamAreRefusedInSearchesTogetherWithOwnOnes() {
    refused(
        new LogUnitRequest.FindInStreams(
            EPOCH, List.of(StreamQuery.below(OURS, 99), StreamQuery.below(THEIRS, 99)), 4),
        Permission.READ);
  }

  @Test
  void listsOfStreamsHaveOnlyReadableOnes() {
    var ours =
        (LogUnitReply.Streams)
            ask(new LogUnitRequest.ListStreams(EPOCH, OURS.part(), StreamId.NONE));
    var theirs =
        (LogUnitReply.Streams)
            ask(new LogUnitRequest.ListStreams(EPOCH, THEIRS.part(), StreamId.NONE));
    assertThat(ours.tails()).extracting(StreamTail::stream).containsExactly(OURS);
    assertThat(theirs.tails()).isEmpty();
  }

  @Test
  void pushedEntriesEndWithThePermission() {
    refused(new LogUnitRequest.Follow(EPOCH, 7, List.of(OURS, THEIRS), List.of()), Permission.READ);
    ask(new LogUnitRequest.Follow(EPOCH, 7, List.of(OURS), List.of()));
    List<Reply> heard = server.send(identity("a"), new LogUnitRequest.Listen(EPOCH, 7, 1 << 20));
    server.write(entry(5, "a.1"));
    assertThat(heard).containsExactly(new LogUnitReply.Heard(false, List.of(entry(5, "a.1"))));

    heard = server.send(identity("a"), new LogUnitRequest.Listen(EPOCH, 7, 1 << 20));
    server.revoke("a read a.*");
    server.write(entry(6, "a.1"));
    assertThat(heard).containsExactly(new LogUnitReply.Heard(true, List.of()));
  }

  @Test
  void nobodyListensToTheFollowerOfAnother() {
    ask(new LogUnitRequest.Follow(EPOCH, 7, List.of(OURS), List.of()));
    assertThat(server.as("b", new LogUnitRequest.Listen(EPOCH, 7, 1_000)))
        .isInstanceOf(Failure.NotServing.class);
    server.as("b", new LogUnitRequest.Follow(EPOCH, 7, List.of(), List.of(OURS)));
    assertThat(ask(new LogUnitRequest.Follow(EPOCH, 7, List.of(), List.of())))
        .isEqualTo(new LogUnitReply.Following(1));
  }

  @Test
  void aRevokedPermissionCountsForTheNextReadOnTheSameConnection() {
    Request read = new LogUnitRequest.Read(EPOCH, AddressSet.of(0), 1_000);
    assertThat(ask(read).toString()).contains("entry at 0");
    server.revoke("a read a.*");
    assertThat(ask(read))
        .isEqualTo(new LogUnitReply.Reads(List.of(ReadOutcome.Forbidden.FORBIDDEN)));
  }

  // ------------------------------------------------------------------------------------- tokens

  @Test
  void conditionsOnStreamsOfOthersAreNoOracle() {
    Condition spying = new Condition(0, List.of(StreamPart.whole(THEIRS)));
    refused(
        new SequencerRequest.NextInStreams(
            EPOCH,
            List.of(new TokenWish(List.of(StreamPart.whole(OURS)), Optional.of(spying))),
            List.of()),
        Permission.READ);
  }

  @Test
  void tokensAndEndsOfStreamsOfOthersAreRefused() {
    refused(
        new SequencerRequest.NextInStreams(
            EPOCH, List.of(TokenWish.in(List.of(OURS, THEIRS))), List.of()),
        Permission.APPEND);
    refused(
        new SequencerRequest.NextInStreams(EPOCH, List.of(TokenWish.PLAIN), List.of()),
        Permission.APPEND_LOG);
    refused(
        new SequencerRequest.AskStreams(EPOCH, List.of(OURS, THEIRS), List.of()), Permission.READ);
  }

  /** A false end of a stream would hide its entries. */
  @Test
  void endsOfStreamsAreBelievedOnlyFromAppenders() {
    server.as(SERVER, new SequencerRequest.Seal(EPOCH));
    server.as(SERVER, new SequencerRequest.Start(EPOCH.next(), 10, GatedServer.INCARNATION));
    StreamTail ours = new StreamTail(OURS, new StreamPosition(3, Backpointers.of(2)));
    StreamTail theirs = new StreamTail(THEIRS, StreamPosition.START);
    server.allow("a read b.1");

    assertThat(
            ask(
                new SequencerRequest.AskStreams(
                    EPOCH.next(), List.of(OURS, THEIRS), List.of(ours, theirs))))
        .isInstanceOfSatisfying(
            SequencerReply.UnknownStreams.class,
            unknown -> assertThat(unknown.streams()).containsExactly(THEIRS));
    assertThat(ask(new SequencerRequest.AskStreams(EPOCH.next(), List.of(OURS), List.of(ours))))
        .isInstanceOf(SequencerReply.StreamEnds.class);
    assertThat(ask(new NodeRequest.SettleStreams(List.of(THEIRS)))).isEqualTo(Reply.Done.DONE);
    assertThat(server.settled).hasSize(1);
  }

  // ------------------------------------------------------------------------------------- writes

  @Test
  void entriesOfOthersAreNeitherWrittenNorCompleted() {
    refused(new LogUnitRequest.Write(EPOCH, List.of(entry(9, "b.1"))), Permission.APPEND);
    refused(new LogUnitRequest.Write(EPOCH, List.of(entry(9, "a.1", "b.1"))), Permission.APPEND);
    refused(new LogUnitRequest.Write(EPOCH, List.of(entry(9))), Permission.APPEND_LOG);
    refused(new LogUnitRequest.Write(EPOCH, List.of(secret)), Permission.APPEND);
    refused(new LogUnitRequest.Repair(EPOCH, List.of(entry(1, "a.1"))), Permission.OPERATE);
    assertThat(ask(sealed(entry(9, "a.1")))).isInstanceOf(LogUnitReply.Writes.class);
  }

  /** Returns a write of an entry at an address whose token {@code a} has. */
  private LogUnitRequest.Write sealed(Entry entry) {
    return server.sealed(identity("a"), EPOCH, entry);
  }

  /** A hole at the address of a token ends the append that has it. */
  @Test
  void holesAreFilledByServersOnly() {
    refused(new LogUnitRequest.Write(EPOCH, List.of(hole(9))), Permission.APPEND_LOG);
    assertThat(ask(new NodeRequest.Settle(AddressSet.of(9)))).isEqualTo(Reply.Done.DONE);
    assertThat(server.settled).containsExactly(new NodeRequest.Settle(AddressSet.of(9)));
  }

  /** A new epoch would begin behind it. */
  @Test
  void anEntryFarBeyondTheTailIsRefused() {
    long far = server.tail + GateOptions.MOST_AHEAD;
    assertThat(ask(new LogUnitRequest.Write(EPOCH, List.of(entry(far + 1, "a.1")))))
        .isInstanceOf(Failure.NotServing.class);
    assertThat(ask(new LogUnitRequest.Write(EPOCH, List.of(entry(Long.MAX_VALUE - 1, "a.1")))))
        .isInstanceOf(Failure.NotServing.class);
    assertThat(ask(sealed(entry(far, "a.1")))).isInstanceOf(LogUnitReply.Writes.class);
  }

  /** Entries are being copied there, and this one would take the place of a copy. */
  @Test
  void aUnitThatIsBeingFilledTakesNoEntriesOfTenants() {
    Endpoint other = new Endpoint("other", 9000);
    Layout first = server.layout();
    LayoutSegment closed =
        new LayoutSegment(0, 50, List.of(new Chain(List.of(other))))
            .withTarget(
                Optional.of(new ChainLayout(List.of(new Chain(List.of(GatedServer.ADDRESS))))));
    LayoutSegment open =
        new LayoutSegment(
            50, LayoutSegment.OPEN, List.of(new Chain(List.of(other, GatedServer.ADDRESS))));
    Member member = new Member(other, new Incarnation(3));
    Layout filling =
        new Layout(
            first.clusterId(),
            EPOCH.next(),
            new Wanted(2, 2),
            first.sequencers(),
            first.acceptors(),
            List.of(member, first.units().getFirst()),
            List.of(closed, open));
    assertThat(server.as(SERVER, new LogUnitRequest.Install(filling))).isEqualTo(Reply.Done.DONE);

    Request copied = new LogUnitRequest.Write(EPOCH.next(), List.of(entry(20, "a.1")));
    assertThat(ask(copied)).isInstanceOf(Failure.NotServing.class);
    assertThat(ask(server.sealed(identity("a"), EPOCH.next(), entry(60, "a.1"))))
        .isInstanceOf(LogUnitReply.Writes.class);
    assertThat(ask(new LogUnitRequest.Write(EPOCH, List.of(entry(20, "a.1")))))
        .isInstanceOf(Failure.Sealed.class);
    assertThat(server.as(SERVER, copied)).isInstanceOf(LogUnitReply.Writes.class);
  }

  @Test
  void oneForbiddenEntryRefusesItsRequestWithoutAnEffect() {
    refused(
        new LogUnitRequest.Write(EPOCH, List.of(entry(9, "a.1"), entry(10, "b.1"))),
        Permission.APPEND);
    assertThat(ask(new LogUnitRequest.Inspect(EPOCH, AddressSet.of(9))))
        .isEqualTo(new LogUnitReply.States(List.of(LogUnitReply.AddressState.UNWRITTEN)));
  }

  /** The unit does not store a damaged entry, and its client sends it again. */
  @Test
  void anEntryThatWasDamagedOnItsWayIsReportedAsDamaged() {
    Entry whole = entry(9, "a.1");
    ByteBuffer bytes = ByteBuffer.allocate(whole.lengthBytes()).put(whole.bytes());
    bytes.put(Entry.HEADER_BYTES, (byte) ~bytes.get(Entry.HEADER_BYTES)).flip();
    assertThat(ask(sealed(Entry.wrap(bytes))))
        .isEqualTo(new LogUnitReply.Writes(List.of(LogUnitReply.WriteOutcome.Damaged.DAMAGED)));
  }

  /** Hints about entries of others could make readers believe in them too early. */
  @Test
  void hintsAreReducedToOwnEntries() {
    LogUnitRules rules = new LogUnitRules(server.surroundings, GateOptions.DEFAULT);
    IdentitySession who = session("a");
    var hint =
        new LogUnitRequest.Complete(EPOCH, new AddressSet.Listed(new long[] {0, 1, 2, 3, 4, 99}));
    assertThat(rules.reduced(hint, who).addresses())
        .isEqualTo(new AddressSet.Listed(new long[] {0}));
    assertThat(ask(hint)).isEqualTo(Reply.Done.DONE);
  }

  private IdentitySession session(String name) {
    IdentitySession session = new IdentitySession(identity(name), false, 0);
    session.isNow(server.machine.policy().rightsOf(identity(name)), Optional.empty(), 1);
    var unused = session.introduce(List.of("a.1"));
    return session;
  }

  // -------------------------------------------------------------------------------------- trims

  @Test
  void onlyEntriesOfOwnStreamsAreTrimmed() {
    refused(new LogUnitRequest.Trim(EPOCH, AddressSet.of(1)), Permission.OPERATE);
    refused(new LogUnitRequest.Trim(EPOCH, AddressSet.of(2)), Permission.OPERATE);
    refused(new LogUnitRequest.Trim(EPOCH, AddressSet.of(3)), Permission.OPERATE);
    refused(new LogUnitRequest.Trim(EPOCH, AddressSet.of(4)), Permission.OPERATE);
    refused(new LogUnitRequest.Trim(EPOCH, AddressSet.of(99)), Permission.OPERATE);
    refused(new LogUnitRequest.Trim(EPOCH, new AddressSet.Strided(0, 1, 2)), Permission.OPERATE);
    refused(new LogUnitRequest.TrimStream(EPOCH, THEIRS, 1), Permission.TRIM);
    refused(new LogUnitRequest.PrefixTrim(EPOCH, 1), Permission.OPERATE);

    assertThat(ask(new LogUnitRequest.Trim(EPOCH, AddressSet.of(0)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new LogUnitRequest.Trim(EPOCH, AddressSet.of(0)))).isEqualTo(Reply.Done.DONE);
    assertThat(ask(new LogUnitRequest.Inspect(EPOCH, new AddressSet.Strided(0, 1, 3))))
        .isEqualTo(
            new LogUnitReply.States(
                List.of(
                    LogUnitReply.AddressState.TRIMMED,
                    LogUnitReply.AddressState.DATA,
                    LogUnitReply.AddressState.DATA)));
  }

  @Test
  void aTrimOfAStreamKeepsEntriesOfOthers() {
    assertThat(ask(new LogUnitRequest.TrimStream(EPOCH, OURS, 9))).isEqualTo(Reply.Done.DONE);
    assertThat(server.as("b", new LogUnitRequest.Read(EPOCH, AddressSet.of(2), 1_000)))
        .isEqualTo(new LogUnitReply.Reads(List.of(new ReadOutcome.Found(entry(2, "a.1", "b.1")))));
  }

  @Test
  void aLargeTrimIsToBeSentInParts() {
    assertThat(ask(new LogUnitRequest.Trim(EPOCH, new AddressSet.Strided(0, 1, Integer.MAX_VALUE))))
        .isInstanceOf(Failure.Refused.class);
  }

  // ------------------------------------------------------------------------------- the cluster

  @Test
  void layoutsComeOnlyFromLayoutServersAndOperators() {
    assertThat(ask(new LogUnitRequest.Install(server.layout())))
        .isInstanceOf(Failure.NotServing.class);
    assertThat(server.heardOf).containsExactly(EPOCH);
    refused(new LayoutRequest.Learn(server.layout()), Permission.OPERATE);
  }

  @Test
  void detailsOfAServersFailureAreForObservers() {
    assertThat(ask(new NodeRequest.AskStatus()).toString()).doesNotContain(GatedServer.SECRET);
    server.allow("a observe");
    assertThat(ask(new NodeRequest.AskStatus()))
        .isInstanceOfSatisfying(
            NodeReply.Status.class,
            status -> assertThat(status.health().detail()).isEqualTo(GatedServer.SECRET));
  }

  @Test
  void callsThatChangeNothingNeedOnlyRead() {
    server.allow("reader read a.1");
    var reading =
        new ViewRequest.Call(OURS, 10, ByteBuffer.wrap(new byte[] {GatedServer.READ_CALL}));
    var changing =
        new ViewRequest.Call(OURS, 10, ByteBuffer.wrap(new byte[] {GatedServer.CHANGE_CALL}));
    assertThat(server.as("reader", reading)).isInstanceOf(ViewReply.Answered.class);
    assertThat(server.as("reader", changing)).isInstanceOf(Failure.Forbidden.class);
    assertThat(server.as("b", reading)).isInstanceOf(Failure.Forbidden.class);
  }

  /** An append to the policy's stream changes the policy. */
  @Test
  void thePolicyIsChangedByAdministratorsOnly() {
    server.allow("a append *", "a append corf*", "a append corfu/access", "a trim *");
    server.as("a", new NodeRequest.Introduce(List.of("corfu/access")));
    StreamId policy = StreamId.named("corfu/access");
    StreamId checkpoints = StreamId.named("corfu.objects/checkpoints/" + policy);
    for (StreamId stream : List.of(policy, checkpoints, StreamId.named("corfu/audit"))) {
      refused(
          new SequencerRequest.NextInStreams(
              EPOCH, List.of(TokenWish.in(List.of(stream))), List.of()),
          Permission.APPEND);
      refused(new LogUnitRequest.TrimStream(EPOCH, stream, 1), Permission.TRIM);
      refused(new LogUnitRequest.ReadStream(EPOCH, stream, 0, 0, 9, 1), Permission.READ);
    }
    server.allow("a observe");
    assertThat(ask(new LogUnitRequest.ReadStream(EPOCH, policy, 0, 0, 9, 1)))
        .isInstanceOf(LogUnitReply.StreamEntries.class);
    server.allow("a administer");
    assertThat(
            ask(
                new SequencerRequest.NextInStreams(
                    EPOCH, List.of(TokenWish.in(List.of(policy))), List.of())))
        .isInstanceOf(SequencerReply.StreamTokens.class);
  }
}
