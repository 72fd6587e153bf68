package corfu.runtime.internal.append;

import corfu.protocol.stream.TokenWish;
import corfu.runtime.AsOf;
import corfu.runtime.CorfuOptions;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.UnavailableException;
import corfu.runtime.internal.batch.Batcher;
import corfu.runtime.internal.session.ClientContext;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs appends: each append joins a batch, which writes it to the end of its chain. An append that
 * has time left at its batch's deadline joins another batch. Thread-safe.
 */
public final class Appender {

  private final AppendParts parts;
  private final ClientContext context;
  private final Batcher<PendingAppend> batcher;

  public Appender(AppendParts parts) {
    this.parts = parts;
    this.context = parts.context();
    CorfuOptions options = context.options();
    this.batcher =
        new Batcher<>(
            context.world(),
            "corfu-append",
            new Batcher.Bounds(
                options.maxBatchEntries(),
                options.maxBatchBytes(),
                options.maxBatchesInFlight(),
                options.maxBytesInFlight()),
            PendingAppend::weightBytes,
            append -> append.deadline,
            this::carryOut);
  }

  /**
   * Makes an append for {@link #submit} or {@link #submitAndHelp}.
   *
   * @param asOf the time at which the snapshot of the condition was taken
   * @throws EntryTooLargeException if the payload does not fit into an entry
   */
  public PendingAppend pending(TokenWish wish, AsOf asOf, ByteBuffer payload) {
    int max = context.options().limits().maxPayloadBytes();
    if (payload.remaining() > max) {
      throw new EntryTooLargeException(payload.remaining(), max);
    }
    return new PendingAppend(context.ids().get(), wish, asOf, payload.slice(), context.deadline());
  }

  /** Starts the append. Returns at once, unless too much is in flight. */
  public void submit(PendingAppend append) {
    try {
      batcher.submit(append);
    } catch (UnavailableException noRoom) {
      append.fail(noRoom);
    }
  }

  /** Starts the append. The calling thread may run the append's batch. */
  public void submitAndHelp(PendingAppend append) {
    try {
      batcher.submitAndHelp(append);
    } catch (UnavailableException noRoom) {
      append.fail(noRoom);
    }
  }

  private void carryOut(List<PendingAppend> appends, Batcher.Turn turn, Runnable onlySlowOnesLeft) {
    submitAgain(new AppendBatch(parts, appends, turn, onlySlowOnesLeft).run());
  }

  /**
   * Submits appends again that have more time than their batch had. Uses another thread, because
   * the calling thread may have no time left.
   */
  private void submitAgain(List<PendingAppend> rest) {
    if (rest.isEmpty()) {
      return;
    }
    try {
      context.world().start("corfu-append-again", () -> rest.forEach(this::submit));
    } catch (RejectedExecutionException closed) {
      rest.forEach(append -> append.fail(closed));
    }
  }
}
