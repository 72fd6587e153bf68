package corfu.objects.host;

import corfu.world.World;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replies on their way to the server's loop. Those of calls that are carried out in a row are given
 * together: one by one each would wake the loop, which would write it to its caller alone, who
 * would wake for it. Thread-safe.
 */
final class Outbox {

  private static final Logger LOG = LoggerFactory.getLogger(Outbox.class);

  /** A row of quick calls gets through dozens meanwhile; beside a slow one it is nothing. */
  private static final long OLD_NANOS = 50_000;

  private final World world;
  private final Executor loop;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Runnable> held = new ArrayList<>();
  private long since;

  Outbox(World world, Executor loop) {
    this.world = world;
    this.loop = loop;
  }

  /** It is given with the next {@link #send}. */
  void hold(Runnable reply) {
    lock.lock();
    try {
      if (held.isEmpty()) {
        since = world.nanoTime();
      }
      held.add(reply);
    } finally {
      lock.unlock();
    }
  }

  /** To be called before something that may take its time, as every call may. */
  void sendBefore(CallQueue.Work next) {
    if (!next.isQuick || isOld(next.since)) {
      send();
    }
  }

  private boolean isOld(long now) {
    lock.lock();
    try {
      return !held.isEmpty() && now - since >= OLD_NANOS;
    } finally {
      lock.unlock();
    }
  }

  /** Gives all that is held. */
  void send() {
    List<Runnable> taken;
    lock.lock();
    try {
      if (held.isEmpty()) {
        return;
      }
      taken = held;
      held = new ArrayList<>();
    } finally {
      lock.unlock();
    }
    loop.execute(() -> taken.forEach(Outbox::give));
  }

  private static void give(Runnable reply) {
    try {
      reply.run();
    } catch (RuntimeException failure) {
      LOG.warn("a reply could not be given", failure);
    }
  }
}
