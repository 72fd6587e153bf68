package corfu.protocol.wire;

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
import corfu.protocol.layout.Layout;
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
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import java.util.function.Supplier;

/** Messages of every type with random content. */
final class RandomMessages {

  private final Random random;

  RandomMessages(Random random) {
    this.random = random;
  }

  /** Returns a message of this type. A type without a case here does not compile. */
  Message of(MessageType type) {
    return switch (type) {
      case HELLO ->
          new NodeRequest.Hello(random.nextInt(1 << 16), random.nextInt(1 << 16), cluster());
      case ASK_STATUS -> new NodeRequest.AskStatus();
      case ASK_NAMES -> new NodeRequest.AskNames();
      case INTRODUCE -> new NodeRequest.Introduce(list(() -> "name " + text()));
      case SETTLE -> new NodeRequest.Settle(addresses());
      case SETTLE_STREAMS -> new NodeRequest.SettleStreams(list(this::stream));
      case ASK_ACCESS -> new NodeRequest.AskAccess();
      case ACCESS -> new NodeReply.Access(address(), address(), random.nextBoolean());
      case ASK_TOKEN_KEY -> new NodeRequest.AskTokenKey();
      case TOKEN_KEY ->
          new NodeReply.SealingKey(
              random.nextBoolean() ? Optional.of(tokenKey()) : Optional.empty());
      case ASK_QUOTAS -> new NodeRequest.AskQuotas();
      case QUOTAS -> new NodeReply.Quotas(list(this::quotaUse));
      case WRITE -> new LogUnitRequest.Write(epoch(), list(this::entry));
      case SEALED_WRITE ->
          new LogUnitRequest.Write(epoch(), list(this::entry), List.of(seal(), seal()));
      case REPAIR -> new LogUnitRequest.Repair(epoch(), list(this::entry));
      case ASK_SCRUB -> new LogUnitRequest.AskScrub();
      case COMPRESS -> new LogUnitRequest.Compress(address());
      case ASK_COMPRESSION -> new LogUnitRequest.AskCompression();
      case COMPRESSED ->
          new LogUnitReply.Compressed(address(), address(), address(), address(), text());
      case SCRUBBED ->
          new LogUnitReply.Scrubbed(
              address(), address(), address(), address(), address(), address(), address(),
              address(), address(), text());
      case READ -> new LogUnitRequest.Read(epoch(), addresses(), count());
      case TRIM -> new LogUnitRequest.Trim(epoch(), addresses());
      case PREFIX_TRIM -> new LogUnitRequest.PrefixTrim(epoch(), address());
      case INSPECT -> new LogUnitRequest.Inspect(epoch(), addresses());
      case ASK_UNIT_TAIL -> new LogUnitRequest.AskTail(epoch());
      case COPY_RANGE ->
          new LogUnitRequest.CopyRange(epoch(), address(), address(), 1 + address() / 2, count());
      case RESET -> new LogUnitRequest.Reset(epoch());
      case SEAL_UNIT ->
          new LogUnitRequest.Seal(
              epoch(),
              random.nextBoolean()
                  ? LogUnitRequest.Seal.Extent.EVERYTHING
                  : LogUnitRequest.Seal.Extent.ALL_BUT_READS);
      case INSTALL -> new LogUnitRequest.Install(layout());
      case ASK_USAGE -> new LogUnitRequest.AskUsage();
      case FIND_IN_STREAMS ->
          new LogUnitRequest.FindInStreams(
              epoch(), list(() -> new StreamQuery(stream(), address(), address())), count());
      case LIST_STREAMS -> new LogUnitRequest.ListStreams(epoch(), random.nextInt(256), stream());
      case READ_STREAM ->
          new LogUnitRequest.ReadStream(
              epoch(), stream(), address(), address(), address(), count());
      case COMPLETE -> new LogUnitRequest.Complete(epoch(), addresses());
      case FOLLOW ->
          new LogUnitRequest.Follow(
              epoch(), random.nextLong(), list(this::stream), list(this::stream));
      case LISTEN -> new LogUnitRequest.Listen(epoch(), random.nextLong(), count());
      case FOLLOWING -> new LogUnitReply.Following(count());
      case HEARD -> new LogUnitReply.Heard(random.nextBoolean(), list(this::entry));
      case STREAM_ENTRIES ->
          new LogUnitReply.StreamEntries(address(), address(), list(this::entry));
      case TRIM_STREAM -> new LogUnitRequest.TrimStream(epoch(), stream(), address());
      case NEXT_IN_STREAMS ->
          new SequencerRequest.NextInStreams(epoch(), list(this::wish), list(this::streamTail));
      case ADOPT -> new SequencerRequest.Adopt(epoch(), address(), list(this::streamTail));
      case ASK_STREAMS ->
          new SequencerRequest.AskStreams(epoch(), list(this::stream), list(this::streamTail));
      case STREAM_TOKENS -> new SequencerReply.StreamTokens(list(this::tokenOutcome));
      case STREAM_ENDS -> new SequencerReply.StreamEnds(address(), address(), list(this::position));
      case UNKNOWN_STREAMS -> new SequencerReply.UnknownStreams(address(), list(this::stream));
      case FOUND_IN_STREAMS ->
          new LogUnitReply.FoundInStreams(
              address(),
              list(
                  () ->
                      new Occurrences(
                          address(), list(() -> new Occurrence(address(), address())))));
      case STREAMS -> new LogUnitReply.Streams(list(this::streamTail), random.nextBoolean());
      case NEXT -> new SequencerRequest.Next(epoch(), count());
      case ASK_SEQUENCER_TAIL -> new SequencerRequest.AskTail(epoch());
      case START -> new SequencerRequest.Start(epoch(), address(), address());
      case SEAL_SEQUENCER -> new SequencerRequest.Seal(epoch());
      case HAND_OVER -> new SequencerRequest.Seal(epoch(), KnownStreams.KEPT);
      case CONTINUE -> new SequencerRequest.Start(epoch(), address(), address(), KnownStreams.KEPT);
      case FETCH -> new LayoutRequest.Fetch();
      case PREPARE -> new LayoutRequest.Prepare(epoch(), ballot());
      case ACCEPT -> new LayoutRequest.Accept(ballot(), layout());
      case LEARN -> new LayoutRequest.Learn(layout());
      case RENEW -> new LayoutRequest.Renew(epoch(), endpoint(), health());
      case OBSERVE -> new LayoutRequest.Observe();
      case REMEMBER ->
          new LayoutRequest.Remember(endpoint(), new Incarnation(random.nextLong()), progress());
      case REPORT -> new LayoutRequest.Report(list(this::endpoint), list(this::endpoint));
      case ASK_REPORTS -> new LayoutRequest.AskReports();
      case REPORTS ->
          new LayoutReply.Reports(
              count(), count(), list(() -> new LayoutReply.Complaint(endpoint(), count())));
      case REMEMBERED ->
          new LayoutReply.Remembered(
              random.nextBoolean() ? Optional.of(progress()) : Optional.empty());
      case DONE -> Reply.Done.DONE;
      case WELCOME -> new NodeReply.Welcome(random.nextInt(1 << 16), cluster(), text());
      case STATUS ->
          new NodeReply.Status(
              text(), cluster(), epoch(), list(this::text), health(), list(this::rebuild));
      case NAMES -> new NodeReply.Names(list(() -> new NodeReply.Named(endpoint(), text())));
      case WRITES -> new LogUnitReply.Writes(list(this::writeOutcome));
      case READS -> new LogUnitReply.Reads(list(this::readOutcome));
      case READ_BLOCKS -> new LogUnitRequest.ReadBlocks(epoch(), list(this::range), count());
      case FOUND_BLOCKS -> new LogUnitReply.FoundBlocks(list(this::blocksOutcome));
      case STATES -> new LogUnitReply.States(list(() -> oneOf(AddressState.values())));
      case UNIT_TAIL -> new LogUnitReply.Tail(address(), address());
      case UNIT_SEALED -> new LogUnitReply.SealedAt(address(), address(), incarnation());
      case BLANK -> new LogUnitReply.Blank(incarnation());
      case COPIED ->
          new LogUnitReply.Copied(
              address(), list(() -> new CopiedRecord(address(), readOutcome())));
      case USAGE ->
          new LogUnitReply.Usage(
              address(), address(), address(), address(), address(), address(), text());
      case TOKENS -> new SequencerReply.Tokens(address(), count());
      case SEALED_TOKENS -> new SequencerReply.Tokens(address(), count(), Optional.of(seal()));
      case SEALED_STREAM_TOKENS ->
          new SequencerReply.StreamTokens(list(this::tokenOutcome), Optional.of(seal()));
      case SEQUENCER_TAIL -> new SequencerReply.Tail(address());
      case SEQUENCER_SEALED -> new SequencerReply.SealedAt(address(), address());
      case HANDED_OVER -> new SequencerReply.HandedOver(address(), address(), epoch());
      case CURRENT -> new LayoutReply.Current(layout());
      case PROMISED ->
          new LayoutReply.Promised(
              random.nextBoolean()
                  ? Optional.of(new LayoutReply.Accepted(ballot(), layout()))
                  : Optional.empty(),
              list(() -> new LayoutReply.RunningLease(endpoint(), address())));
      case ACCEPTED -> LayoutReply.AcceptedNow.ACCEPTED;
      case OUTBID -> new LayoutReply.Outbid(ballot());
      case DECIDED -> new LayoutReply.Decided(layout());
      case GRANTED -> new LayoutReply.Granted(address());
      case OBSERVATIONS ->
          new LayoutReply.Observations(
              list(() -> new LayoutReply.Observation(endpoint(), address(), address(), health())));
      case SEALED -> new Failure.Sealed(epoch());
      case BEHIND -> new Failure.Behind(epoch());
      case NOT_BOOTSTRAPPED -> new Failure.NotBootstrapped();
      case WRONG_CLUSTER -> new Failure.WrongCluster(new ClusterId(uuid()));
      case NOT_SERVING -> new Failure.NotServing(text());
      case REFUSED -> new Failure.Refused(oneOf(Failure.Cause.values()), text());
      case OVERLOADED -> new Failure.Overloaded(text());
      case BROKEN -> new Failure.Broken(text());
      case FORBIDDEN ->
          new Failure.Forbidden(
              oneOf(Permission.values()),
              random.nextBoolean() ? Optional.of(stream()) : Optional.empty(),
              text());
      case OVER_QUOTA -> new Failure.OverQuota(text(), count());
      case CALL_VIEW -> new ViewRequest.Call(stream(), 1 + random.nextInt(1 << 20), bytes());
      case VIEW_ANSWER -> new ViewReply.Answered(bytes());
    };
  }

