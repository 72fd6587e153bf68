package corfu.fuse.passthrough;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.fuse.protocol.InitFlag;
import corfu.fuse.testing.PassThroughMount;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the write-back cache the kernel collects writes. */
class WriteBackTest {

  private static final int WRITES = 1_000;
  private static final byte[] LINE = "a line of a log\n".getBytes(StandardCharsets.UTF_8);

  @TempDir private Path directory;

  @Test
  void smallWritesArriveTogetherAtTheLatestAtFsync() throws IOException {
    try (PassThroughMount mounted =
        new PassThroughMount(directory, options -> options.with(InitFlag.WRITEBACK_CACHE))) {
      Path file = mounted.path().resolve("file");
      Files.write(file, LINE);
      long before = mounted.mount().counters().requests();
      try (FileChannel channel = FileChannel.open(file, StandardOpenOption.APPEND)) {
        for (int i = 1; i < WRITES; i++) {
          channel.write(ByteBuffer.wrap(LINE));
        }
        channel.force(true);
        assertThat(Files.size(mounted.source().resolve("file")))
            .isEqualTo((long) WRITES * LINE.length);
      }

      assertThat(mounted.mount().counters().requests() - before).isLessThan(WRITES / 2);
      assertThat(Files.readAllBytes(mounted.source().resolve("file")))
          .isEqualTo(Files.readAllBytes(file));
    }
  }
}
