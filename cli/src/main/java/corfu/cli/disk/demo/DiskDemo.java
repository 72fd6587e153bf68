package corfu.cli.disk.demo;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.disk.DiskAccess;
import corfu.disk.DiskExports;
import corfu.disk.DiskOptions;
import corfu.disk.DiskTarget;
import corfu.disk.Disks;
import corfu.disk.IfInUse;
import corfu.nbd.BlockDevice;
import corfu.nbd.NbdAddress;
import corfu.nbd.NbdServer;
import corfu.nbd.NbdServerOptions;
import corfu.node.EmbeddedCluster;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Runs the demo. Not thread-safe. */
public final class DiskDemo implements AutoCloseable {

  private static final int SERVERS = 3;
  private static final String NAME = "demo";
  private static final long SIZE = 64 << 20;
  private static final int BLOCK = 4096;
  private static final int WRITES = 2_000;

  private final Path directory;
  private final Consumer<String> news;
  private final EmbeddedCluster cluster;
  private final Disks disks;
  private final DiskExports exports;
  private final NbdServer server;
  private final Path socket;

  /**
   * @param directory an empty directory for the demo's files
   * @param news receives lines about the progress
   */
  public DiskDemo(Path directory, Consumer<String> news) {
    this.directory = directory;
    this.news = news;
    this.cluster =
        EmbeddedCluster.builder()
            .nodes(SERVERS)
            .replicas(SERVERS)
            .directory(directory.resolve("cluster"))
            .start();
    this.disks = Disks.over(cluster.connect());
    this.exports = DiskExports.over(cluster.connect(), DiskOptions.DEFAULT, DiskAccess.WRITE);
    this.socket = directory.resolve("nbd.sock");
    this.server =
        NbdServer.start(
            NbdServerOptions.at(new NbdAddress.UnixSocket(socket)), exports, cluster.world());
  }

  /** Runs all steps; fails at the first that does not hold. */
  public void run() throws IOException, InterruptedException {
    news.accept("%d servers, %d durable copies of each entry".formatted(SERVERS, SERVERS));
    disks.create(NAME, SIZE, BLOCK).value();
    news.accept("created disk %s of %d MiB; it takes no space yet".formatted(NAME, SIZE >> 20));
    Model then = new Model(cluster.world().random());
    Model now = new Model(cluster.world().random());
    try (BlockDevice device = exports.open(NAME).join()) {
      write(device, now);
      then.copy(now);
      snapshot();
      write(device, now);
      check(device, now, "the disk");
    }
    clone(then);
    takeOver(now);
    rollBack(then);
    tools();
    new BootDemo(disks, exports, this::uri, news).run();
    news.accept("all of it held");
  }

  private void write(BlockDevice device, Model model) {
    long begin = System.nanoTime();
    List<CompletableFuture<Void>> all = new ArrayList<>();
    for (int i = 0; i < WRITES; i++) {
      all.add(model.write(device));
    }
    all.forEach(CompletableFuture::join);
    device.flush().join();
    news.accept(
        "wrote %,d blocks of %d bytes at random, and flushed, in %d ms"
            .formatted(WRITES, BLOCK, millisSince(begin)));
  }

  private void snapshot() {
    long begin = System.nanoTime();
    disks.snapshot(NAME, Optional.of("fresh")).value();
    news.accept("took snapshot %s@fresh in %.1f ms".formatted(NAME, microsSince(begin) / 1e3));
  }

  private void clone(Model then) {
    long begin = System.nanoTime();
    disks.clone(DiskTarget.parse(NAME + "@fresh"), "clone").value();
    news.accept("cloned it in %.1f ms".formatted(microsSince(begin) / 1e3));
    Model its = new Model(cluster.world().random());
    its.copy(then);
    try (BlockDevice clone = exports.open("clone").join();
        BlockDevice past = exports.open(NAME + "@fresh").join()) {
      check(clone, its, "the clone");
      write(clone, its);
      check(clone, its, "the clone");
      check(past, then, "the snapshot");
    }
    news.accept("the clone has writes of its own; the snapshot is what it was");
  }

