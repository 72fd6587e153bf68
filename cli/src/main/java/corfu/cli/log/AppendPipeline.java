package corfu.cli.log;

import corfu.cli.command.Failures;
import corfu.cli.output.OutputClosedException;
import corfu.runtime.AppendOutcomeUnknownException;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * Appends entries, many of them in flight, and reports their places in the order of the input. It
 * reports an entry as soon as that entry and all earlier ones are acknowledged.
 *
 * @param <P> the place of an entry
 */
public final class AppendPipeline<P> {

  /** The largest number of in-flight entries; the runtime bounds their bytes. */
  private static final int WINDOW = 4096;

  private final Function<byte[], CompletableFuture<P>> append;
  private final Receipts<P> receipts;
  private final BlockingQueue<Sent<P>> underWay = new ArrayBlockingQueue<>(WINDOW);
  private final Thread listener = Thread.ofVirtual().name("acknowledgements").unstarted(this::run);
  private volatile Optional<Failed> failed = Optional.empty();

  /** The listener counts it; other threads read it after the listener has ended. */
  private long appended;

  AppendPipeline(Function<byte[], CompletableFuture<P>> append, Receipts<P> receipts) {
    this.append = append;
    this.receipts = receipts;
    listener.start();
  }

  /** Receives acknowledgements, on one thread. */
  public interface Receipts<P> {

    void acknowledged(P place);

    /** No further acknowledgement is known now. */
    void pause();

    /** Some lines were not appended; the last call, if it comes. */
    default void ended(EntryInput.Shortfall shortfall) {}
  }

  /**
   * The first entry that could not be appended.
   *
   * @param number its number, from 1
   * @param others the number of further failed entries
   * @param unknown the number of these entries that may or may not have been appended
   */
  record Failed(long number, Throwable reason, long others, long unknown) {}

  private record Sent<P>(long number, CompletableFuture<P> outcome) {
    private boolean isLast() {
      return number == 0;
    }
  }

  /** Sends one entry. Returns false, without sending it, if an earlier one has failed. */
  boolean send(long number, byte[] payload) throws InterruptedException {
    if (failed.isPresent()) {
      return false;
    }
    underWay.put(new Sent<>(number, append.apply(payload)));
    return true;
  }

  /** Waits for all sent entries, and returns the failure, if there is one. */
  Optional<Failed> finish() throws InterruptedException {
    underWay.put(new Sent<>(0, new CompletableFuture<>()));
    listener.join();
    return failed;
  }

  /** Returns the number of acknowledged entries; it is final after {@link #finish}. */
  long appended() {
    return appended;
  }

  private void run() {
    try {
      for (Sent<P> sent = next(); !sent.isLast(); sent = next()) {
        await(sent);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    tell(receipts::pause, 0);
  }

  private Sent<P> next() throws InterruptedException {
    Sent<P> sent = underWay.poll();
    if (sent == null) {
      tell(receipts::pause, 0);
      sent = underWay.take();
    }
    return sent;
  }

  private void await(Sent<P> sent) {
    if (!sent.outcome().isDone()) {
      tell(receipts::pause, sent.number());
    }
    try {
      P place = sent.outcome().join();
      appended++;
      tell(() -> receipts.acknowledged(place), sent.number());
    } catch (CompletionException e) {
      fail(sent.number(), e);
    }
  }

  /**
   * Reports to the receiver. It continues if the output is closed, because the sent entries still
   * need a wait.
   */
  private void tell(Runnable news, long number) {
    try {
      news.run();
    } catch (OutputClosedException e) {
      fail(number, e);
    }
  }

  private void fail(long number, Throwable reason) {
    Throwable why = Failures.unwrap(reason);
    int unknown = why instanceof AppendOutcomeUnknownException ? 1 : 0;
    failed =
        Optional.of(
            failed
                .map(
                    first ->
                        new Failed(
                            first.number(),
                            first.reason(),
                            first.others() + 1,
                            first.unknown() + unknown))
                .orElseGet(() -> new Failed(number, why, 0, unknown)));
  }
}
