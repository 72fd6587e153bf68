package corfu.peers.load;

import java.util.concurrent.CompletableFuture;

/** Appends one payload over and over to one system. Used by one thread, until the process ends. */
public interface Appender {

  /** Appends; completes, on any thread, when the system has acknowledged it. */
  CompletableFuture<?> start() throws Exception;

  /** Appends, and waits until the system has acknowledged it. */
  default void await() throws Exception {
    start().get();
  }

  /** Lets go of what was appended, where the system would be slowed down by it. Not measured. */
  default void rest() throws Exception {}

  /** Makes appenders. */
  @FunctionalInterface
  interface Opener {

    /**
     * Makes one.
     *
     * @param payload what each entry carries
     * @param isLone whether one append at a time will be made, or many
     */
    Appender open(byte[] payload, boolean isLone) throws Exception;
  }
}
