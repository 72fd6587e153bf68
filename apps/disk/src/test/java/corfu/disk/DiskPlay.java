package corfu.disk;

import corfu.disk.DiskModel.Write;
import corfu.disk.internal.device.DiskHandle;
import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.objects.ObjectException;
import corfu.runtime.CorfuException;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Servers of one disk, each a process with a few connections. They write, flush, read, and take the
 * disk over from each other; they are killed and paused at any moment. Every block that is read is
 * checked against the {@link DiskModel}, and so is the whole disk in the end.
 */
final class DiskPlay implements ApplicationRun {

  private static final String NAME = "disk";
  private static final int BLOCKS = 8;
  private static final int BLOCK = 512;
  private static final long THINK_NANOS_MAX = 300_000_000L;

  /** A bug of a server, which the checks must report. */
  enum Bug {
    NONE,
    /** A flush is acknowledged although it was not done. */
    FLUSH_LIES,
    /** A read returns a block that was read before. */
    STALE_READ
  }

  private final ApplicationContext stage;
  private final Bug bug;
  private final DiskModel model = new DiskModel();

  private DiskPlay(ApplicationContext stage, Bug bug) {
    this.stage = stage;
    this.bug = bug;
  }

  static Application application(Bug bug) {
    return stage -> new DiskPlay(stage, bug);
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    DiskOptions options =
        DiskOptions.DEFAULT
            .withEntryBytes(64 << 10)
            .withReclaimBytes(1 + chance.nextInt(20_000))
            .withEntriesInFlight(1 + chance.nextInt(4))
            .withOutage(Duration.ofSeconds(5), Duration.ofMillis(300))
            .withLookEvery(Duration.ofSeconds(1))
            .withIdleTime(Duration.ofMillis(1 + chance.nextInt(500)));
    DiskAccess access = chance.nextInt(3) == 0 ? DiskAccess.WRITE : DiskAccess.TAKE_OVER;
    DiskExports exports = DiskExports.over(process.corfu(), options, access);
    Disks disks = Disks.over(process.corfu(), options);
    return seat -> new Client(seat, exports, disks).run();
  }

  /** One connection. */
  private final class Client {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final DiskExports exports;
    private final Disks disks;
    private Optional<BlockDevice> device = Optional.empty();
    private long epoch;
    private Optional<ByteBuffer> seen = Optional.empty();

    Client(ApplicationClient seat, DiskExports exports, Disks disks) {
      this.seat = seat;
      this.chance = seat.chance();
      this.exports = exports;
      this.disks = disks;
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          doSomething();
        } catch (CompletionException failed) {
          if (failed.getCause() instanceof BlockDeviceException refused) {
            stage.count("disk, " + refused.reason());
            leave();
          } else {
            stage.unexpected(seat.name(), failed);
          }
        } catch (CorfuException | ObjectException failed) {
          stage.count("disks, failed");
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        pause();
      }
      leave();
    }

    private void pause() {
      long most = chance.nextLong(1, THINK_NANOS_MAX);
      seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
    }

    private void leave() {
      device.ifPresent(BlockDevice::close);
      device = Optional.empty();
    }

    private void doSomething() {
      if (device.isEmpty()) {
        open();
        return;
      }
      BlockDevice disk = device.get();
      switch (chance.nextInt(12)) {
        case 0, 1, 2, 3 -> write(disk, false);
        case 4 -> write(disk, true);
        case 5, 6 -> flush(disk);
        case 7 -> trim(disk);
        case 8 -> {
          if (chance.nextInt(3) == 0) {
            leave();
            stage.count("leave");
          }
        }
        default -> read(disk);
      }
    }

