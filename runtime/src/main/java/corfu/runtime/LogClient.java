package corfu.runtime;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.layout.Layout;
import corfu.protocol.stream.TokenWish;
import corfu.transport.TransportException;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The log over the parts of this package: decides which part does what, and owns what they share.
 */
final class LogClient implements Log {

  /** A range is read in pieces of this many addresses. */
  private static final int PIECE = 1 << 15;

  /** What a read weighs until its size is known, towards the bound on bytes in flight. */
  private static final int READ_WEIGHT_BYTES = 1 << 10;

  private static final int READ_BATCH = 256;

  /** How many addresses may wait for their writers at the same time. */
  private static final int SLOW_READS = 1024;

  private final World world;
  private final CorfuOptions options;
  private final Servers servers;
  private final Layouts layouts;
  private final Attempts attempts;
  private final Confirmations confirmations;
  private final StreamUnits units;
  private final StreamPieces pieces;
  private final Tokens tokens;
  private final DeadRun deadRun;
  private final Completion completion;
  private final UnderWay underWay;
  private final SlowRead slowRead;
  private final BulkFill bulkFill = new BulkFill(this);
  private final Trimmer trimmer;
  private final Gatherer<PendingAppend> appends;
  private final EntrySize entrySize = new EntrySize();
  private final Gatherer<PendingRead> reads;
  private final long clientId;
  private final Places slowReads = new Places("slow reads", SLOW_READS);
  private final AtomicLong sequence = new AtomicLong();
  private final Set<Pushes> pushes = ConcurrentHashMap.newKeySet();
  private final CompletableFuture<Void> closed = new CompletableFuture<>();
  private CompletableFuture<Void> lastTurn = CompletableFuture.completedFuture(null);

  LogClient(
      World world, CorfuOptions options, Servers servers, Layouts layouts, LastResort lastResort) {
    this.world = world;
    this.options = options;
    this.servers = servers;
    this.layouts = layouts;
    this.attempts =
        new Attempts(world, layouts, options.operationTimeout(), Optional.of(lastResort));
    this.confirmations = new Confirmations(servers);
    this.units = new StreamUnits(servers);
    this.pieces = new StreamPieces(servers, options.maxBatchBytes());
    this.tokens = new Tokens(servers, units);
    this.deadRun = new DeadRun(servers, options.limits().maxAddressesPerRequest());
    this.clientId = world.random().nextLong();
    this.underWay = new UnderWay(world);
    this.completion = new Completion(world, servers, attempts, this::nextId);
    this.slowRead =
        new SlowRead(world, attempts, completion, tokens, underWay, options.holeTimeout());
    this.trimmer = new Trimmer(servers, attempts);
    this.appends =
        new Gatherer<>(
            world,
            "corfu-append",
            new Gatherer.Bounds(
                options.maxBatchEntries(),
                options.maxBatchBytes(),
                options.maxBatchesInFlight(),
                options.maxBytesInFlight()),
            PendingAppend::weightBytes,
            append -> append.deadline,
            this::nextBatch);
    this.reads =
        new Gatherer<>(
            world,
            "corfu-read",
            new Gatherer.Bounds(
                READ_BATCH,
                (long) READ_BATCH * READ_WEIGHT_BYTES,
                options.maxBatchesInFlight(),
                options.maxBytesInFlight()),
            read -> READ_WEIGHT_BYTES,
            PendingRead::deadline,
            (batch, onlySlowOnesLeft) -> new ReadBatch(this, batch)::run);
  }

  /** Called by the gatherer for one batch after the other. */
  private Runnable nextBatch(List<PendingAppend> batch, Runnable onlySlowOnesLeft) {
    AppendBatch next = new AppendBatch(this, batch, lastTurn, onlySlowOnesLeft);
    lastTurn = next.turnOver();
    return next::run;
  }

  EntrySize entrySize() {
    return entrySize;
  }

  AppendId nextId() {
    return new AppendId(clientId, sequence.incrementAndGet());
  }

  /** News of streams for this receiver, until the client is closed. */
  Pushes pushes(Pushes.Receiver receiver) {
    Pushes more = new Pushes(this, receiver);
    pushes.add(more);
    return more;
  }

  void closed(Pushes ended) {
    pushes.remove(ended);
  }

  /** Ends what goes on by itself. */
  void close() {
    List.copyOf(pushes).forEach(Pushes::close);
    closed.complete(null);
  }

  /** Runs this when the client is closed; at once if it has been. */
  void whenClosed(Runnable then) {
    var unused = closed.thenRun(then);
  }

