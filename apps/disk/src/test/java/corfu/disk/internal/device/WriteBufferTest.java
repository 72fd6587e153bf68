package corfu.disk.internal.device;

import static corfu.disk.internal.device.ScriptedDisk.BLOCK;
import static corfu.disk.internal.device.ScriptedDisk.ENTRY;
import static corfu.disk.internal.device.ScriptedDisk.LIMIT;
import static corfu.disk.internal.device.ScriptedDisk.OPTIONS;
import static corfu.disk.internal.device.ScriptedDisk.PAUSE;
import static corfu.disk.internal.device.ScriptedDisk.filled;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.nbd.BlockDeviceException;
import corfu.nbd.BlockDeviceException.Reason;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.NoSpaceException;
import corfu.runtime.UnavailableException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The writes of a disk, with a log that ends each entry as the test says. */
class WriteBufferTest {

  private final ScriptedDisk all = new ScriptedDisk();
  private final ScriptedLog log = all.log;

  private CompletableFuture<Void> write(long block, int value) {
    return all.device.write(block * BLOCK, filled(BLOCK, value), false);
  }

  private byte read(long block) {
    ByteBuffer read = all.device.read(block * BLOCK, BLOCK).join();
    assertThat(read.remaining()).isEqualTo(BLOCK);
    byte first = read.get(0);
    for (int i = 0; i < BLOCK; i++) {
      assertThat(read.get(i)).isEqualTo(first);
    }
    return first;
  }

  private static Reason reason(CompletableFuture<?> failed) {
    assertThat(failed).isCompletedExceptionally();
    return ((BlockDeviceException) failed.exceptionNow()).reason();
  }

  private void outage(ScriptedLog.Entry entry) {
    entry.fail(new UnavailableException("no server answers"));
  }

  @Test
  void aLoneWriteIsAcknowledgedAndSentAtOnce() {
    assertThat(write(3, 7)).isCompleted();
    assertThat(log.only().changes()).hasSize(1);
    assertThat(read(3)).isEqualTo((byte) 7);
  }

  @Test
  void allThatWaitsAtOneMomentIsOneEntry() {
    for (int block = 0; block < 12; block++) {
      assertThat(write(block, block)).isCompleted();
    }
    assertThat(log.inFlight()).hasSize(2);
    log.inFlight().getFirst().succeed();
    assertThat(log.inFlight()).hasSize(2);
    assertThat(log.inFlight().getLast().changes()).hasSize(10);
  }

  @Test
  void aFlushWaitsForWhatWasAcknowledgedBeforeItAndForNothingElse() {
    write(0, 1);
    CompletableFuture<Void> flush = all.open().flush();
    write(1, 2);
    assertThat(flush).isNotDone();
    log.inFlight().getFirst().succeed();
    assertThat(flush).isCompleted();
    assertThat(log.only()).isNotNull();
    assertThat(all.device.flush()).isNotDone();
  }

  @Test
  void aForcedWriteWaitsForItself() {
    write(0, 1);
    CompletableFuture<Void> forced = all.device.write(BLOCK, filled(BLOCK, 2), true);
    log.inFlight().getLast().succeed();
    assertThat(forced).isCompleted();
    assertThat(log.inFlight()).hasSize(1);
  }

  @Test
  void changesOfTheSameBytesAreNeverInFlightTogether() {
    write(0, 1);
    write(0, 2);
    write(1, 3);
    assertThat(log.inFlight()).hasSize(1);
    assertThat(read(0)).isEqualTo((byte) 2);
    log.only().succeed();
    assertThat(log.only().changes()).hasSize(2);
    log.only().succeed();
    assertThat(log.stored()[0]).isEqualTo((byte) 2);
  }

  @Test
  void aLaterEntryPassesOneThatHasToWait() {
    ScriptedDisk other = new ScriptedDisk(OPTIONS.withEntriesInFlight(3));
    int many = ENTRY / BLOCK;
    other.device.write(0, filled(BLOCK, 1), false);
    other.device.write(0, filled(ENTRY, 2), false); // a full entry, over the same block
    other.device.write((long) many * BLOCK, filled(BLOCK, 3), false);
    assertThat(other.log.inFlight()).hasSize(2);
    assertThat(other.log.inFlight().getLast().changes())
        .containsExactly(new RangeChange.Write(many * BLOCK, filled(BLOCK, 3)));
  }