    private void open() {
      switch (disks.create(NAME, (long) BLOCKS * BLOCK, BLOCK)) {
        case DiskOutcome.Done<DiskStatus> created -> stage.count("create");
        case DiskOutcome.Refused<DiskStatus> there -> {}
      }
      BlockDevice opened = exports.open(NAME).join();
      device = Optional.of(opened);
      epoch = ((DiskHandle) opened).epoch();
      model.opened(epoch, stage.now());
      stage.count("open");
      if (chance.nextBoolean()) {
        read(opened);
      }
    }

    private void write(BlockDevice disk, boolean isForced) {
      List<CompletableFuture<Void>> all = new ArrayList<>();
      int count = 1 + chance.nextInt(4);
      for (int i = 0; i < count; i++) {
        int first = chance.nextInt(BLOCKS);
        int blocks = 1 + chance.nextInt(Math.min(3, BLOCKS - first));
        long value = stage.newValue();
        List<Write> writes = begin(first, blocks, value);
        all.add(
            disk.write((long) first * BLOCK, filled(blocks, value), isForced)
                .thenRun(() -> writes.forEach(write -> acknowledge(write, isForced))));
      }
      all.forEach(CompletableFuture::join);
      stage.count(isForced ? "forced write" : "write");
    }

    private List<Write> begin(int first, int blocks, long value) {
      List<Write> writes = new ArrayList<>();
      for (int block = first; block < first + blocks; block++) {
        writes.add(model.begin(epoch, block, value, stage.now()));
      }
      return writes;
    }

    private void acknowledge(Write write, boolean isForced) {
      if (isForced) {
        model.isDurable(write, stage.now());
      } else {
        model.acknowledge(write, stage.now());
      }
    }

    private void trim(BlockDevice disk) {
      int block = chance.nextInt(BLOCKS);
      List<Write> writes = begin(block, 1, DiskModel.ZEROS);
      disk.trim((long) block * BLOCK, BLOCK, false).join();
      writes.forEach(write -> acknowledge(write, false));
      stage.count("trim");
    }

    private void flush(BlockDevice disk) {
      long begun = stage.now();
      if (bug != Bug.FLUSH_LIES) {
        disk.flush().join();
      }
      model.flushed(epoch, begun, stage.now());
      stage.count("flush");
    }

    private void read(BlockDevice disk) {
      long begun = stage.now();
      ByteBuffer all = disk.read(0, BLOCKS * BLOCK).join();
      if (bug == Bug.STALE_READ) {
        all = seen.orElse(all);
        seen = Optional.of(all);
      }
      look(all, epoch, begun);
      stage.count("read");
    }
  }

  private static ByteBuffer filled(int blocks, long value) {
    ByteBuffer data = ByteBuffer.allocate(blocks * BLOCK);
    while (data.hasRemaining()) {
      data.putLong(value);
    }
    return data.flip();
  }

  private void look(ByteBuffer all, long epoch, long begun) {
    for (int block = 0; block < BLOCKS; block++) {
      int at = all.position() + block * BLOCK;
      long value = all.getLong(at);
      for (int i = 0; i < BLOCK; i += Long.BYTES) {
        if (all.getLong(at + i) != value) {
          stage.broken("Disk", "block %d is torn".formatted(block));
        }
      }
      int which = block;
      model
          .check(block, value, epoch, begun, stage.now())
          .ifPresent(
              problem ->
                  stage.broken(
                      "Disk",
                      "block %d has %d in epoch %d, but %s"
                          .formatted(which, value, epoch, problem)));
    }
  }

  @Override
  public void audit(ApplicationClient auditor) {
    DiskExports exports =
        DiskExports.over(auditor.corfu(), DiskOptions.DEFAULT, DiskAccess.TAKE_OVER);
    if (Disks.over(auditor.corfu()).list().isEmpty()) {
      return;
    }
    try (exports;
        BlockDevice device = exports.open(NAME).join()) {
      long begun = stage.now();
      ByteBuffer all = device.read(0, BLOCKS * BLOCK).join();
      look(all, ((DiskHandle) device).epoch(), begun);
    }
  }

  @Override
  public void check() {} // each read was checked
}
