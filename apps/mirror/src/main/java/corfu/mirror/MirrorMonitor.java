package corfu.mirror;

import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.layout.Layout;
import corfu.protocol.layout.Origin;
import corfu.runtime.Corfu;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;

/**
 * Checks from time to time whether the target still is a mirror. A run that copies nothing at the
 * moment, or waits for a silent source, would not notice a promotion otherwise: only requests of an
 * old epoch are refused. For one thread.
 */
final class MirrorMonitor {

  private static final Duration EVERY = Duration.ofMillis(200);

  private final Corfu target;
  private final World world;
  private final Epoch since;
  private CompletableFuture<Address> asked = CompletableFuture.completedFuture(new Address(0));
  private long askedAtNanos;

  /**
   * @param since an epoch in which the target was a mirror; earlier layouts are ignored
   */
  MirrorMonitor(Corfu target, World world, Epoch since) {
    this.target = target;
    this.world = world;
    this.since = since;
    this.askedAtNanos = world.nanoTime() - EVERY.toNanos();
  }

  /**
   * Returns the target's layout if it is no longer a mirror of this origin. Does not wait.
   *
   * @param origin the expected origin; the address from which on it is complete does not matter
   */
  Optional<Layout> other(Origin origin) {
    if (asked.isDone() && world.nanoTime() - askedAtNanos >= EVERY.toNanos()) {
      askedAtNanos = world.nanoTime();
      asked = target.log().tailAsync(); // a request of an old epoch fetches the new layout
    }
    Layout known = target.layout();
    if (known.epoch().compareTo(since) < 0) {
      return Optional.empty();
    }
    boolean isThat =
        known
            .origin()
            .filter(its -> its.source().equals(origin.source()))
            .filter(its -> its.streams().equals(origin.streams()))
            .isPresent();
    return isThat ? Optional.empty() : Optional.of(known);
  }

  /**
   * Runs a task on its own thread, and checks the target while the task waits for the source.
   *
   * @param refusal the exception if the target is no longer the mirror; the task is abandoned then
   */
  <T> T meanwhile(Supplier<T> task, Supplier<Optional<? extends RuntimeException>> refusal) {
    CompletableFuture<T> done = new CompletableFuture<>();
    var unused =
        world.start(
            "corfu-mirror",
            () -> {
              try {
                done.complete(task.get());
              } catch (RuntimeException | Error failure) {
                done.completeExceptionally(failure);
              }
            });
    while (!isDoneSoon(done)) {
      Optional<? extends RuntimeException> why = refusal.get();
      if (why.isPresent()) {
        throw why.get();
      }
    }
    try {
      return done.join();
    } catch (CompletionException failed) {
      if (failed.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw failed;
    }
  }

  private boolean isDoneSoon(CompletableFuture<?> done) {
    CompletableFuture<Void> either = new CompletableFuture<>();
    World.Timer timer = world.after(EVERY.toNanos(), () -> either.complete(null));
    var unused = done.whenComplete((result, failure) -> either.complete(null));
    either.join();
    timer.cancel();
    return done.isDone();
  }
}
