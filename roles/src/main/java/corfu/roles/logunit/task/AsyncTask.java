package corfu.roles.logunit.task;

import corfu.world.Offload;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on another thread, one piece at a time, and returns its outcome to the owner. An owner
 * that closes can wait for it.
 */
public final class AsyncTask {

  private final Offload offload;
  private @Nullable Running running;

  private static final class Running {
    final CompletableFuture<Optional<Throwable>> outcome = new CompletableFuture<>();
    final Consumer<Optional<Throwable>> then;

    Running(Consumer<Optional<Throwable>> then) {
      this.then = then;
    }
  }

  public AsyncTask(Offload offload) {
    this.offload = offload;
  }

  public boolean isRunning() {
    return running != null;
  }

  /** Runs {@code work} on the other thread, then {@code then} on the owner's thread. */
  public void run(Runnable work, Consumer<Optional<Throwable>> then) {
    Running mine = new Running(then);
    running = mine;
    offload.run(() -> mine.outcome.complete(attempt(work)), nothing -> finish(mine));
  }

  /** Runs the work at once, on the owner's own thread. */
  public void runHere(Runnable work, Consumer<Optional<Throwable>> then) {
    then.accept(attempt(work));
  }

  /** Waits for the running work, and finishes it on this thread. */
  public void join() {
    Running last = running;
    if (last != null) {
      last.outcome.join();
      finish(last);
    }
  }

  private void finish(Running finished) {
    if (running == finished) { // otherwise join() was faster
      running = null;
      finished.then.accept(finished.outcome.join());
    }
  }

  private static Optional<Throwable> attempt(Runnable work) {
    try {
      work.run();
      return Optional.empty();
    } catch (RuntimeException | Error failure) {
      return Optional.of(failure);
    }
  }
}
