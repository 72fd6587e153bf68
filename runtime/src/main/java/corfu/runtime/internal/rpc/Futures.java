package corfu.runtime.internal.rpc;

import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.UnavailableException;
import corfu.transport.TransportException;
import corfu.world.World;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;

/** Waits for futures. Exceptions of this module and of the transport are thrown unwrapped. */
public final class Futures {

  private Futures() {}

  /** Waits until the future is done. */
  public static <T> T await(CompletableFuture<T> future) {
    try {
      return future.join();
    } catch (CompletionException e) {
      throw thrown(e);
    }
  }

  /** Waits for a future that will probably be done in a moment. */
  public static <T> T awaitSoon(World world, CompletableFuture<T> future) {
    try {
      return world.await(future);
    } catch (CompletionException e) {
      throw thrown(e);
    }
  }

  /**
   * Waits until the deadline at most.
   *
   * @param what the awaited operation, for the message: "read stream x"
   * @throws UnavailableException if the deadline passes first
   */
  public static <T> T await(CompletableFuture<T> future, String what, Deadline deadline) {
    if (!deadline.await(future)) {
      throw new UnavailableException(
          "could not %s within %d ms".formatted(what, deadline.timeout().toMillis()));
    }
    return await(future);
  }

  private static RuntimeException thrown(CompletionException e) {
    return switch (e.getCause()) {
      case CorfuException failure -> failure;
      case TransportException failure -> failure;
      case null, default -> e;
    };
  }
}
