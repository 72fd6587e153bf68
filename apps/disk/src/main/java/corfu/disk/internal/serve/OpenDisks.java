package corfu.disk.internal.serve;

import corfu.bytes.ArrayWriter;
import corfu.bytes.SpaceReclaimer;
import corfu.disk.DiskAccess;
import corfu.disk.DiskEvent;
import corfu.disk.DiskEvent.Kind;
import corfu.disk.DiskOptions;
import corfu.disk.DiskOutcome;
import corfu.disk.DiskTarget;
import corfu.disk.internal.cache.BlockCache;
import corfu.disk.internal.cache.DiskBlocks;
import corfu.disk.internal.catalogue.DiskCatalogue;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.ArrayContent;
import corfu.disk.internal.device.ArrayLog;
import corfu.disk.internal.device.DiskDescription;
import corfu.disk.internal.device.PastDevice;
import corfu.disk.internal.device.SharedDisk;
import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.ExportDescription;
import corfu.objects.ObjectException;
import corfu.protocol.StreamId;
import corfu.runtime.CorfuException;
import corfu.world.World;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disks that a server writes now. Calls may block. Thread-safe. */
public final class OpenDisks implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(OpenDisks.class);

  private final World world;
  private final DiskOptions options;
  private final DiskCatalogue catalogue;
  private final DiskArrays arrays;
  private final DiskAccess access;
  private final KeptBlocks blocks;

  private final ReentrantLock lock = new ReentrantLock(); // of the maps alone
  private final Map<StreamId, ServedDisk> served = new HashMap<>();
  private final Map<StreamId, ReentrantLock> opening = new HashMap<>();
  private boolean isClosed;

  public OpenDisks(
      World world,
      DiskOptions options,
      DiskCatalogue catalogue,
      DiskArrays arrays,
      DiskAccess access) {
    this.world = world;
    this.options = options;
    this.catalogue = catalogue;
    this.arrays = arrays;
    this.access = access;
    this.blocks = new KeptBlocks(new BlockCache(options.cacheBytes()));
  }

  // ---------------------------------------------------------------------------------- opening

  /**
   * Describes a disk, or a version of one, by the catalogue alone. Neither its writer nor its
   * entries are asked.
   *
   * @throws BlockDeviceException if there is none
   */
  public ExportDescription describe(DiskTarget target) {
    DiskCatalogue.Found found = find(target);
    return new DiskDescription(
        facts(target, found), target.version().isPresent() || access == DiskAccess.READ_ONLY);
  }

  /**
   * Opens a disk, or a version of one.
   *
   * @throws BlockDeviceException if it is refused
   */
  public BlockDevice open(DiskTarget target) {
    DiskCatalogue.Found found = find(target);
    DiskRecord disk = found.disk();
    if (target.version().isPresent()) {
      return new PastDevice(world, facts(target, found), arrays.at(disk, found.version()));
    }
    return access == DiskAccess.READ_ONLY
        ? new PastDevice(world, facts(target, found), new ArrayContent(arrays.newest(disk)))
        : writable(disk);
  }

  private DiskCatalogue.Found find(DiskTarget target) {
    return switch (catalogue.resolve(target)) {
      case DiskOutcome.Refused<DiskCatalogue.Found>(var reason) ->
          throw new BlockDeviceException(Reason.UNKNOWN_EXPORT, reason.message());
      case DiskOutcome.Done<DiskCatalogue.Found>(var found) -> found;
    };
  }

  private CatalogueFacts facts(DiskTarget target, DiskCatalogue.Found found) {
    return new CatalogueFacts(arrays, found.disk(), target.version().map(named -> found.version()));
  }

  private BlockDevice writable(DiskRecord disk) {
    ReentrantLock one = lockOf(disk.stream());
    one.lock();
    try {
      Optional<ServedDisk> known = find(disk.stream());
      known.ifPresent(open -> open.update(disk)); // so that clients may ask for a new snapshot
      Optional<BlockDevice> device = known.flatMap(ServedDisk::open).map(BlockDevice.class::cast);
      if (device.isPresent()) {
        return device.get();
      }
      known.ifPresent(this::give);
      return begin(disk)
          .open()
          .orElseThrow(
              () ->
                  new BlockDeviceException(
                      Reason.FENCED, "another server has taken over disk " + disk.name()));
    } finally {
      one.unlock();
    }
  }

  /** Two connections open a disk one after the other. */
  private ReentrantLock lockOf(StreamId stream) {
    lock.lock();
    try {
      if (isClosed) {
        throw new BlockDeviceException(Reason.SHUTTING_DOWN, "the server of disks stops");
      }
      return opening.computeIfAbsent(stream, unused -> new ReentrantLock());
    } finally {
      lock.unlock();
    }
  }

  private Optional<ServedDisk> find(StreamId stream) {
    lock.lock();
    try {
      return Optional.ofNullable(served.get(stream));
    } finally {
      lock.unlock();
    }
  }

  private ServedDisk begin(DiskRecord disk) {
    return switch (arrays.acquire(disk, access.ifInUse())) {
      case DiskArrays.Acquired.InUse(String owner) ->
          throw new BlockDeviceException(
              Reason.NOT_PERMITTED,
              "%s serves disk %s; stop it, or start this server with --takeover"
                  .formatted(owner, disk.name()));
      case DiskArrays.Acquired.Writing(var writer, Optional<String> before) -> {
        CatalogueFacts facts = new CatalogueFacts(arrays, disk, Optional.empty());
        DiskBlocks known = blocks.take(disk.stream(), writer);
        SharedDisk shared =
            new SharedDisk(world, new ArrayLog(world, writer), options, facts, known);
        ServedDisk made =
            new ServedDisk(
                world,
                options.idleTime().toNanos(),
                facts,
                shared,
                () -> blocks.keep(disk.stream(), known, writer),
                idle -> release(idle));
        var unused = world.start("disk-space", () -> reclaim(made, writer));
        lock.lock();
        try {
          served.put(disk.stream(), made);
        } finally {
          lock.unlock();
        }
        record(
            disk,
            before.isPresent() ? Kind.TAKEN_OVER : Kind.OPENED,
            before.map(owner -> "from " + owner).orElse(""));
        lookLater(made);
        yield made;
      }
    };
  }

  /** Frees the space of overwritten data until the disk is closed. */
  private void reclaim(ServedDisk disk, ArrayWriter writer) {
    DiskRecord record = disk.record();
    try {
      SpaceReclaimer reclaimer =
          arrays.reclaimer(record, writer, before -> catalogue.giveUpBefore(record, before));
      disk.isReclaimedBy(reclaimer);
      reclaimer.start();
    } catch (CorfuException later) {
      LOG.warn(
          "The space of disk {} is not reclaimed until it is opened again: {}",
          record.name(),
          later.getMessage());
    }
  }

  private void record(DiskRecord disk, Kind kind, String detail) {
    try {
      catalogue.add(
          disk.stream(),
          new DiskEvent(
              world.wallTimeMillis(), kind, catalogue.newest().value(), arrays.self(), detail));
    } catch (CorfuException | ObjectException later) {
      LOG.warn("The history of disk {} lacks an event: {}", disk.name(), later.getMessage());
    }
  }

  // ---------------------------------------------------------------------------------- looking

  private void lookLater(ServedDisk disk) {
    var unused =
        world.after(
            options.lookEvery().toNanos(), () -> world.start("disk-look", () -> look(disk)));
  }

  /** Looks at the catalogue, until the disk is closed. */
  private void look(ServedDisk disk) {
    if (find(disk.record().stream()).filter(disk::equals).isEmpty()) {
      return;
    }
    try {
      catalogue
          .find(disk.record().name())
          .filter(now -> now.stream().equals(disk.record().stream()))
          .ifPresentOrElse(disk::update, () -> isDeleted(disk));
    } catch (CorfuException | ObjectException later) {
      LOG.debug("The catalogue of disks does not answer", later);
    }
    lookLater(disk);
  }

  private void isDeleted(ServedDisk disk) {
    LOG.info("Disk {} was deleted", disk.record().name());
    disk.disk()
        .end(
            new BlockDeviceException(
                Reason.UNKNOWN_EXPORT, "disk %s was deleted".formatted(disk.record().name())));
    disk.stopReclaiming();
    remove(disk);
  }

  // ---------------------------------------------------------------------------------- closing

  /** Flushes a disk that nobody uses any more, and gives it back. */
  private void release(ServedDisk disk) {
    ReentrantLock one;
    try {
      one = lockOf(disk.record().stream());
    } catch (BlockDeviceException closed) {
      return; // the server's end releases all disks
    }
    one.lock();
    try {
      if (disk.disk().ended().isEmpty() && !isFlushed(disk)) {
        disk.staysOpen(); // nothing that was acknowledged is dropped while this server runs
        return;
      }
      give(disk);
    } finally {
      one.unlock();
    }
  }

  private void give(ServedDisk disk) {
    if (find(disk.record().stream()).filter(disk::equals).isEmpty()) {
      return;
    }
    disk.close();
    boolean isMine = disk.disk().ended().isEmpty();
    if (isMine && isFlushed(disk)) {
      disk.keepBlocks();
    } else if (isMine) {
      LOG.error("Disk {} is closed without its last writes", disk.record().name());
    }
    disk.stopReclaiming();
    try {
      disk.disk().release();
      if (isMine) {
        record(disk.record(), Kind.RELEASED, "");
      }
    } catch (RuntimeException failed) {
      LOG.warn("Disk {} was not given back: {}", disk.record().name(), failed.getMessage());
    }
    remove(disk);
  }

  private static boolean isFlushed(ServedDisk disk) {
    try {
      disk.disk().flush().join();
      return true;
    } catch (CompletionException failed) {
      LOG.warn("Disk {} was not flushed: {}", disk.record().name(), failed.getMessage());
      return false;
    }
  }

  private void remove(ServedDisk disk) {
    lock.lock();
    try {
      served.remove(disk.record().stream(), disk);
    } finally {
      lock.unlock();
    }
  }

  /** Makes the writes of a disk durable, if this server writes it. */
  public void flush(StreamId stream) {
    find(stream).ifPresent(disk -> disk.disk().flush().join());
  }

  /** Flushes all disks, and gives them back, also those that are being opened. */
  @Override
  public void close() {
    Map<StreamId, ReentrantLock> all;
    lock.lock();
    try {
      isClosed = true;
      all = Map.copyOf(opening);
    } finally {
      lock.unlock();
    }
    all.forEach(this::giveLast);
  }

  private void giveLast(StreamId stream, ReentrantLock one) {
    one.lock();
    try {
      find(stream).ifPresent(this::give);
    } finally {
      one.unlock();
    }
  }
}
