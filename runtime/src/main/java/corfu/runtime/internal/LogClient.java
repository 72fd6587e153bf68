package corfu.runtime.internal;

import corfu.protocol.Address;
import corfu.protocol.AppendId;
import corfu.protocol.PayloadRange;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.BeyondTailException;
import corfu.runtime.CallScope;
import corfu.runtime.CompressionReport;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Deadline;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.internal.append.AppendParts;
import corfu.runtime.internal.append.Appender;
import corfu.runtime.internal.append.InFlightAppends;
import corfu.runtime.internal.append.PendingAppend;
import corfu.runtime.internal.layout.Layouts;
import corfu.runtime.internal.push.PushRegistry;
import corfu.runtime.internal.read.EntrySize;
import corfu.runtime.internal.read.LogReader;
import corfu.runtime.internal.read.PartReader;
import corfu.runtime.internal.read.ReadParts;
import corfu.runtime.internal.read.SlowRead;
import corfu.runtime.internal.read.SlowReads;
import corfu.runtime.internal.repair.BulkFill;
import corfu.runtime.internal.repair.ChainRepair;
import corfu.runtime.internal.repair.Trimmer;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.rpc.Servers;
import corfu.runtime.internal.session.ClientContext;
import corfu.runtime.internal.session.ClientReconfigurer;
import corfu.runtime.internal.session.RetryLoop;
import corfu.runtime.internal.stream.StreamUnits;
import corfu.runtime.internal.token.DeadRun;
import corfu.runtime.internal.token.Tokens;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/** Assembles the parts of a client, and implements the log with them. Thread-safe. */
public final class LogClient implements Log {

  private final ClientContext context;
  private final Tokens tokens;
  private final ChainRepair chainRepair;
  private final Trimmer trimmer;
  private final Compressions compressions;
  private final Appender appender;
  private final LogReader reader;
  private final PartReader partReader;
  private final PushRegistry pushes;
  private final StreamUnits units;
  private final InFlightAppends inFlight;
  private final CompletableFuture<Void> closed = new CompletableFuture<>();

  public LogClient(
      World world,
      CorfuOptions options,
      Servers servers,
      Layouts layouts,
      ClientReconfigurer reconfigurer) {
    RetryLoop retryLoop =
        new RetryLoop(world, layouts, options.operationTimeout(), Optional.of(reconfigurer));
    long clientId = world.random().nextLong();
    AtomicLong sequence = new AtomicLong();
    this.context =
        new ClientContext(
            world,
            options,
            servers,
            layouts,
            retryLoop,
            () -> new AppendId(clientId, sequence.incrementAndGet()));
    this.chainRepair = new ChainRepair(world, servers, retryLoop, context.ids());
    this.trimmer = new Trimmer(servers, retryLoop, chainRepair.settlement());
    this.compressions = new Compressions(context);
    this.units = new StreamUnits(servers);
    this.tokens = new Tokens(servers, units, chainRepair.settlement());
    DeadRun deadRun = new DeadRun(servers, options.limits().maxAddressesPerRequest());
    this.inFlight = new InFlightAppends(world);
    this.appender = new Appender(new AppendParts(context, tokens, deadRun, chainRepair, inFlight));
    SlowRead slowRead =
        new SlowRead(world, retryLoop, chainRepair, tokens, inFlight, options.holeTimeout());
    this.reader =
        new LogReader(
            new ReadParts(
                context,
                tokens,
                chainRepair,
                new BulkFill(context, chainRepair),
                new SlowReads(context, slowRead),
                new EntrySize()));
    this.partReader = new PartReader(context, reader);
    this.pushes = new PushRegistry(context);
  }

  /** Ends the client's background work. */
  public void close() {
    pushes.close();
    closed.complete(null);
  }

  /** Runs {@code then} when the client is closed, or at once if it is closed already. */
  void whenClosed(Runnable then) {
    var unused = closed.thenRun(then);
  }

  public ClientContext context() {
    return context;
  }

  StreamUnits units() {
    return units;
  }

  /** Returns the in-flight appends to streams that have addresses. */
  InFlightAppends inFlight() {
    return inFlight;
  }

  Appender appender() {
    return appender;
  }

  LogReader reader() {
    return reader;
  }

  Tokens tokens() {
    return tokens;
  }

  PushRegistry pushes() {
    return pushes;
  }

  public Trimmer trimmer() {
    return trimmer;
  }

  public ChainRepair chainRepair() {
    return chainRepair;
  }

  @Override
  public Address append(ByteBuffer payload) {
    PendingAppend append = appender.pending(TokenWish.PLAIN, AsOf.DECIDED, payload);
    appender.submitAndHelp(append);
    return Futures.awaitSoon(context.world(), append.done);
  }

  @Override
  public CompletableFuture<Address> appendAsync(ByteBuffer payload) {
    PendingAppend append = appender.pending(TokenWish.PLAIN, AsOf.DECIDED, payload);
    appender.submit(append);
    return append.done;
  }

  @Override
  public LogEntry read(Address address) {
    return reader.read(address);
  }

  @Override
  public CompletableFuture<LogEntry> readAsync(Address address) {
    return reader.readAsync(address);
  }

  @Override
  public List<LogEntry> read(Address from, Address to) {
    return reader.read(from, to);
  }

  @Override
  public List<LogEntry> read(List<Address> addresses) {
    return reader.read(addresses);
  }

  @Override
  public EntryPart read(Address address, int offset, int length) {
    return partReader.read(new PayloadRange(address.value(), offset, length));
  }

  @Override
  public CompletableFuture<EntryPart> readAsync(Address address, int offset, int length) {
    return partReader.readAsync(new PayloadRange(address.value(), offset, length));
  }

  @Override
  public List<EntryPart> readParts(List<PayloadRange> ranges) {
    return partReader.read(ranges);
  }

  @Override
  public Address tail() {
    return new Address(context.retryLoop().untilDone("find the tail", tokens::tail));
  }

  @Override
  public CompletableFuture<Address> tailAsync() {
    CompletableFuture<Address> tail = new CompletableFuture<>();
    Deadline deadline = context.deadline();
    context
        .world()
        .start(
            "corfu-tail",
            () -> {
              try {
                CallScope call = context.retryLoop().within(deadline);
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
   * Refuses to trim or fill an address whose token has not been issued yet. Otherwise its append
   * would lose its token, and so would all appends up to there.
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
  public void trim(Collection<Address> addresses) {
    long[] all = addresses.stream().mapToLong(Address::value).sorted().toArray();
    if (all.length > 0) {
      checkIssued(all[all.length - 1], "trim address " + all[all.length - 1]);
      trimmer.trim(all, context.options().limits().maxAddressesPerRequest());
    }
  }

  @Override
  public void prefixTrim(Address before) {
    checkIssued(before.value() - 1, "trim everything before address " + before);
    trimmer.prefixTrim(before.value());
  }

  @Override
  public List<CompressionReport> compress(Address before) {
    checkIssued(before.value() - 1, "compress everything before address " + before);
    return compressions.ask(new LogUnitRequest.Compress(before.value()));
  }

  @Override
  public List<CompressionReport> compression() {
    return compressions.ask(new LogUnitRequest.AskCompression());
  }

  @Override
  public LogEntry fill(Address address) {
    checkIssued(address.value(), "fill address " + address);
    return SlowRead.result(address.value(), chainRepair.fill(address.value()));
  }
}