  private TokenSeal seal() {
    return new TokenSeal(
        random.nextLong(),
        address(),
        random.nextInt(1, Integer.MAX_VALUE),
        random.nextLong(),
        random.nextLong());
  }

  private TokenKey tokenKey() {
    byte[] secret = new byte[TokenKey.BYTES];
    random.nextBytes(secret);
    return new TokenKey(random.nextLong(), secret);
  }

  private Endpoint endpoint() {
    return new Endpoint("node-" + random.nextInt(9), random.nextInt(1, 1 << 16));
  }

  private Incarnation incarnation() {
    return new Incarnation(random.nextInt(3) == 0 ? 0 : random.nextLong());
  }

  private Progress progress() {
    return new Progress(address(), address(), epoch(), epoch());
  }

  private Health health() {
    return new Health(
        oneOf(Health.State.values()),
        oneOf(Health.State.values()),
        oneOf(Health.State.values()),
        incarnation(),
        incarnation(),
        text());
  }

  private NodeReply.Rebuild rebuild() {
    return new NodeReply.Rebuild(address(), address(), address(), address(), address());
  }

  private WriteOutcome writeOutcome() {
    return switch (random.nextInt(6)) {
      case 0 -> WriteOutcome.Written.WRITTEN;
      case 1 -> new WriteOutcome.Overwritten(appendId(), oneOf(EntryKind.values()));
      case 2 -> WriteOutcome.Trimmed.TRIMMED;
      case 3 -> WriteOutcome.NoSpace.NO_SPACE;
      case 4 -> WriteOutcome.Corrupt.CORRUPT;
      default -> WriteOutcome.Damaged.DAMAGED;
    };
  }

