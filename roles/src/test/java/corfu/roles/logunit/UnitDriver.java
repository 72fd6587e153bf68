package corfu.roles.logunit;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.protocol.wire.FrameCodec;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.world.Loop;
import corfu.world.Offload;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** A concise client of a unit, for tests. */
public final class UnitDriver {

  private static final Comparator<StreamHeader> BY_STREAM =
      Comparator.comparing(StreamHeader::stream);

  static final ClusterId CLUSTER = new ClusterId(new UUID(1, 2));

  public final LogUnit unit;
  public Epoch epoch = new Epoch(1);

  UnitDriver(LogUnit unit) {
    this.unit = unit;
  }

  /** Returns a unit that runs disk work at once and serves epoch 1. */
  public static UnitDriver started(FaultDisk disk, LogUnitOptions options) {
    UnitDriver driver = opened(disk, options);
    driver.install(1);
    return driver;
  }

  public static UnitDriver opened(FaultDisk disk, LogUnitOptions options) {
    var world = new StillWorld(disk.effects);
    return new UnitDriver(LogUnit.open(disk, options, world, Offload.inline(), Offload.inline()));
  }

  /** Returns the layout of an epoch that relies on a unit. */
  static Layout layout(long epoch, Incarnation incarnation) {
    return layout(epoch, CLUSTER, incarnation);
  }

  static Layout layout(long epoch, ClusterId cluster, Incarnation incarnation) {
    Endpoint server = new Endpoint("unit", 9000);
    Layout first =
        Layout.initial(cluster, List.of(server), List.of(server), List.of(server), 1)
            .withIncarnations(Map.of(), Map.of(server, incarnation));
    return new Layout(
        cluster,
        new Epoch(epoch),
        first.wanted(),
        first.sequencers(),
        first.acceptors(),
        first.units(),
        first.segments());
  }

  /** Returns the layout of an epoch that relies on this unit's present incarnation. */
  Layout layout(long number) {
    return layout(number, unit.incarnation());
  }

  /** Returns the layout of an epoch that relies on another life of the unit's disk. */
  Layout foreign(long number) {
    return layout(number, new Incarnation(~unit.incarnation().value()));
  }

  public static Entry entry(long address) {
    return entry(address, 100);
  }

  /** Returns an entry whose content depends only on its address and size. */
  public static Entry entry(long address, int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(address * 31 + bytes).nextBytes(payload);
    return Entry.data(address, new AppendId(address, bytes), ByteBuffer.wrap(payload));
  }

  /** Returns an entry of streams with these positions. */
  public static Entry entry(long address, StreamHeader... places) {
    List<StreamHeader> sorted = Arrays.stream(places).sorted(BY_STREAM).toList();
    return Entry.data(address, new AppendId(address, -2), sorted, ByteBuffer.allocate(30));
  }

  /** Returns the position of an entry in a stream. */
  public static StreamHeader in(StreamId stream, long streamAddress) {
    return new StreamHeader(stream, streamAddress, Backpointers.NONE);
  }

  static Entry hole(long address) {
    return Entry.hole(address, new AppendId(-1, address));
  }

  /** Sends a request without ending the turn. The returned list receives the answer. */
  List<Reply> send(LogUnitRequest request) {
    List<Reply> replies = new ArrayList<>();
    unit.handle(request, reply -> replies.add(FrameCodec.copyOf(reply)));
    return replies;
  }

  Reply ask(LogUnitRequest request) {
    List<Reply> replies = send(request);
    unit.turnEnded();
    if (replies.size() != 1) {
      throw new AssertionError(request + " was answered by " + replies);
    }
    return replies.getFirst();
  }

  WriteOutcome repair(Entry entry) {
    var request = new LogUnitRequest.Repair(epoch, List.of(entry));
    return ((LogUnitReply.Writes) ask(request)).outcomes().getFirst();
  }

  LogUnitReply.Scrubbed scrubbed() {
    return (LogUnitReply.Scrubbed) ask(new LogUnitRequest.AskScrub());
  }

  LogUnitReply.Compressed compressBefore(long address) {
    return (LogUnitReply.Compressed) ask(new LogUnitRequest.Compress(address));
  }

  LogUnitReply.Compressed compressed() {
    return (LogUnitReply.Compressed) ask(new LogUnitRequest.AskCompression());
  }

  Reply install(long number) {
    return install(layout(number));
  }

  Reply install(Layout layout) {
    epoch = layout.epoch();
    return ask(new LogUnitRequest.Install(layout));
  }

  Reply write(Entry... entries) {
    return ask(new LogUnitRequest.Write(epoch, Arrays.asList(entries)));
  }

  WriteOutcome writeOne(Entry entry) {
    return ((LogUnitReply.Writes) write(entry)).outcomes().getFirst();
  }

