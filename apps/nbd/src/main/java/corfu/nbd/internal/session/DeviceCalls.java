package corfu.nbd.internal.session;

import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Brings results of devices back to a session's thread. */
public interface DeviceCalls {

  /**
   * Calls {@code receiver} with the outcome of a future: at once if it is done, otherwise in a
   * later turn of the session's thread, also if the connection has ended meanwhile.
   */
  <T extends @Nullable Object> void deliver(CompletableFuture<T> future, Receiver<T> receiver);

  /** Runs a task on the session's thread. */
  void run(Runnable task);

  /** A receiver of outcomes. */
  @FunctionalInterface
  interface Receiver<T extends @Nullable Object> {

    /** Receives the value, or the failure. */
    void receive(@Nullable T value, @Nullable Throwable failure);
  }
}
