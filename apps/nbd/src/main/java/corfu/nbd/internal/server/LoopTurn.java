package corfu.nbd.internal.server;

import corfu.nbd.internal.session.DeviceCalls;
import io.netty.channel.EventLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * One thread of a server. Results of devices that other threads bring are handed over together: one
 * wake-up for all that arrive before the thread has got to them. All replies of a turn leave by one
 * system call for each connection.
 */
final class LoopTurn implements DeviceCalls {

  private final EventLoop loop;
  private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
  private final AtomicBoolean isScheduled = new AtomicBoolean();

  /** Connections with bytes to send; of the loop. */
  private final List<Runnable> flushes = new ArrayList<>();

  LoopTurn(EventLoop loop) {
    this.loop = loop;
  }

  EventLoop loop() {
    return loop;
  }

  @Override
  public <T extends @Nullable Object> void deliver(
      CompletableFuture<T> future, Receiver<T> receiver) {
    if (future.isDone() && loop.inEventLoop()) {
      switch (future.state()) {
        case SUCCESS -> receiver.receive(future.resultNow(), null);
        case FAILED -> receiver.receive(null, future.exceptionNow());
        case CANCELLED, RUNNING -> receiver.receive(null, new CancellationException());
      }
    } else {
      var unused =
          future.whenComplete((value, failure) -> run(() -> receiver.receive(value, failure)));
    }
  }

  @Override
  public void run(Runnable task) {
    tasks.add(task);
    if (isScheduled.compareAndSet(false, true)) {
      try {
        loop.execute(this::runTasks);
      } catch (RejectedExecutionException ended) {
        runTasks(); // the loop has ended; devices are still to be given back
      }
    }
  }

  private synchronized void runTasks() {
    isScheduled.set(false); // a task that is added from now on may need another turn
    for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
      task.run();
    }
    flush();
  }

  /** Calls a connection at the end of the turn. */
  void flushLater(Runnable flush) {
    flushes.add(flush);
  }

  /** Ends a turn. */
  void flush() {
    for (int i = 0; i < flushes.size(); i++) {
      flushes.get(i).run();
    }
    flushes.clear();
  }
}
