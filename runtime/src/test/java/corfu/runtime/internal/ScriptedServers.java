package corfu.runtime.internal;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.ClusterId;
import corfu.protocol.Endpoint;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.AddressState;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Deadline;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.RetryLoop;
import corfu.transport.NoReplyException;
import corfu.transport.Peer;
import corfu.transport.Transport;
import corfu.world.RealWorld;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * A cluster in memory for tests of single classes of the client: a sequencer, and one chain of
 * write-once units, which ignore epochs. A test may answer requests itself.
 */
public final class ScriptedServers implements Transport {

  public static final Endpoint SEQUENCER = new Endpoint("sequencer", 1);
  public static final Endpoint HEAD = new Endpoint("head", 2);
  public static final Endpoint TAIL = new Endpoint("tail", 3);
  private static final Duration TIMEOUT = Duration.ofSeconds(5);

  private final RealWorld world = new RealWorld();
  private final Layout layout =
      Layout.initial(
              new ClusterId(new UUID(1, 2)), List.of(SEQUENCER), List.of(SEQUENCER), units(), 2)
          .next();
  private final Map<Endpoint, Map<Long, Entry>> held = new ConcurrentHashMap<>();
  private final Map<Endpoint, Function<Request, Optional<Reply>>> scripts =
      new ConcurrentHashMap<>();
  private final AtomicLong nextToken = new AtomicLong();
  private final AtomicLong sequence = new AtomicLong();

  private static List<Endpoint> units() {
    return List.of(HEAD, TAIL);
  }

  /**
   * Makes the script answer this server's requests from now on. The server still answers requests
   * that the script leaves out.
   */
  public void script(Endpoint server, Function<Request, Optional<Reply>> script) {
    scripts.put(server, script);
  }

  /** Returns the servers' layout, in which {@link #HEAD} is the first unit for even addresses. */
  public Layout layout() {
    return layout;
  }

  public Map<Long, Entry> heldBy(Endpoint unit) {
    return held.computeIfAbsent(unit, fresh -> new ConcurrentHashMap<>());
  }

  public Deadline deadline() {
    return Deadline.in(world, TIMEOUT);
  }

  /** Returns a client's context whose calls may last for {@code operationTimeout}. */
  public ClientContext context(Duration operationTimeout) {
    Servers servers = new Servers(this, Duration.ofSeconds(1));
    Layouts layouts = Layouts.discover(servers, List.of(SEQUENCER), deadline());
    return new ClientContext(
        world,
        CorfuOptions.of(List.of(SEQUENCER)),
        servers,
        layouts,
        new RetryLoop(world, layouts, operationTimeout, Optional.empty()),
        () -> new AppendId(7, sequence.incrementAndGet()));
  }

  @Override
  public Peer peer(Endpoint server) {
    return new Peer() {
      @Override
      public Endpoint endpoint() {
        return server;
      }

      @Override
      public CompletableFuture<Reply> send(Request request, long timeoutNanos) {
        try {
          var script = scripts.getOrDefault(server, any -> Optional.empty());
          Reply reply = script.apply(request).orElseGet(() -> answer(server, request));
          return CompletableFuture.completedFuture(reply);
        } catch (NoReplyException silent) {
          return CompletableFuture.failedFuture(silent);
        }
      }
    };
  }

  private Reply answer(Endpoint server, Request request) {
    return switch (request) {
      case LayoutRequest.Fetch fetch -> new LayoutReply.Current(layout);
      case SequencerRequest.Next next ->
          new SequencerReply.Tokens(nextToken.getAndAdd(next.count()), next.count());
      case SequencerRequest.AskTail ask -> new SequencerReply.Tail(nextToken.get());
      case LogUnitRequest.Write write ->
          new LogUnitReply.Writes(write.entries().stream().map(one -> write(server, one)).toList());
      case LogUnitRequest.Read read -> new LogUnitReply.Reads(read(server, read.addresses()));
      case LogUnitRequest.Inspect look ->
          new LogUnitReply.States(inspect(server, look.addresses()));
      default -> Reply.Done.DONE;
    };
  }

  private WriteOutcome write(Endpoint unit, Entry entry) {
    Entry before = heldBy(unit).putIfAbsent(entry.address(), entry);
    return before == null
        ? WriteOutcome.Written.WRITTEN
        : new WriteOutcome.Overwritten(before.id(), before.kind());
  }

  private List<ReadOutcome> read(Endpoint unit, AddressSet addresses) {
    List<ReadOutcome> outcomes = new ArrayList<>();
    for (int i = 0; i < addresses.count(); i++) {
      Entry entry = heldBy(unit).get(addresses.at(i));
      outcomes.add(entry == null ? ReadOutcome.Unwritten.UNWRITTEN : new ReadOutcome.Found(entry));
    }
    return outcomes;
  }

  private List<AddressState> inspect(Endpoint unit, AddressSet addresses) {
    List<AddressState> states = new ArrayList<>();
    for (int i = 0; i < addresses.count(); i++) {
      Entry entry = heldBy(unit).get(addresses.at(i));
      states.add(
          entry == null
              ? AddressState.UNWRITTEN
              : entry.isHole() ? AddressState.HOLE : AddressState.DATA);
    }
    return states;
  }

  @Override
  public void close() {
    world.close();
  }
}
