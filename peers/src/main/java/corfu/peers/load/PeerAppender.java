package corfu.peers.load;

import java.util.concurrent.CompletableFuture;

/** Appends one payload repeatedly to one system. One thread uses it, until the process ends. */
public interface PeerAppender {

  /**
   * Starts an append. The future completes, on any thread, when the system has acknowledged the
   * append.
   */
  CompletableFuture<?> start() throws Exception;

  /** Appends, and waits until the system has acknowledged the append. */
  default void await() throws Exception {
    start().get();
  }

  /** Deletes the appended entries where they would slow the system down. Not measured. */
  default void rest() throws Exception {}

  /** Opens appenders. */
  @FunctionalInterface
  interface Opener {

    /**
     * Opens an appender.
     *
     * @param payload the payload of each entry
     * @param isLone true for one append at a time, false for many in-flight appends
     */
    PeerAppender open(byte[] payload, boolean isLone) throws Exception;
  }
}
