package corfu.cli.disk.demo;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

import corfu.cli.command.CommandException;
import corfu.cli.command.ExitCode;
import corfu.disk.DiskExports;
import corfu.disk.DiskTarget;
import corfu.disk.Disks;
import corfu.nbd.BlockDevice;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/** A virtual machine boots from a disk, and from a clone of a snapshot of it. Not thread-safe. */
final class BootDemo {

  private static final String QEMU = "qemu-system-x86_64";
  private static final String NAME = "boot";
  private static final String SNAPSHOT = "once";
  private static final String CLONE = "boot-clone";
  private static final long SIZE = 1 << 20;
  private static final int BLOCK = 4096;

  private final Disks disks;
  private final DiskExports exports;
  private final UnaryOperator<String> uris;
  private final Consumer<String> news;

  /**
   * @param disks the disks of the cluster
   * @param exports the exports of the server that the machine uses
   * @param uris returns the URI of an export of that server
   * @param news receives lines about the progress
   */
  BootDemo(Disks disks, DiskExports exports, UnaryOperator<String> uris, Consumer<String> news) {
    this.disks = disks;
    this.exports = exports;
    this.uris = uris;
    this.news = news;
  }

  /** Boots, or tells that QEMU is not installed. */
  void run() throws IOException, InterruptedException {
    if (!DiskTools.have(QEMU)) {
      news.accept(
          "%s (package qemu-system-x86) is not installed: skipped its part".formatted(QEMU));
      return;
    }
    disks.create(NAME, SIZE, BLOCK).value();
    try (BlockDevice device = exports.open(NAME).join()) {
      device.write(0, BootSector.bytes(), true).join();
    }
    boot(NAME, 1);
    disks.snapshot(NAME, Optional.of(SNAPSHOT)).value();
    boot(NAME, 2);
    news.accept("a virtual machine booted from a disk twice; it counted boot 1 and boot 2 there");
    disks.clone(DiskTarget.parse(NAME + "@" + SNAPSHOT), CLONE).value();
    boot(CLONE, 2);
    checkCount(NAME + "@" + SNAPSHOT, 1);
    news.accept("a clone of the snapshot between them booted, too; there it counted boot 2 again");
  }

  /** Boots a disk; fails unless the machine counts this boot, on its console and on the disk. */
  private void boot(String disk, int count) throws IOException, InterruptedException {
    // Without a cache of QEMU's own each write of the machine is in the log when the BIOS returns.
    String drive =
        "file=%s,format=raw,if=virtio,cache=writethrough"
            .formatted(uris.apply(disk).replace(",", ",,"));
    String console =
        DiskTools.run(
            QEMU,
            "-nodefaults",
            "-no-user-config",
            "-no-reboot",
            "-machine",
            "pc,accel=kvm:tcg", // emulated where the host has no KVM
            "-m",
            "32",
            "-display",
            "none",
            "-serial",
            "stdio",
            "-drive",
            drive);
    if (console.lines().noneMatch((BootSector.GREETING + count)::equals)) {
      throw failure(
          "disk %s did not do boot %d; the machine wrote: %s"
              .formatted(disk, count, console.strip()));
    }
    checkCount(disk, count);
  }

  private void checkCount(String export, int expected) {
    try (BlockDevice device = exports.open(export).join()) {
      int count =
          device.read(BootSector.COUNT_AT, Short.BYTES).join().order(LITTLE_ENDIAN).getShort(0);
      if (count != expected) {
        throw failure("%s has count %d instead of %d".formatted(export, count, expected));
      }
    }
  }

  private static CommandException failure(String problem) {
    return new CommandException(ExitCode.FAILED, "the demo failed: " + problem);
  }
}
