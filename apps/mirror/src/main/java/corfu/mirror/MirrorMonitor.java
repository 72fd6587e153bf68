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
 * Looks now and then whether the mirror still is one. Who has nothing to write to it, or waits for
 * a source that is silent, would not be told otherwise: only requests of an old epoch are. For one
 * thread.
 */
final class MirrorMonitor {

  private static final Duration EVERY = Duration.ofMillis(200);

  private final Corfu target;
  private final World world;
  private final Epoch since;
  private CompletableFuture<Address> asked = CompletableFuture.completedFuture(new Address(0));
  private long askedAtNanos;

  /**
   * @param since an epoch in which the target was a mirror; what was before says nothing
   */
  MirrorMonitor(Corfu target, World world, Epoch since) {
    this.target = target;
    this.world = world;
    this.since = since;
    this.askedAtNanos = world.nanoTime() - EVERY.toNanos();
  }

  /**
   * What the target is, if it is not what it was taken for; as far as is known without waiting.
   *
   * @param origin what it was taken for; from where on it is complete does not matter
   */
  Optional<Layout> other(Origin origin) {
    if (asked.isDone() && world.nanoTime() - askedAtNanos >= EVERY.toNanos()) {
      askedAtNanos = world.nanoTime();
      asked = target.log().tailAsync(); // whoever is of another epoch is told so
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
   * Has something done on a thread of its own, which waits for the source perhaps, and looks
   * meanwhile.
   *
   * @param refusal what is thrown when the target has become something else; nobody waits for the
   *     task any more then
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
