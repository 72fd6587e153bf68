package corfu.world;

import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Consumer;

/**
 * Takes blocking disk work off its owner's thread, does one piece after another, and reports back
 * on the owner's thread.
 */
public interface Offload {

  /** Does {@code work}, then tells the owner what it threw, if anything. */
  void run(Runnable work, Consumer<Optional<Throwable>> then);

  /** Work happens at once on the owner's own thread; for tests and for what needs no disk. */
  static Offload inline() {
    return (work, then) -> then.accept(attempt(work));
  }

  /** Work happens on the worker's thread, its outcome goes to the owner's. */
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
