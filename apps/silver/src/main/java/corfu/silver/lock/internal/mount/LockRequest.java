package corfu.silver.lock.internal.mount;

import corfu.fuse.Done;
import corfu.fuse.Result;
import corfu.silver.lock.internal.command.LockOperation;
import corfu.silver.lock.internal.machine.FileOwner;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A request of an owner, and the future of its outcome.
 *
 * <p>Nobody but the mount decides the outcome. If another party completes or cancels this future,
 * the request is given up, as by a signal: it ends a little later, when the log says whether the
 * owner got the lock before. So a request that ends with EINTR never gets its lock. Thread-safe.
 */
public final class LockRequest extends CompletableFuture<Result<Done>> {

  private final FileOwner owner;
  private final LockOperation operation;
  private final long number;
  private final Consumer<LockRequest> signal;
  private boolean isGivenUp; // guarded by the mount's lock, as the next one
  private boolean isDecided;

  /**
   * Makes a request.
   *
   * @param owner the owner and the file
   * @param operation the operation
   * @param number the number of the request in its session
   * @param signal receives this request when another party completes it
   */
  LockRequest(FileOwner owner, LockOperation operation, long number, Consumer<LockRequest> signal) {
    this.owner = owner;
    this.operation = operation;
    this.number = number;
    this.signal = signal;
  }

  FileOwner owner() {
    return owner;
  }

  LockOperation operation() {
    return operation;
  }

  long number() {
    return number;
  }

  boolean isGivenUp() {
    return isGivenUp;
  }

  void giveUp() {
    isGivenUp = true;
  }

  boolean isDecided() {
    return isDecided;
  }

  /** Notes that the outcome is known. Returns whether it was not known before. */
  boolean decide() {
    boolean wasOpen = !isDecided;
    isDecided = true;
    return wasOpen;
  }

  /** Ends the request. */
  void end(Result<Done> outcome) {
    boolean unused = super.complete(outcome);
  }

  /**
   * Gives the request up. It ends later, with EINTR, or with a success if the owner had the lock.
   *
   * @return whether the request had no outcome yet
   */
  @Override
  public boolean complete(Result<Done> ignored) {
    return isGivenUpNow();
  }

  /** Gives the request up, as {@link #complete} does. */
  @Override
  public boolean completeExceptionally(Throwable ignored) {
    return isGivenUpNow();
  }

  /** Gives the request up, as {@link #complete} does. */
  @Override
  public boolean cancel(boolean ignored) {
    return isGivenUpNow();
  }

  private boolean isGivenUpNow() {
    if (isDone()) {
      return false;
    }
    signal.accept(this);
    return true;
  }
}
