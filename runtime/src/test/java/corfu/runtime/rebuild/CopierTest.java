package corfu.runtime.rebuild;

import static corfu.runtime.internal.ScriptedServers.HEAD;
import static corfu.runtime.internal.ScriptedServers.TAIL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Chain;
import corfu.protocol.layout.ChainLayout;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.LayoutSegment;
import corfu.protocol.layout.Member;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.runtime.Deadline;
import corfu.runtime.internal.ScriptedServers;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.rpc.RetryableException;
import corfu.runtime.internal.session.ClientContext;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Copies a closed segment of one chain, head and tail, to a unit that joins it. */
final class CopierTest {

  private static final Endpoint JOINING = new Endpoint("joining", 4);
  private static final Endpoint STREAMS = new Endpoint("streams", 5);
  private static final long START = 10;
  private static final int COUNT = 6;
  private static final AddressSet.Strided ALL = new AddressSet.Strided(START, 1, COUNT);
  private static final ChainLayout SERVING = new ChainLayout(List.of(chain(HEAD, TAIL)));
  private static final ChainLayout WITH_JOINING =
      new ChainLayout(List.of(chain(HEAD, TAIL, JOINING)));

  private final ScriptedServers servers = new ScriptedServers();
  private final ClientContext context = servers.context(Duration.ofSeconds(30));
  private final AtomicLong copiedBytes = new AtomicLong();
  private final Map<Endpoint, List<Request>> sent = new ConcurrentHashMap<>();

  @AfterEach
  void close() {
    servers.close();
  }

  private static Chain chain(Endpoint... replicas) {
    return new Chain(List.of(replicas));
  }

  private Copier copier(ChainLayout serving, ChainLayout target) {
    LayoutSegment segment = new LayoutSegment(START, START + COUNT, serving, Optional.of(target));
    LayoutSegment open = new LayoutSegment(START + COUNT, LayoutSegment.OPEN, SERVING);
    Layout base = servers.layout();
    List<Member> units = new ArrayList<>();
    for (Endpoint unit : List.of(HEAD, TAIL, JOINING, STREAMS)) {
      units.add(new Member(unit, new Incarnation(unit.port())));
    }
    Layout layout =
        new Layout(
            base.clusterId(),
            base.epoch(),
            base.wanted(),
            base.sequencers(),
            base.acceptors(),
            units,
            List.of(segment, open));
    return new Copier(
        context.servers(),
        new ChainRepair(context.world(), context.servers(), context.retryLoop(), context.ids()),
        new Throttle(context.world(), Long.MAX_VALUE),
        layout,
        segment,
        copiedBytes);
  }

  private Deadline deadline() {
    return servers.deadline();
  }

  private void copy() {
    copier(SERVING, WITH_JOINING).copy(ALL, JOINING, deadline());
  }

  private static Entry data(long address) {
    return Entry.data(address, new AppendId(99, address), ByteBuffer.allocate(100));
  }

  private static Entry dataIn(StreamId stream, long address) {
    var header = new StreamHeader(stream, 0, Backpointers.NONE);
    return Entry.data(
        address, new AppendId(99, address), List.of(header), ByteBuffer.allocate(100));
  }

  private void hold(Entry entry, Endpoint... units) {
    for (Endpoint unit : units) {
      servers.heldBy(unit).put(entry.address(), entry);
    }
  }

  /** Lets head and tail hold data at all addresses of the segment. */
  private void holdAll() {
    ALL.forEach(address -> hold(data(address), HEAD, TAIL));
  }

  /** Records a unit's requests, and answers some of them in its place. */
  private void script(Endpoint unit, Function<Request, Optional<Reply>> script) {
    servers.script(
        unit,
        request -> {
          sent.computeIfAbsent(unit, fresh -> new ArrayList<>()).add(request);
          return script.apply(request);
        });
  }

  private void record(Endpoint... units) {
    for (Endpoint unit : units) {
      script(unit, request -> Optional.empty());
    }
  }

  private <T extends Request> List<T> sentTo(Endpoint unit, Class<T> kind) {
    return sent.getOrDefault(unit, List.of()).stream()
        .filter(kind::isInstance)
        .map(kind::cast)
        .toList();
  }

  private List<Long> addressesWrittenTo(Endpoint unit) {
    return sentTo(unit, LogUnitRequest.Write.class).stream()
        .flatMap(write -> write.entries().stream())
        .map(Entry::address)
        .toList();
  }

  /** Makes a unit report these states for the segment's addresses. */
  private static Function<Request, Optional<Reply>> inspected(AddressState... states) {
    return request ->
        request instanceof LogUnitRequest.Inspect
            ? Optional.of(new LogUnitReply.States(List.of(states)))
            : Optional.empty();
  }