  private ReadOutcome readOutcome() {
    return switch (random.nextInt(20)) {
      case 0 -> ReadOutcome.Forbidden.FORBIDDEN;
      case 3, 5, 6, 7, 8 -> new ReadOutcome.Found(entry());
      case 4 -> new ReadOutcome.Unconfirmed(entry());
      case 1 -> ReadOutcome.Unwritten.UNWRITTEN;
      case 2 -> ReadOutcome.Trimmed.TRIMMED;
      default -> new ReadOutcome.Corrupt(text());
    };
  }

  private Entry entry() {
    if (random.nextInt(4) == 0) {
      return Entry.hole(address(), appendId());
    }
    byte[] payload = new byte[random.nextInt(50)];
    random.nextBytes(payload);
    long address = address();
    List<StreamHeader> headers =
        list(this::stream).stream()
            .distinct()
            .sorted()
            .map(stream -> new StreamHeader(stream, address(), before(address)))
            .toList();
    return Entry.data(address, appendId(), headers, ByteBuffer.wrap(payload));
  }

  private PayloadRange range() {
    return new PayloadRange(address(), count(), Math.max(1, count()));
  }

  private BlocksOutcome blocksOutcome() {
    return switch (random.nextInt(12)) {
      case 5 -> BlocksOutcome.Forbidden.FORBIDDEN;
      case 0 -> BlocksOutcome.Unwritten.UNWRITTEN;
      case 1 -> new BlocksOutcome.Whole(entry());
      case 2 -> BlocksOutcome.Trimmed.TRIMMED;
      case 3 -> new BlocksOutcome.Corrupt(text());
      case 4 -> BlocksOutcome.Unconfirmed.UNCONFIRMED;
      default -> new BlocksOutcome.Found(lastBlock());
    };
  }

