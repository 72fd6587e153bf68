package corfu.silver.mount;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.silver.mount.SilverMountOptions.Consistency;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random operations on a file of a mount and on a local file have the same results. */
@Timeout(180)
class SameAsLocalTest {

  private static final int SEEDS = 6;
  private static final int STEPS = 150;
  private static final int MOST_BYTES = 30_000;

  @TempDir private Path directory;

  /** The same file in two places, each opened for writes at offsets and for appends. */
  private static final class Twins implements AutoCloseable {
    private final Path[] paths;
    private final FileChannel[] files = new FileChannel[2];
    private final FileChannel[] logs = new FileChannel[2];

    private Twins(Path one, Path other) throws IOException {
      paths = new Path[] {one, other};
      open();
    }

    private void open() throws IOException {
      for (int i = 0; i < 2; i++) {
        files[i] =
            FileChannel.open(
                paths[i],
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE);
        logs[i] = FileChannel.open(paths[i], StandardOpenOption.APPEND);
      }
    }

    @Override
    public void close() throws IOException {
      for (int i = 0; i < 2; i++) {
        files[i].close();
        logs[i].close();
      }
    }

    private void write(byte[] bytes, long offset) throws IOException {
      for (FileChannel file : files) {
        assertThat(file.write(ByteBuffer.wrap(bytes), offset)).isEqualTo(bytes.length);
      }
    }

    private void append(byte[] bytes) throws IOException {
      for (FileChannel log : logs) {
        assertThat(log.write(ByteBuffer.wrap(bytes))).isEqualTo(bytes.length);
      }
    }

    private void truncate(long size) throws IOException {
      for (FileChannel file : files) {
        var unused = file.truncate(size);
      }
    }

    private void force() throws IOException {
      files[0].force(true);
    }

    private void compare(long offset, int length) throws IOException {
      ByteBuffer[] read = {ByteBuffer.allocate(length), ByteBuffer.allocate(length)};
      assertThat(files[0].size()).isEqualTo(files[1].size());
      int count = files[1].read(read[1], offset);
      assertThat(files[0].read(read[0], offset)).isEqualTo(count);
      assertThat(read[0].array()).isEqualTo(read[1].array());
    }
  }

  private static byte[] bytes(Random random) {
    byte[] bytes = new byte[1 + random.nextInt(random.nextInt(4) == 0 ? MOST_BYTES : 500)];
    random.nextBytes(bytes);
    return bytes;
  }

  private static void step(Twins twins, Random random) throws IOException {
    int offset = random.nextInt(random.nextBoolean() ? 6_000 : 2 * MOST_BYTES);
    switch (random.nextInt(10)) {
      case 0 -> twins.truncate(offset);
      case 1 -> twins.force();
      case 2 -> {
        twins.close();
        twins.open();
      }
      case 3 -> twins.append(bytes(random));
      case 4, 5, 6 -> twins.compare(offset, MOST_BYTES);
      default -> twins.write(bytes(random), offset);
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void anySequenceOfOperationsHasTheResultsOfALocalFile(Consistency consistency)
      throws IOException {
    try (TwoMounts mounts =
        new TwoMounts(directory, SilverMountOptions.DEFAULT.with(consistency))) {
      for (int seed = 0; seed < SEEDS; seed++) {
        Random random = new Random(seed);
        Path local = directory.resolve("local" + seed);
        Path mounted = mounts.here().resolve("file" + seed);
        try (Twins twins = new Twins(mounted, local)) {
          for (int i = 0; i < STEPS; i++) {
            step(twins, random);
          }
        }
        assertThat(mounts.there().resolve("file" + seed))
            .as("seed %d", seed)
            .hasBinaryContent(Files.readAllBytes(local));
      }
    }
  }
}
