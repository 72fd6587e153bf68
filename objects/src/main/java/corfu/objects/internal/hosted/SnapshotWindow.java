package corfu.objects.internal.hosted;

import corfu.objects.internal.state.Pins;
import corfu.world.World;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Keeps states as old as the snapshots that clients of a host have asked for lately, so that their
 * transactions find them again. Thread-safe.
 */
final class SnapshotWindow {

  /** A transaction whose reads are further apart may find its snapshot gone, and be played anew. */
  private static final Duration KEPT = Duration.ofSeconds(2);

  /** One that is a little older stands for all that come so soon after it. */
  private static final Duration SHARED = Duration.ofMillis(50);

  private final World world;
  private final Pins pins;
  private final ReentrantLock lock = new ReentrantLock();
  private final ArrayDeque<Pinned> pinned = new ArrayDeque<>();

  private record Pinned(long since, long snapshot) {}

  SnapshotWindow(World world, Pins pins) {
    this.world = world;
    this.pins = pins;
  }

  /** Somebody reads the state of this snapshot. */
  void wants(long snapshot) {
    lock.lock();
    try {
      dropOld();
      Pinned last = pinned.peekLast();
      boolean isShared =
          last != null
              && last.snapshot <= snapshot
              && world.nanoTime() - last.since < SHARED.toNanos();
      if (!isShared) {
        pinned.addLast(new Pinned(world.nanoTime(), snapshot));
        pins.add(snapshot);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Nobody has asked for what is older than this window for a while. */
  void expire() {
    lock.lock();
    try {
      dropOld();
    } finally {
      lock.unlock();
    }
  }

  private void dropOld() {
    long now = world.nanoTime();
    while (!pinned.isEmpty() && now - pinned.getFirst().since > KEPT.toNanos()) {
      pins.remove(pinned.removeFirst().snapshot);
    }
  }
}
