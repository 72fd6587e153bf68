package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.silver.mount.SilverMountOptions.Consistency;
import corfu.world.Eventually;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mounts whose cluster is gone, and comes back. */
@Timeout(300)
class OutageTest {

  private static final Duration TIMEOUT = Duration.ofSeconds(3);

  /** The timeout, a tenth more, and time for a busy machine. */
  private static final Duration LIMIT = Duration.ofSeconds(10);

  @TempDir private Path directory;

  private static SilverMountOptions options(Consistency consistency) {
    return SilverMountOptions.DEFAULT.with(consistency).withTimeout(TIMEOUT);
  }

  private static void failsInTime(Callable<?> call) {
    long start = System.nanoTime();
    assertThatThrownBy(call::call)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Input/output error");
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
  }

  private static FileChannel open(Path file) throws IOException {
    return FileChannel.open(
        file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private static List<Path> list(Path of) throws IOException {
    try (var names = Files.list(of)) {
      return names.toList();
    }
  }

  @ParameterizedTest
  @EnumSource(Consistency.class)
  void requestsFailWithinTheTimeoutAndSucceedAgainWhenTheClusterIsBack(Consistency consistency)
      throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, options(consistency))) {
      Path here = mounts.here();
      Files.write(here.resolve("file"), new byte[100_000]);
      try (FileChannel file = open(here.resolve("open"))) {
        file.write(ByteBuffer.allocate(10));
        file.force(true);
        mounts.stopCluster();

        failsInTime(() -> Files.readAllBytes(here.resolve("file")));
        failsInTime(() -> Files.createFile(here.resolve("new")));
        failsInTime(() -> list(here));
        failsInTime(
            () -> {
              int written = file.write(ByteBuffer.allocate(10));
              file.force(true);
              return written;
            });
        file.force(true); // each error is reported once
        failsInTime(file::lock);

        mounts.startCluster();
        Eventually.eventually(() -> assertThat(here.resolve("file")).hasSize(100_000));
        file.write(ByteBuffer.allocate(10), 10);
        file.force(true);
      }
      Files.writeString(here.resolve("new"), "x");
      assertThat(mounts.there().resolve("new")).hasContent("x");
      assertThat(mounts.there().resolve("open")).hasSize(20);
    }
  }

  private static String read(FileChannel file) throws IOException {
    ByteBuffer text = ByteBuffer.allocate(1_000);
    int unused = file.read(text, 0);
    return UTF_8.decode(text.flip()).toString();
  }

  @Test
  void theErrorOfABackgroundWriteIsReportedByTheClose() throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, options(Consistency.CLOSE))) {
      FileChannel stats = FileChannel.open(mounts.here().resolve(".silver/stats"));
      FileChannel file = open(mounts.here().resolve("file"));
      FileChannel reader = FileChannel.open(mounts.here().resolve("file"));
      mounts.stopCluster();
      file.write(ByteBuffer.allocate(10));
      assertThat(read(stats)).doesNotContain("waiting-bytes 0");
      Eventually.eventually(() -> assertThat(read(stats)).contains("waiting-bytes 0\n"));
      stats.close();
      failsInTime(
          () -> {
            file.close();
            return true;
          });
      reader.close(); // it cannot have written
      mounts.startCluster();
      Eventually.eventually(() -> assertThat(mounts.here().resolve("file")).hasSize(0));
    }
  }

  @Test
  void aQueueOfRequestsDoesNotWaitForOneTimeoutAfterTheOther() throws Exception {
    try (TwoMounts mounts = new TwoMounts(directory, options(Consistency.STRICT))) {
      Path here = mounts.here();
      for (int i = 0; i < 64; i++) {
        Files.createFile(here.resolve("f" + i));
      }
      mounts.stopCluster();
      long start = System.nanoTime();
      List<CompletableFuture<Void>> calls = new ArrayList<>();
      for (int i = 0; i < 64; i++) {
        Path file = here.resolve("f" + i);
        calls.add(
            CompletableFuture.runAsync(
                () -> assertThatThrownBy(() -> Files.writeString(file, "x")),
                task -> Thread.ofPlatform().start(task)));
      }
      CompletableFuture.allOf(calls.toArray(CompletableFuture[]::new)).join();
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT.multipliedBy(2));
      mounts.startCluster();
      Eventually.eventually(() -> assertThat(here.resolve("f0")).exists());
      Files.writeString(here.resolve("f0"), "x");
      assertThat(mounts.there().resolve("f0")).hasContent("x");
    }
  }
}
