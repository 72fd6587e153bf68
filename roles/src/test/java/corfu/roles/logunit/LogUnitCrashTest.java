package corfu.roles.logunit;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** After a crash at any time, all acknowledged and shown entries are there. */
class LogUnitCrashTest {

  private static final int SEEDS = Integer.getInteger("seeds", 40);

  private static LogUnitOptions options(UnitMode mode) {
    return LogUnitOptions.onDisk(mode).withLogFileBytes(16 << 10);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void nothingAcknowledgedIsLostAndNothingTrimmedComesBackWhenTheMachineCrashes(int part) {
    long compressed = 0;
    for (long seed = part; seed < 4 * SEEDS; seed += 4) {
      compressed += crashes(seed, UnitMode.DURABLE, true);
    }
    assertThat(compressed).isPositive();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void aBufferedUnitLosesNothingWhenItsProcessDies(int part) {
    for (long seed = part; seed < 2 * SEEDS; seed += 2) {
      crashes(seed, UnitMode.BUFFERED, false);
    }
  }

  /** Returns the largest number of bytes that were compressed at a time. */
  private static long crashes(long seed, UnitMode mode, boolean wholeMachine) {
    try {
      FaultDisk disk = new FaultDisk();
      RandomWorkload workload = new RandomWorkload(seed, disk, options(mode));
      SplittableRandom random = new SplittableRandom(seed);
      for (int life = 0; life < 4; life++) {
        disk.crashAt = disk.effects + 1 + random.nextInt(200);
        workload.run(120);
        workload.crash(wholeMachine);
      }
      workload.run(60);
      workload.finish();
      workload.verify();
      workload.closeAndReopen();
      assertThat(workload.acknowledged).isPositive();
      return workload.compressed;
    } catch (RuntimeException | AssertionError | FaultDisk.Crashed e) {
      throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
    }
  }
}
