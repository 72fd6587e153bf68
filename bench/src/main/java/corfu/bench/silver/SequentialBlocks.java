package corfu.bench.silver;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Writes and reads of a whole file in blocks of 1 MiB, one after the other. */
final class SequentialBlocks {

  private static final int BLOCK_BYTES = 1 << 20;
  private static final double NANOS_A_SECOND = 1e9;

  private final int blocks;

  SequentialBlocks(int fileMiB) {
    this.blocks = fileMiB;
  }

  /** Writes a new file. Returns MiB a second. */
  double write(Path file) throws IOException {
    Files.deleteIfExists(file);
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    for (int i = 0; i < BLOCK_BYTES; i++) {
      block.put(i, (byte) (i * 31));
    }
    long begin = System.nanoTime();
    try (var channel =
        FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
      for (int i = 0; i < blocks; i++) {
        block.clear();
        while (block.hasRemaining()) {
          int unused = channel.write(block);
        }
      }
    }
    return blocks * NANOS_A_SECOND / (System.nanoTime() - begin);
  }

  /** Reads the file. Returns MiB a second. */
  double read(Path file) throws IOException {
    ByteBuffer block = ByteBuffer.allocateDirect(BLOCK_BYTES);
    long begin = System.nanoTime();
    long bytes = 0;
    try (var channel = FileChannel.open(file, StandardOpenOption.READ)) {
      int some = channel.read(block);
      while (some >= 0) {
        bytes += some;
        some = channel.read(block.clear());
      }
    }
    long took = System.nanoTime() - begin;
    if (bytes != (long) blocks * BLOCK_BYTES) {
      throw new IllegalStateException(
          "%s has %d MiB, but %d bytes were read".formatted(file, blocks, bytes));
    }
    return blocks * NANOS_A_SECOND / took;
  }

  /**
   * Drops the kernel's caches, so that the next read asks the mounts. The local file is read once
   * before, so that a pass-through needs no disk.
   */
  void forget(Path local) throws IOException {
    Files.writeString(Path.of("/proc/sys/vm/drop_caches"), "1\n", StandardCharsets.US_ASCII);
    double unused = read(local);
  }
}
