package corfu.disk;

import corfu.disk.internal.catalogue.DiskCatalogue;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.OwnerText;
import corfu.disk.internal.serve.DiskArrays;
import corfu.disk.internal.serve.OpenDisks;
import corfu.nbd.BlockDevice;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.nbd.ExportDescription;
import corfu.nbd.Exports;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All disks of a cluster as exports of an NBD server: each under its name, and each version as
 * {@code NAME@SNAPSHOT} or {@code NAME@VERSION}, read-only. The first connection that opens a disk
 * makes this process its only writer; further connections share it. A description leaves the writer
 * alone, whichever process that is. The empty name means the only disk, if there is just one.
 * Thread-safe.
 */
public final class DiskExports implements Exports, AutoCloseable {

  private final World world;
  private final DiskCatalogue catalogue;
  private final OpenDisks open;

  private DiskExports(Corfu corfu, DiskOptions options, DiskAccess access) {
    this.world = corfu.streamAccess().world();
    this.catalogue = new DiskCatalogue(corfu);
    this.open =
        new OpenDisks(
            world, options, catalogue, new DiskArrays(corfu, options, OwnerText.here()), access);
  }

  /** Returns the disks of a client's cluster. */
  public static DiskExports over(Corfu corfu, DiskOptions options, DiskAccess access) {
    return new DiskExports(corfu, options, access);
  }

  @Override
  public CompletableFuture<List<String>> names() {
    return ask(
        "list the disks",
        () -> catalogue.all().stream().flatMap(DiskExports::names).sorted().toList());
  }

  private static Stream<String> names(DiskRecord disk) {
    return Stream.concat(
        Stream.of(disk.name()),
        disk.snapshots().stream().map(snapshot -> disk.name() + "@" + snapshot.name()));
  }

  @Override
  public CompletableFuture<ExportDescription> describe(String name) {
    return ask("describe disk " + name, () -> open.describe(target(name)));
  }

  @Override
  public CompletableFuture<BlockDevice> open(String name) {
    return ask("open disk " + name, () -> open.open(target(name)));
  }

  private DiskTarget target(String name) {
    if (name.isEmpty()) {
      List<DiskRecord> all = catalogue.all();
      if (all.size() == 1) {
        return DiskTarget.of(all.getFirst().name());
      }
      throw new BlockDeviceException(
          Reason.UNKNOWN_EXPORT, "there are %d disks: give the name of one".formatted(all.size()));
    }
    try {
      return DiskTarget.parse(name);
    } catch (IllegalArgumentException wrong) {
      throw new BlockDeviceException(
          Reason.UNKNOWN_EXPORT, Optional.ofNullable(wrong.getMessage()).orElse(name), wrong);
    }
  }

  private <T> CompletableFuture<T> ask(String what, Supplier<T> question) {
    CompletableFuture<T> answer = new CompletableFuture<>();
    var unused =
        world.start(
            "disk-export",
            () -> {
              try {
                answer.complete(question.get());
              } catch (BlockDeviceException refused) {
                answer.completeExceptionally(refused);
              } catch (CorfuException failed) {
                answer.completeExceptionally(
                    new BlockDeviceException(
                        Reason.IO_ERROR,
                        "cannot %s: %s".formatted(what, failed.getMessage()),
                        failed));
              } catch (RuntimeException failed) {
                answer.completeExceptionally(
                    new BlockDeviceException(
                        Reason.IO_ERROR, "cannot %s: %s".formatted(what, failed), failed));
              }
            });
    return answer;
  }

  /** Makes all writes durable, and gives the disks back, so that other servers may write them. */
  @Override
  public void close() {
    open.close();
  }
}
