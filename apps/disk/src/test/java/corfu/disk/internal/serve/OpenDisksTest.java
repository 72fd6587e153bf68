package corfu.disk.internal.serve;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.bytes.ArrayWriter;
import corfu.bytes.RangeChange;
import corfu.bytes.SpaceReclaimer;
import corfu.disk.DiskAccess;
import corfu.disk.DiskEvent;
import corfu.disk.DiskOptions;
import corfu.disk.DiskTarget;
import corfu.disk.IfInUse;
import corfu.disk.internal.cache.BlockCache;
import corfu.disk.internal.cache.DiskBlocks;
import corfu.disk.internal.catalogue.DiskCatalogue;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.ArrayLog;
import corfu.disk.internal.device.OwnerText;
import corfu.disk.internal.device.SharedDisk;
import corfu.nbd.BlockDevice;
import corfu.node.EmbeddedCluster;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.world.Loop;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Disks that are closed while they are being opened. */
class OpenDisksTest {

  private static final int BLOCK = 4_096;
  private static final DiskOptions OPTIONS = DiskOptions.DEFAULT.withReclaimBytes(1);

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().nodes(1).replicas(1).start();
  private final Corfu corfu = cluster.connect();
  private final World world = corfu.streamAccess().world();
  private final DiskCatalogue catalogue = new DiskCatalogue(corfu);
  private final DiskArrays arrays = new DiskArrays(corfu, OPTIONS, OwnerText.here());
  private final DiskRecord disk =
      catalogue
          .create("disk", 1 << 20, BLOCK, new DiskEvent(0, DiskEvent.Kind.CREATED, 0, "", ""))
          .value();

  @AfterEach
  void stop() {
    corfu.close();
    cluster.close();
  }

  /** A world that calls a hook before it starts a thread. */
  private record HookedWorld(World real, Consumer<String> beforeStart) implements World {

    @Override
    public long nanoTime() {
      return real.nanoTime();
    }

    @Override
    public long wallTimeMillis() {
      return real.wallTimeMillis();
    }

    @Override
    public Timer after(long delayNanos, Runnable task) {
      return real.after(delayNanos, task);
    }

    @Override
    public RandomGenerator random() {
      return real.random();
    }

    @Override
    public Thread start(String name, Runnable body) {
      beforeStart.accept(name);
      return real.start(name, body);
    }

    @Override
    public void work(String name, Runnable body) {
      real.work(name, body);
    }

    @Override
    public Loop loop(String name) {
      return real.loop(name);
    }
  }

  /** Opens the disk, and reads its first block. Then waits until the server has given it back. */
  private byte firstByte(OpenDisks server) {
    byte first;
    try (BlockDevice device = server.open(DiskTarget.of("disk"))) {
      first = device.read(0, BLOCK).join().get(0);
    }
    eventually(() -> assertThat(arrays.owner(disk)).isEmpty());
    return first;
  }

  private void change(OpenDisks server, int value) {
    byte[] bytes = new byte[BLOCK];
    Arrays.fill(bytes, (byte) value);
    try (BlockDevice device = server.open(DiskTarget.of("disk"))) {
      device.write(0, ByteBuffer.wrap(bytes), true).join();
    }
    eventually(() -> assertThat(arrays.owner(disk)).isEmpty());
  }

  @Test
  void blocksStayInMemoryWhileNobodyUsesADiskUnlessItChanges() {
    var reads = new AtomicInteger();
    Consumer<String> count =
        name -> {
          if (name.equals("disk-read")) {
            reads.incrementAndGet();
          }
        };
    DiskOptions options = OPTIONS.withIdleTime(Duration.ofMillis(20));
    try (var server =
            new OpenDisks(
                new HookedWorld(world, count), options, catalogue, arrays, DiskAccess.WRITE);
        var other = new OpenDisks(world, options, catalogue, arrays, DiskAccess.WRITE)) {
      change(server, 7);
      assertThat(firstByte(server)).isEqualTo((byte) 7);
      assertThat(firstByte(server)).isEqualTo((byte) 7);
      assertThat(reads).hasValue(1);

      assertThat(firstByte(other)).isEqualTo((byte) 7);
      assertThat(firstByte(server)).isEqualTo((byte) 7);
      assertThat(reads).as("another server has only read it").hasValue(1);

      change(other, 8);
      assertThat(firstByte(server)).isEqualTo((byte) 8);
      assertThat(reads).hasValue(2);
    }
  }

  @Test
  void theDisksWhoseBlocksStayHaveABound() {
    var cache = new BlockCache(1 << 20);
    var kept = new KeptBlocks(cache);
    if (!(arrays.acquire(disk, IfInUse.REFUSE) instanceof DiskArrays.Acquired.Writing writing)) {
      throw new AssertionError("the disk has a writer");
    }
    DiskBlocks first = cache.open();
    DiskBlocks last = cache.open();
    kept.keep(new StreamId(1, 1), first, writing.writer());
    for (int i = 2; i <= KeptBlocks.MOST_DISKS; i++) {
      kept.keep(new StreamId(1, i), cache.open(), writing.writer());
    }
    kept.keep(new StreamId(2, 1), last, writing.writer());

    assertThat(kept.take(new StreamId(1, 1), writing.writer())).isNotSameAs(first);
    assertThat(kept.take(new StreamId(2, 1), writing.writer())).isSameAs(last);
  }

  @Test
  void aServerThatStopsGivesBackADiskThatIsBeingOpened() {
    var server = new CompletableFuture<OpenDisks>();
    var closing = new CompletableFuture<Thread>();
    Consumer<String> stopWithinOpen =
        name -> {
          if (name.equals("disk-space")) {
            Thread closer = world.start("closer", () -> server.join().close());
            // It has ended, or waits until the disk is open.
            eventually(
                () ->
                    assertThat(closer.getState())
                        .isIn(Thread.State.TERMINATED, Thread.State.WAITING));
            closing.complete(closer);
          }
        };
    server.complete(
        new OpenDisks(
            new HookedWorld(world, stopWithinOpen), OPTIONS, catalogue, arrays, DiskAccess.WRITE));
    try (BlockDevice device = server.join().open(DiskTarget.of("disk"))) {
      assertThat(device.info().sizeBytes()).isEqualTo(1 << 20);
    }

    eventually(() -> assertThat(closing.join().isAlive()).isFalse());
    assertThat(arrays.owner(disk)).isEmpty();
  }

  @Test
  void aReclaimerThatComesTooLateReclaimsNothing() {
    DiskArrays.Acquired acquired = arrays.acquire(disk, IfInUse.REFUSE);
    ArrayWriter writer = ((DiskArrays.Acquired.Writing) acquired).writer();
    var facts = new CatalogueFacts(arrays, disk, Optional.empty());
    var shared =
        new SharedDisk(
            world, new ArrayLog(world, writer), OPTIONS, facts, new BlockCache(0).open());
    var served = new ServedDisk(world, 1, facts, shared, () -> {}, idle -> {});
    SpaceReclaimer late = arrays.reclaimer(disk, writer, before -> List.of());
    served.stopReclaiming();
    served.isReclaimedBy(late);
    for (int i = 0; i < 20; i++) {
      var write = new RangeChange.Write(0, ByteBuffer.allocate(BLOCK));
      var unused = writer.append(List.of(write), ByteBuffer.allocate(0)).join();
    }

    assertThat(late.step()).as("whether it has reclaimed anything").isFalse();
    writer.release();
  }
}