  @Test
  void theEntriesThatTheJoiningUnitLacksAreCopiedAndCounted() {
    holdAll();
    hold(data(START + 1), JOINING);
    hold(data(START + 4), JOINING);
    record(JOINING);

    copy();

    assertThat(servers.heldBy(JOINING)).isEqualTo(servers.heldBy(TAIL));
    assertThat(addressesWrittenTo(JOINING)).containsExactly(START, START + 2, START + 3, START + 5);
    assertThat(copiedBytes).hasValue(4L * data(START).lengthBytes());
  }

  @Test
  void holesAreCopiedToo() {
    holdAll();
    Entry hole = Entry.hole(START + 2, new AppendId(98, 1));
    hold(hole, HEAD, TAIL);

    copy();

    assertThat(servers.heldBy(JOINING)).containsEntry(START + 2, hole).hasSize(COUNT);
  }

  @Test
  void onlyTheGivenAddressesAreCopied() {
    holdAll();

    copier(SERVING, WITH_JOINING)
        .copy(new AddressSet.Strided(START + 1, 2, 2), JOINING, deadline());

    assertThat(servers.heldBy(JOINING)).containsOnlyKeys(START + 1, START + 3);
  }

  @Test
  void anEntryThatOnlyTheHeadHoldsIsCompletedAndCopied() {
    holdAll();
    Entry halfDone = servers.heldBy(TAIL).remove(START + 3);

    copy();

    assertThat(servers.heldBy(TAIL)).containsEntry(START + 3, halfDone);
    assertThat(servers.heldBy(JOINING)).containsEntry(START + 3, halfDone).hasSize(COUNT);
  }

  @Test
  void anAddressThatNobodyWroteBecomesAHoleOnAllUnits() {
    holdAll();
    servers.heldBy(HEAD).remove(START + 3);
    servers.heldBy(TAIL).remove(START + 3);

    copy();

    Entry hole = servers.heldBy(HEAD).get(START + 3);
    assertThat(hole.isHole()).isTrue();
    assertThat(servers.heldBy(TAIL)).containsEntry(START + 3, hole);
    assertThat(servers.heldBy(JOINING)).containsEntry(START + 3, hole).hasSize(COUNT);
  }

  @Test
  void addressesThatTheTailHasTrimmedAreTrimmedOnTheJoiningUnitUnlessTheyAreAlready() {
    holdAll();
    var data = AddressState.DATA;
    var trimmed = AddressState.TRIMMED;
    var none = AddressState.UNWRITTEN;
    script(TAIL, inspected(data, trimmed, trimmed, trimmed, data, data));
    script(JOINING, inspected(none, none, trimmed, data, none, data));

    copy();

    assertThat(sentTo(JOINING, LogUnitRequest.Trim.class))
        .singleElement()
        .extracting(LogUnitRequest.Trim::addresses)
        .isEqualTo(new AddressSet.Listed(new long[] {START + 1, START + 3}));
    assertThat(addressesWrittenTo(JOINING)).containsExactly(START, START + 4);
  }

  @Test
  void aReplyWithFewerEntriesThanWantedIsFollowedByAnotherRequest() {
    holdAll();
    script(
        TAIL,
        request ->
            request instanceof LogUnitRequest.Read read
                ? Optional.of(
                    new LogUnitReply.Reads(
                        List.of(
                            new ReadOutcome.Found(
                                servers.heldBy(TAIL).get(read.addresses().at(0))))))
                : Optional.empty());

    copy();

    assertThat(sentTo(TAIL, LogUnitRequest.Read.class)).hasSize(COUNT);
    assertThat(servers.heldBy(JOINING)).isEqualTo(servers.heldBy(TAIL));
  }

  private static Function<Request, Optional<Reply>> corruptReads() {
    return request ->
        request instanceof LogUnitRequest.Read read
            ? Optional.of(
                new LogUnitReply.Reads(
                    Collections.nCopies(
                        read.addresses().count(), new ReadOutcome.Corrupt("bad sector"))))
            : Optional.empty();
  }

  @Test
  void anEntryThatTheTailCannotReadIsCopiedFromAnotherReplica() {
    holdAll();
    script(TAIL, corruptReads());

    copy();

    assertThat(servers.heldBy(JOINING)).isEqualTo(servers.heldBy(HEAD));
  }

  @Test
  void anEntryThatNoReplicaCanReadIsNotCopied() {
    holdAll();
    script(HEAD, corruptReads());
    script(TAIL, corruptReads());

    assertThatThrownBy(this::copy)
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining("cannot copy: bad sector");
    assertThat(servers.heldBy(JOINING)).isEmpty();
  }

  /** As if the entry had arrived between the inspection and the write. */
  @Test
  void anEntryThatHasArrivedMeanwhileIsNotCounted() {
    holdAll();
    hold(data(START), JOINING);
    var none = AddressState.UNWRITTEN;
    script(JOINING, inspected(none, none, none, none, none, none));

    copy();

    assertThat(servers.heldBy(JOINING)).isEqualTo(servers.heldBy(TAIL));
    assertThat(copiedBytes).hasValue((COUNT - 1L) * data(START).lengthBytes());
  }

