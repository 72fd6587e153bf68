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
 * Appends entries without waiting for each, and tells where they are in the order in which they
 * came, each as soon as it and all before it are acknowledged.
 *
 * @param <P> what says where an entry is
 */
public final class AppendPipeline<P> {

  /** How many entries may be under way; the runtime bounds their bytes. */
  private static final int WINDOW = 4096;

  private final Function<byte[], CompletableFuture<P>> append;
  private final Receipts<P> receipts;
  private final BlockingQueue<Sent<P>> underWay = new ArrayBlockingQueue<>(WINDOW);
  private final Thread listener = Thread.ofVirtual().name("acknowledgements").unstarted(this::run);
  private volatile Optional<Failed> failed = Optional.empty();

  /** Counted by the listener, and read when it has ended. */
  private long appended;

  AppendPipeline(Function<byte[], CompletableFuture<P>> append, Receipts<P> receipts) {
    this.append = append;
    this.receipts = receipts;
    listener.start();
  }

  /** Is told what was acknowledged, on one thread. */
  public interface Receipts<P> {

    void acknowledged(P place);

    /** Nothing more is known for now. */
    void pause();

    /** Not all lines were appended; comes last, if at all. */
    default void ended(EntryInput.Shortfall shortfall) {}
  }

  /**
   * The first entry that could not be appended.
   *
   * @param number its number, from 1
   * @param others how many more could not be
   * @param unknown of how many of all these it is not known whether they were appended
   */
  record Failed(long number, Throwable reason, long others, long unknown) {}

  private record Sent<P>(long number, CompletableFuture<P> outcome) {
    private boolean isLast() {
      return number == 0;
    }
  }

  /** Sends one entry; false, without sending it, when an earlier one has failed. */
  boolean send(long number, byte[] payload) throws InterruptedException {
    if (failed.isPresent()) {
      return false;
    }
    underWay.put(new Sent<>(number, append.apply(payload)));
    return true;
  }

  /** Waits for all that was sent; returns what went wrong, if anything did. */
  Optional<Failed> finish() throws InterruptedException {
    underWay.put(new Sent<>(0, new CompletableFuture<>()));
    listener.join();
    return failed;
  }

  /** How many entries were acknowledged; final when {@link #finish} has returned. */
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

  /** Goes on when nobody listens any more: what was sent must still be waited for. */
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
