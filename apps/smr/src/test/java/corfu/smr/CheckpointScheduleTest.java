package corfu.smr;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.node.EmbeddedCluster;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.Corfu;
import corfu.runtime.stream.Streams;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CheckpointScheduleTest {

  private final EmbeddedCluster cluster = EmbeddedCluster.builder().start();
  private final Corfu corfu = cluster.connect();
  private final MachineCheckpoints checkpoints =
      new MachineCheckpoints("ledger", corfu.streamAccess(), Streams.over(corfu));

  @AfterEach
  void stop() {
    cluster.close();
  }

  private CheckpointSchedule every(int commands) {
    return new CheckpointSchedule(checkpoints, commands, 0);
  }

  private static Checkpoint ofBytes(long bytes) {
    return new Checkpoint(new Address(0), StreamAddress.ZERO, StreamAddress.ZERO, bytes, List.of());
  }

  @Test
  void commandsCountHoweverFewEntriesTheyShare() {
    var schedule = every(100);

    schedule.played(99, 99);
    assertThat(schedule.due(new Address(1))).isEmpty();
    schedule.played(1, 1);
    assertThat(schedule.due(new Address(2))).contains(new Address(1));
  }

  @Test
  void theCountBeginsAnewBehindACheckpoint() {
    var schedule = every(100);
    schedule.played(100, 100);
    schedule.isDone(new Address(10));

    schedule.played(99, 99);
    assertThat(schedule.due(new Address(20))).isEmpty();
    schedule.played(1, 1);
    assertThat(schedule.due(new Address(20))).contains(new Address(15));
  }

  @Test
  void aLargeStateIsNotWrittenAgainForFewBytes() {
    var schedule = every(100);
    schedule.knows(ofBytes(4000));

    schedule.played(100, 999);
    assertThat(schedule.due(new Address(10))).isEmpty();
    schedule.played(1, 1);
    assertThat(schedule.due(new Address(10))).isPresent();
  }

  @Test
  void noneIsDueWithoutAnInterval() {
    var schedule = every(0);

    schedule.played(1 << 20, 1 << 20);

    assertThat(schedule.due(new Address(1 << 20))).isEmpty();
  }

  @Test
  void aCheckpointOfAnotherReplicaIsEnoughIfItReachesFar() {
    var schedule = every(100);
    var written = new AtomicInteger();
    checkpoints.write(out -> out.writeInt(1), new Address(50), new StreamAddress(50));

    schedule.carryOut(new Address(51), written::incrementAndGet);
    assertThat(written).hasValue(1);
    schedule.carryOut(new Address(50), written::incrementAndGet);
    assertThat(written).hasValue(1);
  }
}