  @Test
  void aLongWriteIsSplitBetweenBlocks() {
    ScriptedDisk other = new ScriptedDisk(OPTIONS.withEntriesInFlight(9));
    other.device.write(512, filled(3 * ENTRY, 1), false);
    assertThat(other.log.inFlight()).hasSizeGreaterThan(2);
    other.log.inFlight().stream()
        .flatMap(entry -> entry.changes().stream())
        .skip(1)
        .forEach(
            change ->
                assertThat(((RangeChange.Write) change).offset() % BLOCK).as("a cut").isZero());
  }

  @Test
  void aFullBufferHoldsWritesBack() {
    ScriptedDisk other = new ScriptedDisk(OPTIONS.withBufferBytes(32 << 20));
    int piece = 512 << 10;
    CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
    int taken = 0;
    while (last.isDone()) {
      last = other.device.write(0, filled(piece, taken), false);
      taken++;
    }
    assertThat(taken).isBetween(60, 65);
    while (!last.isDone()) {
      other.log.inFlight().getFirst().succeed();
    }
    assertThat(last).isCompleted();
  }

  @Test
  void zerosTakeNoData() {
    write(0, 1);
    assertThat(all.device.trim(0, 64 * BLOCK, false)).isCompleted();
    assertThat(all.device.writeZeroes(64 * BLOCK, 64 * BLOCK, false, true, false)).isCompleted();
    assertThat(read(0)).isZero();
    log.inFlight().getFirst().succeed();
    assertThat(log.only().changes())
        .allSatisfy(change -> assertThat(change).isInstanceOf(RangeChange.Punch.class));
  }

  @Test
  void anEntryWithAnUnknownOutcomeIsSentAgainBeforeItsBytesChange() {
    write(0, 1);
    CompletableFuture<Void> flush = all.device.flush();
    write(0, 2);
    ScriptedLog.Entry first = log.only();
    first.apply(); // it happened, but its writer does not learn it
    first.fail(new AppendOutcomeUnknownException(new Address(1), "the server is gone"));
    assertThat(log.inFlight()).isEmpty();
    all.world.pass(PAUSE.toNanos());
    assertThat(log.only().changes()).isEqualTo(first.changes());
    log.only().succeed();
    assertThat(flush).isCompleted();
    log.only().succeed();
    assertThat(log.stored()[0]).isEqualTo((byte) 2);
  }

  @Test
  void promisesFailAtTheLimitOfAnOutageAndAreTrueAgainOnlyWhenAllIsInTheLog() {
    write(0, 1);
    CompletableFuture<Void> flush = all.device.flush();
    outage(log.only());
    assertThat(flush).isNotDone();
    all.world.pass(LIMIT.toNanos());
    assertThat(reason(flush)).isEqualTo(Reason.IO_ERROR);
    assertThat(reason(all.device.flush())).isEqualTo(Reason.IO_ERROR);
    assertThat(reason(write(1, 1))).isEqualTo(Reason.IO_ERROR);
    assertThat(read(0)).isEqualTo((byte) 1); // nothing was dropped

    log.only().succeed();
    assertThat(all.device.flush()).isCompleted();
    assertThat(log.stored()[0]).isEqualTo((byte) 1);
    assertThat(write(1, 1)).isCompleted();
  }

  @Test
  void aShortOutageIsNotNoticed() {
    write(0, 1);
    CompletableFuture<Void> flush = all.device.flush();
    outage(log.only());
    all.world.pass(PAUSE.toNanos());
    log.only().succeed();
    all.world.pass(LIMIT.toNanos());
    assertThat(flush).isCompleted();
  }

  @Test
  void withoutSpaceWritesAreRefusedAndReadsGoOnUntilThereIsRoom() {
    write(0, 1);
    CompletableFuture<Void> flush = all.device.flush();
    log.only().fail(new NoSpaceException(Endpoint.parse("unit:9000")));
    assertThat(reason(flush)).isEqualTo(Reason.NO_SPACE);
    assertThat(reason(write(1, 1))).isEqualTo(Reason.NO_SPACE);
    assertThat(reason(all.device.flush())).isEqualTo(Reason.NO_SPACE);
    assertThat(read(0)).isEqualTo((byte) 1);
    assertThat(read(1)).isZero();

    all.world.pass(PAUSE.toNanos());
    log.only().succeed();
    assertThat(all.device.flush()).isCompleted();
    assertThat(write(1, 1)).isCompleted();
  }

