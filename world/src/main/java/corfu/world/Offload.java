package corfu.world;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Moves blocking disk work away from its owner's thread. Runs one piece of work after another, and
 * reports back on the owner's thread.
 */
public interface Offload {

  /** Runs {@code work}, then passes its exception to the owner, or empty if it threw none. */
  void run(Runnable work, Consumer<Optional<Throwable>> then);

  /**
   * Returns an offload that runs work at once on the owner's own thread, for tests and for work
   * without a disk.
   */
  static Offload inline() {
    return (work, then) -> then.accept(attempt(work));
  }

  /**
   * Returns an offload that runs work on the worker's thread, and reports on the owner's thread.
   */
  static Offload to(Loop worker, Executor owner) {
    return (work, then) ->
        worker.execute(
            () -> {
              Optional<Throwable> failure = attempt(work);
              owner.execute(() -> then.accept(failure));
            });
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