  World world() {
    return world;
  }

  CorfuOptions options() {
    return options;
  }

  Servers servers() {
    return servers;
  }

  /** The newest layout that this client has needed so far. */
  Layout layout() {
    return layouts.current();
  }

  Attempts attempts() {
    return attempts;
  }

  Tokens tokens() {
    return tokens;
  }

  BulkFill bulkFill() {
    return bulkFill;
  }

  /** As {@link SlowRead#waitedBelow}. */
  long waitedBelow() {
    return slowRead.waitedBelow();
  }

  DeadRun deadRun() {
    return deadRun;
  }

  Confirmations confirmations() {
    return confirmations;
  }

  Trimmer trimmer() {
    return trimmer;
  }

  StreamUnits units() {
    return units;
  }

  StreamPieces pieces() {
    return pieces;
  }

  UnderWay underWay() {
    return underWay;
  }

  Completion completion() {
    return completion;
  }

  static LogEntry entry(Entry entry) {
    return entry.isHole() ? new LogEntry.Hole(new Address(entry.address())) : data(entry);
  }

  static LogEntry.Data data(Entry entry) {
    return new LogEntry.Data(new Address(entry.address()), entry.streams(), entry.payload());
  }

  /** The same for what will most likely be done in a moment. */
  <T> T awaitSoon(CompletableFuture<T> future) {
    try {
      return world.await(future);
    } catch (CompletionException e) {
      throw thrown(e);
    }
  }

  /**
   * The same, no longer than until the deadline.
   *
   * @param what for the message: "read stream x"
   */
  static <T> T await(CompletableFuture<T> future, String what, Deadline deadline) {
    if (!deadline.await(future)) {
      throw new UnavailableException(
          "could not %s within %d ms".formatted(what, deadline.timeout().toMillis()));
    }
    return await(future);
  }