  private void takeOver(Model now) {
    try (DiskExports other =
            DiskExports.over(cluster.connect(), DiskOptions.DEFAULT, DiskAccess.TAKE_OVER);
        BlockDevice first = exports.open(NAME).join();
        BlockDevice second = other.open(NAME).join()) {
      check(second, now, "the disk of the second server");
      var unused = now.write(second).join();
      second.flush().join();
      boolean isFenced = false;
      try {
        var unusedLost = first.write(0, ByteBuffer.allocate(BLOCK), true).join();
      } catch (CompletionException fenced) {
        isFenced = true;
      }
      check(isFenced, "the first server's write was not refused");
      check(second, now, "the disk of the second server");
    }
    news.accept("a second server took the disk over; what the first one still sent was refused");
  }

  private void rollBack(Model then) {
    long begin = System.nanoTime();
    disks.rollBack(DiskTarget.parse(NAME + "@fresh"), IfInUse.TAKE_OVER).value();
    news.accept("rolled the disk back in %.1f ms".formatted(microsSince(begin) / 1e3));
    try (BlockDevice device = exports.open(NAME).join()) {
      check(device, then, "the disk");
    }
  }

  // ------------------------------------------------------------------------------- real clients

  /** A file system goes onto a disk and comes back by clients of the distribution. */
  private void tools() throws IOException, InterruptedException {
    if (!DiskTools.have("mkfs.ext4", "e2fsck", "nbdcopy")) {
      news.accept("nbdcopy, mkfs.ext4 or e2fsck is not installed: skipped their part");
      return;
    }
    Path image = directory.resolve("image");
    try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
      file.setLength(SIZE);
    }
    DiskTools.run("mkfs.ext4", "-q", "-F", image.toString());
    disks.create("ext4", SIZE, BLOCK).value();
    long begin = System.nanoTime();
    DiskTools.run("nbdcopy", "--flush", image.toString(), uri("ext4"));
    news.accept("nbdcopy wrote an ext4 file system in %d ms".formatted(millisSince(begin)));
    disks.clone(DiskTarget.of("ext4"), "ext4-clone").value();
    Path back = directory.resolve("back");
    DiskTools.run("nbdcopy", uri("ext4-clone"), back.toString());
    check(Files.mismatch(image, back) < 0, "the clone differs from the image");
    DiskTools.run("e2fsck", "-f", "-n", back.toString());
    news.accept("nbdcopy read its clone; e2fsck found no problem");
  }

  private String uri(String name) {
    return "nbd+unix:///%s?socket=%s".formatted(name, socket);
  }

  // ------------------------------------------------------------------------------------ checks

  private static void check(boolean holds, String problem) {
    if (!holds) {
      throw new CommandException(ExitCode.FAILED, "the demo failed: " + problem);
    }
  }

  private static void check(BlockDevice device, Model model, String what) {
    check(device.read(0, (int) SIZE / 2).join().equals(model.content(0)), what + " has changed");
    check(
        device.read(SIZE / 2, (int) SIZE / 2).join().equals(model.content(SIZE / 2)),
        what + " has changed");
  }

  private static long millisSince(long beginNanos) {
    return microsSince(beginNanos) / 1_000;
  }

  private static long microsSince(long beginNanos) {
    return (System.nanoTime() - beginNanos) / 1_000;
  }

  /** The content that a disk must have. */
  private static final class Model {

    private final byte[] bytes = new byte[(int) SIZE];
    private final RandomGenerator random;

    Model(RandomGenerator random) {
      this.random = random;
    }

    void copy(Model other) {
      System.arraycopy(other.bytes, 0, bytes, 0, bytes.length);
    }

    CompletableFuture<Void> write(BlockDevice device) {
      int block = random.nextInt((int) (SIZE / BLOCK));
      byte[] data = new byte[BLOCK];
      random.nextBytes(data);
      System.arraycopy(data, 0, bytes, block * BLOCK, BLOCK);
      return device.write((long) block * BLOCK, ByteBuffer.wrap(data), false);
    }

    ByteBuffer content(long from) {
      return ByteBuffer.wrap(bytes, (int) from, (int) SIZE / 2);
    }
  }

  @Override
  public void close() {
    server.close();
    exports.close();
    cluster.close();
  }
}