  /** Writes data to each of these addresses. */
  public Reply fillUp(long from, long to, int bytes) {
    List<Entry> entries = new ArrayList<>();
    for (long a = from; a < to; a++) {
      entries.add(entry(a, bytes));
    }
    return ask(new LogUnitRequest.Write(epoch, entries));
  }

  Reply trim(long... addresses) {
    return ask(new LogUnitRequest.Trim(epoch, new AddressSet.Listed(addresses)));
  }

  public Reply prefixTrim(long before) {
    return ask(new LogUnitRequest.PrefixTrim(epoch, before));
  }

  Reply trimStream(StreamId stream, long before) {
    return ask(new LogUnitRequest.TrimStream(epoch, stream, before));
  }

  /** Returns the stream address below which a stream is trimmed. */
  long trimmedBefore(StreamId stream) {
    return find(1, StreamQuery.below(stream, Long.MAX_VALUE)).found().getFirst().trimmedBefore();
  }

  Reply seal(long sealed) {
    return ask(new LogUnitRequest.Seal(new Epoch(sealed)));
  }

  public List<ReadOutcome> read(AddressSet addresses, int maxBytes) {
    return ((LogUnitReply.Reads) ask(new LogUnitRequest.Read(epoch, addresses, maxBytes)))
        .outcomes();
  }

  public ReadOutcome read(long address) {
    return read(AddressSet.of(address), 1 << 20).getFirst();
  }

  LogUnitReply.Usage usage() {
    return (LogUnitReply.Usage) ask(new LogUnitRequest.AskUsage());
  }

  LogUnitReply.Tail tail() {
    return (LogUnitReply.Tail) ask(new LogUnitRequest.AskTail(epoch));
  }

  LogUnitReply.Copied copy(long from, long to, int maxBytes) {
    return copy(from, to, 1, maxBytes);
  }

  LogUnitReply.Copied copy(long from, long to, long stride, int maxBytes) {
    return (LogUnitReply.Copied)
        ask(new LogUnitRequest.CopyRange(epoch, from, to, stride, maxBytes));
  }

  LogUnitReply.FoundInStreams find(int most, StreamQuery... queries) {
    return (LogUnitReply.FoundInStreams)
        ask(new LogUnitRequest.FindInStreams(epoch, Arrays.asList(queries), most));
  }

  /**
   * Returns up to {@code most} of a stream's newest entries: log address, stream address, and so
   * on.
   */
  List<Long> newestOf(StreamId stream, int most) {
    List<Long> pairs = new ArrayList<>();
    StreamQuery query = StreamQuery.below(stream, Long.MAX_VALUE);
    for (Occurrence found : find(most, query).found().getFirst().newestFirst()) {
      pairs.add(found.address());
      pairs.add(found.streamAddress());
    }
    return pairs;
  }

  long forgottenBefore() {
    return find(1).forgottenBefore();
  }

  /** Returns the ends of all streams. */
  Map<StreamId, StreamPosition> ends() {
    Map<StreamId, StreamPosition> ends = new HashMap<>();
    for (int part = 0; part < StreamId.PARTS; part++) {
      LogUnitReply.Streams some = list(part, StreamId.NONE);
      some.tails().forEach(tail -> ends.put(tail.stream(), tail.end()));
      while (some.more()) {
        some = list(part, some.tails().getLast().stream());
        some.tails().forEach(tail -> ends.put(tail.stream(), tail.end()));
      }
    }
    return ends;
  }

  LogUnitReply.Streams list(int part, StreamId after) {
    return (LogUnitReply.Streams) ask(new LogUnitRequest.ListStreams(epoch, part, after));
  }

  Reply reset(long number) {
    return ask(new LogUnitRequest.Reset(new Epoch(number)));
  }

  /** An offload that works on demand. */
  static final class StepOffload implements Offload {
    private final ArrayDeque<Runnable> steps = new ArrayDeque<>();

    @Override
    public void run(Runnable work, Consumer<Optional<Throwable>> then) {
      steps.add(() -> Offload.inline().run(work, then));
    }

    boolean isWaiting() {
      return !steps.isEmpty();
    }

    /** Drops the work, as if the thread had ended. */
    void forget() {
      steps.clear();
    }

    void step() {
      steps.remove().run();
    }

    void all() {
      while (isWaiting()) {
        step();
      }
    }
  }

  /** A world in which time passes only on demand, and random numbers come from a seed. */
  public static final class StillWorld implements World {
    private final RandomGenerator random;
    public long nanos;

    public StillWorld(long seed) {
      random = new SplittableRandom(seed);
    }

    @Override
    public long nanoTime() {
      return nanos;
    }

    @Override
    public long wallTimeMillis() {
      return 0;
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      throw new UnsupportedOperationException("nothing happens later here");
    }

    @Override
    public RandomGenerator random() {
      return random;
    }

    @Override
    public Thread start(String name, Runnable body) {
      throw new UnsupportedOperationException("no threads here");
    }

    @Override
    public Loop loop(String name) {
      throw new UnsupportedOperationException("no threads here");
    }
  }
}
