package corfu.roles.logunit.logfile;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.roles.logunit.UnitDriver.StillWorld;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.MemoryDisk;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SpareLogFileTest {

  private static final int MEBIBYTE = 1 << 20;
  private static final int FILE_BYTES = 4 * MEBIBYTE;

  private final StillWorld world = new StillWorld(1);
  private long written;

  private final SpareLogFile spare =
      new SpareLogFile(new MemoryDisk(), world, new AmpleRoom(), "test", FILE_BYTES, true);

  private final class AmpleRoom implements SpareLogFile.Room {
    private long sequence;

    @Override
    public boolean hasRoomFor(long bytes) {
      return true;
    }

    @Override
    public long writtenBytes() {
      return written;
    }

    @Override
    public long nextSequence() {
      return ++sequence;
    }

    @Override
    public boolean isNewest(long number) {
      return number == sequence;
    }
  }

  /** Does the next step, if there is one. */
  private boolean step() {
    Optional<Maintenance.Step> next = spare.next();
    next.ifPresent(
        step -> {
          step.work().run();
          step.then().accept(Optional.empty());
        });
    return next.isPresent();
  }

  private void pass(long bytes) {
    world.nanos += FloodDetector.WINDOW_NANOS;
    written += bytes;
  }

  @Test
  void zerosAreWrittenAheadOfSlowRecords() {
    int steps = 0;
    while (step()) {
      steps++;
      pass(MEBIBYTE);
    }
    assertThat(spare.isReady()).isTrue();
    assertThat(steps).isEqualTo(1 + FILE_BYTES / MEBIBYTE + 1);
    assertThat(spare.take().file().size()).isEqualTo(FILE_BYTES);
  }

  @Test
  void aFloodIsNotDelayedAndTheSpareIsReadyAfterIt() {
    assertThat(step()).isTrue();
    pass(64 * MEBIBYTE);
    assertThat(step()).isFalse();
    pass(64 * MEBIBYTE);
    assertThat(step()).isFalse();
    assertThat(spare.isExpected()).isTrue();
    assertThat(spare.unfilledBytes()).isEqualTo(FILE_BYTES);

    pass(0);
    while (step()) {}
    assertThat(spare.isReady()).isTrue();
  }
}
