package corfu.runtime.internal.read;

import corfu.protocol.Address;
import corfu.runtime.CallScope;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Deadline;
import corfu.runtime.LogEntry;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.batch.Batcher;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.session.ClientContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/**
 * Reads addresses. Reads of single addresses share requests; ranges have requests of their own.
 * Thread-safe.
 */
public final class LogReader {

  /** The number of addresses in one piece of a range. */
  private static final int PIECE = 1 << 15;

  /** The weight of a read, until its size is known, towards the bound on bytes in flight. */
  private static final int READ_WEIGHT_BYTES = 1 << 10;

  private static final int BATCH = 256;

  private final ReadParts parts;
  private final ClientContext context;
  private final Batcher<PendingRead> batcher;

  public LogReader(ReadParts parts) {
    this.parts = parts;
    this.context = parts.context();
    CorfuOptions options = context.options();
    this.batcher =
        new Batcher<>(
            context.world(),
            "corfu-read",
            new Batcher.Bounds(
                BATCH,
                (long) BATCH * READ_WEIGHT_BYTES,
                options.maxBatchesInFlight(),
                options.maxBytesInFlight()),
            read -> READ_WEIGHT_BYTES,
            PendingRead::deadline,
            (batch, turn, onlySlowOnesLeft) -> submitAgain(new ReadBatch(parts, batch).run()));
  }

  private PendingRead pending(long address) {
    return new PendingRead(address, context.deadline(), new CompletableFuture<>());
  }

  public LogEntry read(Address address) {
    PendingRead read = pending(address.value());
    batcher.submitAndHelp(read);
    return Futures.await(read.done());
  }

  public CompletableFuture<LogEntry> readAsync(Address address) {
    return readAsync(address.value(), context.deadline());
  }

  /** Reads an address for a call with this deadline. */
  CompletableFuture<LogEntry> readAsync(long address, Deadline deadline) {
    PendingRead read = new PendingRead(address, deadline, new CompletableFuture<>());
    submit(read);
    return read.done();
  }

  /**
   * Reads a range.
   *
   * @param to the end of the range, exclusive
   */
  public List<LogEntry> read(Address from, Address to) {
    List<LogEntry> all = new ArrayList<>();
    CallScope call = context.retryLoop().call();
    try {
      for (long low = from.value(); low < to.value(); low += PIECE) {
        all.addAll(new BulkRead(parts, low, (int) Math.min(PIECE, to.value() - low)).run());
        if (low + PIECE < to.value()) {
          call.deadline().renew();
        }
      }
    } finally {
      call.end();
    }
    return all;
  }

  public List<LogEntry> read(List<Address> addresses) {
    List<PendingRead> pending = new ArrayList<>(addresses.size());
    Deadline deadline = context.deadline();
    for (Address address : addresses) {
      pending.add(new PendingRead(address.value(), deadline, new CompletableFuture<>()));
    }
    if (!pending.isEmpty() && pending.size() <= BATCH) {
      submitAgain(new ReadBatch(parts, List.copyOf(pending)).run());
    } else {
      pending.forEach(this::submit);
    }
    return pending.stream().map(read -> Futures.await(read.done())).toList();
  }

  /**
   * Returns the entries that the tails of the chains hold at these addresses. Asks once, and waits
   * for no writer.
   */
  public List<LogEntry.Data> readComplete(List<Address> addresses) {
    List<PendingRead> pending =
        addresses.stream().map(address -> pending(address.value())).toList();
    new ReadBatch(parts, pending, left -> {}).tryOnce();
    List<LogEntry.Data> complete = new ArrayList<>();
    for (PendingRead read : pending) {
      if (read.done().isDone() && read.done().join() instanceof LogEntry.Data data) {
        complete.add(data);
      }
    }
    return complete;
  }

  private void submit(PendingRead read) {
    try {
      batcher.submit(read);
    } catch (UnavailableException noRoom) {
      read.done().completeExceptionally(noRoom);
    }
  }

  /**
   * Submits reads again that have more time than their batch had. Uses another thread, because the
   * calling thread may have no time left.
   */
  private void submitAgain(List<PendingRead> rest) {
    if (rest.isEmpty()) {
      return;
    }
    try {
      context.world().start("corfu-read-again", () -> rest.forEach(this::submit));
    } catch (RejectedExecutionException closed) {
      rest.forEach(read -> read.done().completeExceptionally(closed));
    }
  }
}
