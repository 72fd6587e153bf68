package corfu.node;

import static corfu.world.Eventually.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.NoSpaceException;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The log as its users see it when the log units are full. */
@Timeout(180)
final class FullDiskTest {

  private static final int ENTRY_BYTES = 4_000;

  @TempDir private Path directory;

  @Test
  void appendsAreRefusedReadsGoOnAndTrimmingMakesRoomAgain() {
    try (EmbeddedCluster cluster =
        EmbeddedCluster.builder().directory(directory).capacityBytes(4 << 20).start()) {
      Log log = cluster.connect().log();
      long appended = fill(log);

      assertThat(appended).as("most of the capacity was used").isGreaterThan(500);
      assertThatThrownBy(() -> log.append(new byte[ENTRY_BYTES]))
          .isInstanceOf(NoSpaceException.class)
          .hasMessageContaining("trim");
      assertThat(log.read(Address.ZERO)).isInstanceOf(LogEntry.Data.class);
      assertThat(log.read(new Address(appended - 1))).isInstanceOf(LogEntry.Data.class);

      log.prefixTrim(log.tail());
      Address resumed = appendWhenThereIsRoom(log);

      assertThat(log.read(resumed)).isInstanceOf(LogEntry.Data.class);
      assertThat(log.read(Address.ZERO)).isInstanceOf(LogEntry.Trimmed.class);
    }
  }

  private static long fill(Log log) {
    for (long appended = 0; appended < 4_000; appended++) {
      try {
        log.append(new byte[ENTRY_BYTES]);
      } catch (NoSpaceException full) {
        return appended;
      }
    }
    throw new AssertionError("a unit of 4 MiB has taken 16 MB");
  }

  /** Files are deleted in the background, one after the other. */
  private static Address appendWhenThereIsRoom(Log log) {
    return eventually(() -> append(log), address -> assertThat(address).isPresent()).orElseThrow();
  }

  private static Optional<Address> append(Log log) {
    try {
      return Optional.of(log.append(new byte[ENTRY_BYTES]));
    } catch (NoSpaceException notYet) {
      return Optional.empty();
    }
  }
}
