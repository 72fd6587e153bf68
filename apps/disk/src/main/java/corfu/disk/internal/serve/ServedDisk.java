package corfu.disk.internal.serve;

import corfu.bytes.SpaceReclaimer;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.DiskHandle;
import corfu.disk.internal.device.SharedDisk;
import corfu.world.World;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A disk that this server writes, and the connections that use it. Thread-safe. */
final class ServedDisk implements DiskHandle.Uses {

  private final World world;
  private final long idleNanos;
  private final CatalogueFacts facts;
  private final SharedDisk disk;
  private final Runnable keepBlocks;
  private final Consumer<ServedDisk> whenIdle;

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<DiskHandle, List<LongConsumer>> handles = new HashMap<>();
  private Optional<World.Timer> idle = Optional.empty();
  private Optional<SpaceReclaimer> reclaimer = Optional.empty();
  private boolean isReclaimingOver;
  private boolean isClosing;

  /**
   * @param idleNanos the time after which a disk that no connection uses is idle
   * @param keepBlocks keeps the disk's blocks in memory for the next time
   * @param whenIdle receives the disk when it is idle, on a thread of its own
   */
  ServedDisk(
      World world,
      long idleNanos,
      CatalogueFacts facts,
      SharedDisk disk,
      Runnable keepBlocks,
      Consumer<ServedDisk> whenIdle) {
    this.world = world;
    this.idleNanos = idleNanos;
    this.facts = facts;
    this.disk = disk;
    this.keepBlocks = keepBlocks;
    this.whenIdle = whenIdle;
  }

  /** Keeps the disk's blocks in memory, all of whose changes are in the log. */
  void keepBlocks() {
    keepBlocks.run();
  }

  DiskRecord record() {
    return facts.disk();
  }

  SharedDisk disk() {
    return disk;
  }

  /** Returns a device for one more connection, or empty if the disk is closing. */
  Optional<DiskHandle> open() {
    lock.lock();
    try {
      if (isClosing || disk.ended().isPresent()) {
        return Optional.empty();
      }
      idle.ifPresent(World.Timer::cancel);
      idle = Optional.empty();
      DiskHandle handle = new DiskHandle(disk, this);
      handles.put(handle, new ArrayList<>());
      return Optional.of(handle);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void onResize(DiskHandle handle, LongConsumer receiver) {
    lock.lock();
    try {
      handles.computeIfPresent(
          handle,
          (one, receivers) -> {
            receivers.add(receiver);
            return receivers;
          });
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void hasClosed(DiskHandle handle) {
    lock.lock();
    try {
      handles.remove(handle);
      if (handles.isEmpty() && !isClosing && idle.isEmpty()) {
        idle = Optional.of(world.after(idleNanos, this::isIdle));
      }
    } finally {
      lock.unlock();
    }
  }

  private void isIdle() {
    lock.lock();
    try {
      idle = Optional.empty();
      if (!handles.isEmpty() || isClosing) {
        return;
      }
      isClosing = true;
    } finally {
      lock.unlock();
    }
    var unused = world.start("disk-release", () -> whenIdle.accept(this));
  }

  /** Refuses further connections; returns whether this call was the first. */
  boolean close() {
    lock.lock();
    try {
      boolean isFirst = !isClosing;
      isClosing = true;
      idle.ifPresent(World.Timer::cancel);
      idle = Optional.empty();
      return isFirst;
    } finally {
      lock.unlock();
    }
  }

  /** Records the reclaimer of the disk's space; closes it if reclaiming has been stopped. */
  void isReclaimedBy(SpaceReclaimer started) {
    lock.lock();
    try {
      if (isReclaimingOver) {
        started.close();
      } else {
        reclaimer = Optional.of(started);
      }
    } finally {
      lock.unlock();
    }
  }

  /** Stops reclaiming space, for good. */
  void stopReclaiming() {
    lock.lock();
    try {
      isReclaimingOver = true;
      reclaimer.ifPresent(SpaceReclaimer::close);
    } finally {
      lock.unlock();
    }
  }

  /** Accepts connections again; tries later to become idle. */
  void staysOpen() {
    lock.lock();
    try {
      isClosing = false;
      idle = Optional.of(world.after(idleNanos, this::isIdle));
    } finally {
      lock.unlock();
    }
  }

  /** Takes what the catalogue has now, and tells connections of another size. */
  void update(DiskRecord newer) {
    long before = facts.sizeBytes();
    facts.update(newer);
    if (newer.sizeBytes() != before) {
      receivers().forEach(receiver -> receiver.accept(newer.sizeBytes()));
    }
  }

  private List<LongConsumer> receivers() {
    lock.lock();
    try {
      return handles.values().stream().flatMap(List::stream).toList();
    } finally {
      lock.unlock();
    }
  }
}
