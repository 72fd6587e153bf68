package corfu.runtime.internal.read;

import corfu.protocol.PayloadRange;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Deadline;
import corfu.runtime.EntryPart;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.batch.Batcher;
import corfu.runtime.internal.rpc.Futures;
import corfu.runtime.internal.session.ClientContext;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;

/** Reads parts of entries, at the cost of the parts. Reads share requests. Thread-safe. */
public final class PartReader {

  private static final int BATCH = 256;

  /** The weight of a read besides its bytes, towards the bound on bytes in flight. */
  private static final int READ_WEIGHT_BYTES = 1 << 10;

  private final ClientContext context;
  private final LogReader wholeEntries;
  private final Batcher<PendingPart> batcher;

  /**
   * @param wholeEntries the reader of entries of which parts do not suffice
   */
  public PartReader(ClientContext context, LogReader wholeEntries) {
    this.context = context;
    this.wholeEntries = wholeEntries;
    CorfuOptions options = context.options();
    int longest = options.limits().maxPayloadBytes();
    this.batcher =
        new Batcher<>(
            context.world(),
            "corfu-read-part",
            new Batcher.Bounds(
                BATCH,
                Math.max(options.maxBatchBytes(), (long) BATCH * READ_WEIGHT_BYTES),
                options.maxBatchesInFlight(),
                options.maxBytesInFlight()),
            read -> READ_WEIGHT_BYTES + Math.min(read.range.length(), longest),
            read -> read.deadline,
            (batch, turn, onlySlowOnesLeft) -> submitAgain(run(batch)));
  }

  private List<PendingPart> run(List<PendingPart> batch) {
    return new PartBatch(context, batch, this::readWhole).run();
  }

  /** Reads one part. Blocks. */
  public EntryPart read(PayloadRange range) {
    PendingPart read = new PendingPart(range, context.deadline());
    batcher.submitAndHelp(read);
    return Futures.await(read.done);
  }

  /** Reads one part without waiting. */
  public CompletableFuture<EntryPart> readAsync(PayloadRange range) {
    PendingPart read = new PendingPart(range, context.deadline());
    submit(read);
    return read.done;
  }

  /** Reads several parts, in the order of the list. Blocks. */
  public List<EntryPart> read(List<PayloadRange> ranges) {
    Deadline deadline = context.deadline();
    List<PendingPart> pending =
        ranges.stream().map(range -> new PendingPart(range, deadline)).toList();
    if (!pending.isEmpty() && pending.size() <= BATCH) {
      submitAgain(run(pending));
    } else {
      pending.forEach(this::submit);
    }
    return pending.stream().map(read -> Futures.await(read.done)).toList();
  }

  private void submit(PendingPart read) {
    try {
      batcher.submit(read);
    } catch (UnavailableException noRoom) {
      read.done.completeExceptionally(noRoom);
    }
  }

  /** Submits reads again that have more time than their batch had, on another thread. */
  private void submitAgain(List<PendingPart> rest) {
    if (rest.isEmpty()) {
      return;
    }
    try {
      context.world().start("corfu-read-part-again", () -> rest.forEach(this::submit));
    } catch (RejectedExecutionException closed) {
      rest.forEach(read -> read.done.completeExceptionally(closed));
    }
  }

  private void readWhole(PendingPart read) {
    var unused =
        wholeEntries
            .readAsync(read.address(), read.deadline)
            .whenComplete(
                (entry, failure) -> {
                  if (failure == null) {
                    read.complete(entry);
                  } else {
                    read.done.completeExceptionally(failure);
                  }
                });
  }
}