  /** Waits; whatever this package throws comes out as it is. */
  static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw thrown(e);
    }
  }

  private static RuntimeException thrown(CompletionException e) {
    return switch (e.getCause()) {
      case CorfuException failure -> failure;
      case TransportException failure -> failure;
      case null, default -> e;
    };
  }

  @Override
  public Address append(ByteBuffer payload) {
    PendingAppend append = pending(payload);
    appendAndHelp(append);
    return awaitSoon(append.done);
  }

  @Override
  public CompletableFuture<Address> appendAsync(ByteBuffer payload) {
    PendingAppend append = pending(payload);
    submit(append);
    return append.done;
  }

  /** Sees to the append; the calling thread may be lent to it. */
  void appendAndHelp(PendingAppend append) {
    try {
      appends.submitAndHelp(append);
    } catch (UnavailableException noRoom) {
      append.fail(noRoom);
    }
  }

  private void submit(PendingAppend append) {
    try {
      appends.submit(append);
    } catch (UnavailableException noRoom) {
      append.fail(noRoom);
    }
  }

  /** These have more time than the batch had that they were in: the calling thread may not. */
  void appendAgain(List<PendingAppend> rest) {
    if (rest.isEmpty()) {
      return;
    }
    try {
      world.start("corfu-append-again", () -> rest.forEach(this::submit));
    } catch (RejectedExecutionException closed) {
      rest.forEach(append -> append.fail(closed));
    }
  }

  /** The same for reads. */
  void readAgain(List<PendingRead> rest) {
    if (rest.isEmpty()) {
      return;
    }
    try {
      world.start("corfu-read-again", () -> rest.forEach(this::submit));
    } catch (RejectedExecutionException closed) {
      rest.forEach(read -> read.done().completeExceptionally(closed));
    }
  }

  private void submit(PendingRead read) {
    try {
      reads.submit(read);
    } catch (UnavailableException noRoom) {
      read.done().completeExceptionally(noRoom);
    }
  }

  /** Appends as {@code wish} says. */
  PendingAppend appendAsync(TokenWish wish, ByteBuffer payload) {
    PendingAppend append = pending(wish, AsOf.DECIDED, payload);
    submit(append);
    return append;
  }

  private PendingAppend pending(ByteBuffer payload) {
    return pending(TokenWish.PLAIN, AsOf.DECIDED, payload);
  }

  /** An append that somebody is going to see to. */
  PendingAppend pending(TokenWish wish, AsOf asOf, ByteBuffer payload) {
    int max = options.limits().maxPayloadBytes();
    if (payload.remaining() > max) {
      throw new EntryTooLargeException(payload.remaining(), max);
    }
    return new PendingAppend(nextId(), wish, asOf, payload.slice(), attempts.deadline());
  }

  private PendingRead pendingRead(long address) {
    return new PendingRead(address, attempts.deadline(), new CompletableFuture<>());
  }

  @Override
  public LogEntry read(Address address) {
    PendingRead read = pendingRead(address.value());
    reads.submitAndHelp(read);
    return await(read.done());
  }

  @Override
  public CompletableFuture<LogEntry> readAsync(Address address) {
    PendingRead read = pendingRead(address.value());
    submit(read);
    return read.done();
  }

  @Override
  public List<LogEntry> read(Address from, Address to) {
    List<LogEntry> all = new ArrayList<>();
    CallScope call = attempts.call();
    try {
      for (long low = from.value(); low < to.value(); low += PIECE) {
        all.addAll(new BulkRead(this, low, (int) Math.min(PIECE, to.value() - low)).run());
        if (low + PIECE < to.value()) {
          call.deadline().renew();
        }
      }
    } finally {
      call.end();
    }
    return all;
  }

  @Override
  public List<LogEntry> read(List<Address> addresses) {
    List<PendingRead> pending = new ArrayList<>(addresses.size());
    Deadline deadline = attempts.deadline();
    for (Address address : addresses) {
      pending.add(new PendingRead(address.value(), deadline, new CompletableFuture<>()));
    }
    if (!pending.isEmpty() && pending.size() <= READ_BATCH) {
      new ReadBatch(this, List.copyOf(pending)).run();
    } else {
      pending.forEach(this::submit);
    }
    return pending.stream().map(read -> await(read.done())).toList();
  }

  /**
   * Those of these addresses that tails tell of, with what they hold; asks once, and waits for no
   * writer.
   */
  List<LogEntry.Data> readComplete(List<Address> addresses) {
    List<PendingRead> pending =
        addresses.stream().map(address -> pendingRead(address.value())).toList();
    new ReadBatch(this, pending, left -> {}).tryOnce();
    List<LogEntry.Data> complete = new ArrayList<>();
    for (PendingRead read : pending) {
      if (read.done().isDone() && read.done().join() instanceof LogEntry.Data data) {
        complete.add(data);
      }
    }
    return complete;
  }

  PendingRead startSlowRead(long address) {
    PendingRead read = pendingRead(address);
    startSlowRead(read);
    return read;
  }

  /** Waits while too many slow reads are under way, no longer than the read has time. */
  void startSlowRead(PendingRead read) {
    try {
      slowReads.enter(read.deadline());
    } catch (UnavailableException noRoom) {
      read.done().completeExceptionally(noRoom);
      return;
    }
    world.start(
        "corfu-read-" + read.address(),
        () -> {
          try {
            CallScope part = attempts.within(read.deadline());
            try {
              read.done().complete(slowRead.read(read.address(), part.deadline()));
            } finally {
              part.end();
            }
          } catch (RuntimeException failure) {
            read.done().completeExceptionally(failure);
          } finally {
            slowReads.leave();
          }
        });
  }

  @Override
  public Address tail() {
    return new Address(attempts.untilDone("find the tail", tokens::tail));
  }

  @Override
  public CompletableFuture<Address> tailAsync() {
    CompletableFuture<Address> tail = new CompletableFuture<>();
    Deadline deadline = attempts.deadline();
    world.start(
        "corfu-tail",
        () -> {
          try {
            CallScope call = attempts.within(deadline);
            try {
              tail.complete(tail());
            } finally {
              call.end();
            }
          } catch (RuntimeException failure) {
            tail.completeExceptionally(failure);
          }
        });
    return tail;
  }

  /**
   * Refuses to give up or fill an address that is to be issued yet: its append would lose its
   * token, and so would all appends up to there.
   */
  private void checkIssued(long address, String wish) {
    if (!tokens.isKnownIssued(address)) {
      Address tail = tail();
      if (address >= tail.value()) {
        throw new BeyondTailException(wish, tail);
      }
    }
  }

  @Override
  public void trim(Address address) {
    checkIssued(address.value(), "trim address " + address);
    trimmer.trim(address.value());
  }

  @Override
  public void prefixTrim(Address before) {
    checkIssued(before.value() - 1, "trim everything before address " + before);
    trimmer.prefixTrim(before.value());
  }

  @Override
  public LogEntry fill(Address address) {
    checkIssued(address.value(), "fill address " + address);
    return SlowRead.result(address.value(), completion.decide(address.value()));
  }
}
