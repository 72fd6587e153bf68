package corfu.sim.world;

import corfu.world.Loop;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * A loop whose thread exists only while there are tasks. Like tasks of a real thread, its tasks
 * interleave with everything else in the process, and may wait for the disk.
 */
final class SimLoop implements Loop {

  private final SimWorld world;
  private final String name;
  private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();
  private Optional<Thread> thread = Optional.empty();
  private CompletableFuture<Void> idle = CompletableFuture.completedFuture(null);
  private boolean closed;

  SimLoop(SimWorld world, String name) {
    this.world = world;
    this.name = name;
  }

  @Override
  public void execute(Runnable task) {
    if (closed) {
      return;
    }
    tasks.add(task);
    if (idle.isDone()) {
      idle = new CompletableFuture<>();
      world.start(name, this::run);
    }
  }

  private void run() {
    thread = Optional.of(Thread.currentThread());
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      world.life().guard("loop " + name, task);
      if (world.chance().oneIn(8)) {
        yieldToOthers();
      }
    }
    thread = Optional.empty();
    idle.complete(null);
  }

  private void yieldToOthers() {
    CompletableFuture<Void> turn = new CompletableFuture<>();
    world.life().soon(() -> turn.complete(null));
    turn.join();
  }

  @Override
  public boolean isInside() {
    return thread.isPresent() && thread.get() == Thread.currentThread();
  }

  @Override
  public void close() {
    closed = true;
    if (!isInside()) {
      idle.join();
    }
  }
}
