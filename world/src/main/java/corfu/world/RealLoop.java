package corfu.world;

import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A platform thread with a queue. The queue needs no bound of its own, because each user of the
 * loop has a limited number of requests in flight.
 */
final class RealLoop implements Loop {

  private static final Runnable END = () -> {};

  private final LinkedBlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
  private final ReentrantLock handOver = new ReentrantLock();
  private final Thread thread;
  private boolean closed;

  RealLoop(String name) {
    thread = Thread.ofPlatform().name(name).daemon().start(this::run);
  }

  @Override
  public void execute(Runnable task) {
    handOver.lock();
    try {
      if (!closed) {
        tasks.add(task);
      }
    } finally {
      handOver.unlock();
    }
  }

  @Override
  public boolean isInside() {
    return Thread.currentThread() == thread;
  }

  @Override
  public void close() {
    handOver.lock();
    try {
      if (!closed) {
        closed = true;
        tasks.add(END);
      }
    } finally {
      handOver.unlock();
    }
    if (!isInside()) {
      boolean interrupted = false;
      while (true) {
        try {
          thread.join();
          break;
        } catch (InterruptedException e) {
          interrupted = true;
        }
      }
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private void run() {
    while (true) {
      Runnable task;
      try {
        task = tasks.take();
      } catch (InterruptedException e) {
        continue; // a loop ends by close(), never by an interrupt
      }
      if (task == END) {
        return;
      }
      try {
        task.run();
      } catch (Throwable t) {
        Thread.UncaughtExceptionHandler handler = thread.getUncaughtExceptionHandler();
        handler.uncaughtException(thread, t);
      }
    }
  }
}