  @Test
  void aServerThatWasTakenOverServesNothing() {
    write(0, 1);
    CompletableFuture<Void> flush = all.device.flush();
    CompletableFuture<Void> forced = all.device.write(BLOCK, filled(BLOCK, 1), true);
    log.inFlight().getFirst().fence(new Owner(2, ByteBuffer.allocate(0), new Address(9)));
    assertThat(reason(flush)).isEqualTo(Reason.FENCED);
    assertThat(reason(forced)).isEqualTo(Reason.FENCED);
    assertThat(reason(write(1, 1))).isEqualTo(Reason.FENCED);
    assertThat(reason(all.device.flush())).isEqualTo(Reason.FENCED);
    assertThat(reason(all.device.read(0, BLOCK))).isEqualTo(Reason.FENCED);
    log.inFlight().forEach(ScriptedLog.Entry::succeed); // late replies change nothing
    assertThat(reason(all.device.flush())).isEqualTo(Reason.FENCED);
  }

  @Test
  void aServerLearnsOfATakeoverAlsoWithoutAWrite() {
    log.fence(new Owner(2, ByteBuffer.allocate(0), new Address(9)));
    assertThat(reason(all.device.flush())).isEqualTo(Reason.FENCED);
  }

  @Test
  void requestsBeyondTheEndAreRefused() {
    assertThat(reason(all.device.read(ScriptedDisk.SIZE - 1, 2))).isEqualTo(Reason.OUT_OF_RANGE);
    assertThat(reason(all.device.write(-1, filled(1, 1), false))).isEqualTo(Reason.OUT_OF_RANGE);
    assertThat(reason(all.device.trim(Long.MAX_VALUE, 1, false))).isEqualTo(Reason.OUT_OF_RANGE);
  }

  /** A model disk has each acknowledged change at once; reads of both agree at any time. */
  @Test
  void randomRequestsReadWhatAModelReadsWhateverTheLogDoes() {
    for (int seed = 0; seed < 40; seed++) {
      new Play(seed).run(400);
    }
  }

  /** Random requests beside a model, with entries that end in any order, or fail. */
  private static final class Play {

    private static final int SIZE = 256 << 10;

    private final Random random;
    private final ScriptedDisk all;
    private final byte[] model = new byte[SIZE];

    Play(int seed) {
      random = new Random(seed);
      all = new ScriptedDisk(OPTIONS.withEntriesInFlight(1 + random.nextInt(4)));
    }

    void run(int steps) {
      for (int i = 0; i < steps; i++) {
        step();
      }
      CompletableFuture<Void> flush = all.device.flush();
      while (!flush.isDone()) {
        List<ScriptedLog.Entry> inFlight = all.log.inFlight();
        if (inFlight.isEmpty()) {
          all.world.pass(PAUSE.toNanos());
        } else {
          inFlight.get(random.nextInt(inFlight.size())).succeed();
        }
      }
      assertThat(flush).isCompleted();
      assertThat(Arrays.copyOf(all.log.stored(), SIZE)).isEqualTo(model);
    }

    private void step() {
      int offset = random.nextInt(SIZE);
      int length = 1 + random.nextInt(Math.min(SIZE - offset, 1 << random.nextInt(18)));
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> {
          byte[] data = new byte[length];
          random.nextBytes(data);
          System.arraycopy(data, 0, model, offset, length);
          all.device.write(offset, ByteBuffer.wrap(data), false).join();
        }
        case 3 -> {
          Arrays.fill(model, offset, offset + length, (byte) 0);
          all.device.trim(offset, length, false).join();
        }
        case 4, 5 -> {
          ByteBuffer read = all.device.read(offset, length).join();
          byte[] bytes = new byte[read.remaining()];
          read.get(bytes);
          assertThat(bytes).isEqualTo(Arrays.copyOfRange(model, offset, offset + length));
        }
        default -> end();
      }
    }

    private void end() {
      List<ScriptedLog.Entry> inFlight = all.log.inFlight();
      if (inFlight.isEmpty()) {
        all.world.pass(PAUSE.toNanos());
        return;
      }
      ScriptedLog.Entry entry = inFlight.get(random.nextInt(inFlight.size()));
      if (random.nextInt(4) > 0) {
        entry.succeed();
        return;
      }
      if (random.nextBoolean()) {
        entry.apply();
      }
      entry.fail(new AppendOutcomeUnknownException(new Address(1), "no reply"));
      all.world.pass(PAUSE.toNanos());
    }
  }
}