  /** Returns the short last block of an entry. */
  private EntryBlocks lastBlock() {
    byte[] payload = new byte[PayloadBlocks.LARGEST_UNDIVIDED_BYTES + random.nextInt(1, 50)];
    random.nextBytes(payload);
    Entry entry = Entry.data(address(), appendId(), ByteBuffer.wrap(payload));
    PayloadRange end = new PayloadRange(entry.address(), payload.length - 1, 1);
    return entry.blocks(end).orElseThrow();
  }

  private ByteBuffer bytes() {
    byte[] bytes = new byte[random.nextInt(50)];
    random.nextBytes(bytes);
    return ByteBuffer.wrap(bytes);
  }

  private StreamId stream() {
    return random.nextBoolean()
        ? new StreamId(0, random.nextLong(1, 5))
        : new StreamId(random.nextLong(), random.nextLong());
  }

  private StreamTail streamTail() {
    return new StreamTail(stream(), position());
  }

  private StreamPosition position() {
    return new StreamPosition(address(), before(address()));
  }

  private Backpointers before(long address) {
    Backpointers all = Backpointers.NONE;
    long each = Math.max(0, address - random.nextLong(1L << random.nextInt(1, 40)));
    for (int i = random.nextInt(6); i > 0 && each < address; i--) {
      all = all.behind(each);
      each += random.nextLong(1, 1L << random.nextInt(1, 20));
    }
    return all;
  }

  private StreamPart part() {
    return new StreamPart(stream(), list(random::nextLong));
  }

  private TokenWish wish() {
    Map<StreamId, StreamPart> writes = new HashMap<>();
    list(this::part).forEach(part -> writes.put(part.stream(), part));
    return new TokenWish(
        List.copyOf(writes.values()),
        random.nextBoolean()
            ? Optional.of(new Condition(address(), list(this::part)))
            : Optional.empty());
  }

  private TokenOutcome tokenOutcome() {
    return random.nextBoolean()
        ? new TokenOutcome.Issued(address(), list(this::position))
        : new TokenOutcome.Conflict(
            stream(),
            random.nextBoolean() ? OptionalLong.of(random.nextLong()) : OptionalLong.empty(),
            address());
  }

  private AppendId appendId() {
    return new AppendId(random.nextLong(), random.nextLong());
  }

  private AddressSet addresses() {
    return random.nextBoolean()
        ? new AddressSet.Strided(random.nextLong(1L << 40), random.nextLong(1, 100), count() >> 8)
        : new AddressSet.Listed(random.longs(random.nextInt(6), 0, Long.MAX_VALUE).toArray());
  }

  private Layout layout() {
    List<Endpoint> servers = new ArrayList<>();
    for (int i = random.nextInt(1, 5); i > 0; i--) {
      servers.add(new Endpoint(random.nextInt(3) == 0 ? "::" + i : "node-" + i, 9000 + i));
    }
    Layout first =
        Layout.initial(
            new ClusterId(uuid()),
            servers,
            servers,
            servers,
            random.nextInt(1, servers.size() + 1));
    Epoch epoch = new Epoch(random.nextLong(1, Long.MAX_VALUE));
    Map<Endpoint, Incarnation> lives = new HashMap<>();
    servers.forEach(server -> lives.put(server, incarnation()));
    Layout named = first.withIncarnations(lives, lives);
    return new Layout(
        first.clusterId(),
        epoch,
        first.wanted(),
        servers,
        named.acceptors(),
        named.units(),
        first.segments());
  }

  private Ballot ballot() {
    return new Ballot(random.nextLong(1, Long.MAX_VALUE), random.nextLong());
  }

  private Optional<ClusterId> cluster() {
    return random.nextBoolean() ? Optional.of(new ClusterId(uuid())) : Optional.empty();
  }

  private UUID uuid() {
    return new UUID(random.nextLong(), random.nextLong());
  }

  private Epoch epoch() {
    return new Epoch(random.nextLong() >>> 1);
  }

  private long address() {
    return random.nextLong() >>> 1;
  }

  private int count() {
    return random.nextInt() >>> 1;
  }

  private String text() {
    return random
        .ints(random.nextInt(12), 0, Character.MIN_SURROGATE)
        .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
        .toString();
  }

  private QuotaUse quotaUse() {
    return new QuotaUse(
        new Identity("spiffe://prod/" + Math.abs(random.nextInt())),
        address(),
        address(),
        address(),
        address(),
        list(random::nextLong),
        count(),
        count());
  }

  private <T> List<T> list(Supplier<T> element) {
    List<T> all = new ArrayList<>();
    for (int i = random.nextInt(5); i > 0; i--) {
      all.add(element.get());
    }
    return all;
  }

  private <T> T oneOf(T[] all) {
    return all[random.nextInt(all.length)];
  }
}