  @Test
  void anotherEntryOnTheJoiningUnitIsReportedAsABrokenChain() {
    holdAll();
    hold(Entry.data(START, new AppendId(1, 1), ByteBuffer.allocate(1)), JOINING);
    var none = AddressState.UNWRITTEN;
    script(JOINING, inspected(none, none, none, none, none, none));

    assertThatThrownBy(this::copy)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("address " + START)
        .hasMessageContaining(JOINING.toString());
  }

  @Test
  void aJoiningUnitWithoutSpaceIsRetried() {
    holdAll();
    script(
        JOINING,
        request ->
            request instanceof LogUnitRequest.Write write
                ? Optional.of(
                    new LogUnitReply.Writes(
                        Collections.nCopies(write.entries().size(), WriteOutcome.NoSpace.NO_SPACE)))
                : Optional.empty());

    assertThatThrownBy(this::copy)
        .isInstanceOf(RetryableException.class)
        .hasMessageContaining(JOINING + " cannot join, because its disk is full");
    assertThat(copiedBytes).hasValue(0);
  }

  private void trimmedBefore(Endpoint unit, long before) {
    script(
        unit,
        request ->
            request instanceof LogUnitRequest.AskTail
                ? Optional.of(new LogUnitReply.Tail(START + COUNT, before))
                : Optional.empty());
  }

  @Test
  void allUnitsLearnTheHighestPrefixTrimThatOneOfThemKnows() {
    trimmedBefore(HEAD, 0);
    trimmedBefore(TAIL, START + 2);
    trimmedBefore(JOINING, START + 1);

    assertThat(copier(SERVING, WITH_JOINING).skipWhatIsTrimmed(deadline())).isEqualTo(START + 2);

    for (Endpoint unit : List.of(HEAD, TAIL, JOINING)) {
      assertThat(sentTo(unit, LogUnitRequest.PrefixTrim.class))
          .singleElement()
          .extracting(LogUnitRequest.PrefixTrim::before)
          .isEqualTo(START + 2);
    }
  }

  @Test
  void aPrefixTrimBelowTheSegmentLeavesNoAddressOut() {
    for (Endpoint unit : List.of(HEAD, TAIL, JOINING)) {
      trimmedBefore(unit, START - 1);
    }

    assertThat(copier(SERVING, WITH_JOINING).skipWhatIsTrimmed(deadline())).isEqualTo(START);
  }

  @Test
  void withoutAPrefixTrimNobodyIsToldOne() {
    for (Endpoint unit : List.of(HEAD, TAIL, JOINING)) {
      trimmedBefore(unit, 0);
    }

    assertThat(copier(SERVING, WITH_JOINING).skipWhatIsTrimmed(deadline())).isEqualTo(START);

    for (Endpoint unit : List.of(HEAD, TAIL, JOINING)) {
      assertThat(sentTo(unit, LogUnitRequest.PrefixTrim.class)).isEmpty();
    }
  }

  /** Returns a stream whose entries belong to the stream chain at this index, of two chains. */
  private static StreamId streamOfChain(int index) {
    long low = 1;
    while (Math.floorMod(new StreamId(7, low).hash(), 2L) != index) {
      low++;
    }
    return new StreamId(7, low);
  }

  @Test
  void aJoiningStreamReplicaGetsTheEntriesOfItsStreams() {
    var target = new ChainLayout(SERVING.log(), List.of(chain(STREAMS), chain(JOINING)));
    for (int i = 0; i < COUNT; i++) {
      hold(dataIn(streamOfChain(i % 2), START + i), HEAD, TAIL);
    }

    copier(SERVING, target).copy(ALL, JOINING, deadline());

    assertThat(servers.heldBy(JOINING)).containsOnlyKeys(START + 1, START + 3, START + 5);
  }

  @Test
  void theEntriesOfALostChainAreCopiedFromTheStreamReplicas() {
    var lost = new ChainLayout(List.of(chain()), List.of(chain(STREAMS), chain(TAIL)));
    var target = new ChainLayout(List.of(chain(JOINING)), lost.stream());
    for (int i = 0; i < COUNT - 1; i++) {
      hold(dataIn(streamOfChain(i % 2), START + i), i % 2 == 0 ? STREAMS : TAIL);
    }

    copier(lost, target).copy(ALL, JOINING, deadline());

    for (int i = 0; i < COUNT - 1; i++) {
      assertThat(servers.heldBy(JOINING))
          .containsEntry(START + i, dataIn(streamOfChain(i % 2), START + i));
    }
    assertThat(servers.heldBy(JOINING).get(START + COUNT - 1).isHole())
        .as("the address that no replica holds is a hole")
        .isTrue();
    assertThat(servers.heldBy(JOINING)).hasSize(COUNT);
  }
}
