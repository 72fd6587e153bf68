package corfu.roles.logunit;

import static corfu.roles.logunit.UnitDriver.entry;
import static corfu.roles.logunit.UnitDriver.hole;
import static corfu.roles.logunit.UnitDriver.in;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamScan;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The stored entries of streams, which quotas depend on. */
class LogUnitUsageTest {

  private static final StreamId A = new StreamId(1, 1);
  private static final StreamId B = new StreamId(1, 2);
  private static final long BYTES = entry(0, in(A, 0)).lengthBytes();

  private final FaultDisk disk = new FaultDisk();
  private UnitDriver unit = UnitDriver.started(disk, LogUnitOptions.onDisk(UnitMode.DURABLE));

  /** Returns the bytes of each stream, counted in steps of this size. */
  private Map<StreamId, Long> count(int step) {
    Map<StreamId, Long> bytes = new TreeMap<>();
    StreamScan scan = unit.unit.entries().scan();
    StreamScan.Visitor visitor =
        new StreamScan.Visitor() {
          @Override
          public boolean wants(StreamId stream, int owner) {
            return !stream.equals(B) || owner != 7;
          }

          @Override
          public void stores(StreamId stream, int owner, long stored) {
            assertThat(bytes.put(stream, stored)).isNull();
          }
        };
    int steps = 0;
    while (scan.next(step, visitor)) {
      assertThat(++steps).isLessThan(100_000);
    }
    return bytes;
  }

  private void restart() {
    unit.unit.close();
    unit = UnitDriver.opened(disk, LogUnitOptions.onDisk(UnitMode.DURABLE));
  }

  private static Entry[] many(int count) {
    Entry[] entries = new Entry[count];
    for (int i = 0; i < count; i++) {
      entries[i] = entry(i, in(new StreamId(2, i % 50 + 1), i / 50));
    }
    return entries;
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 100, 1_000_000})
  void aPassInStepsCountsEachStreamOnce(int step) {
    unit.write(many(500));
    assertThat(count(step)).hasSize(50).allSatisfy((id, n) -> assertThat(n).isEqualTo(10 * BYTES));
    assertThat(count(step)).hasSize(50);
  }

  @Test
  void trimmedEntriesAndHolesDoNotCount() {
    unit.write(
        entry(0, in(A, 0)), entry(1, in(A, 1)), hole(2), entry(3, in(A, 2)), entry(4, in(B, 0)));
    unit.trim(1);
    assertThat(count(100)).containsExactly(Map.entry(A, 2 * BYTES), Map.entry(B, BYTES));
    unit.trim(4);
    assertThat(count(100)).containsExactly(Map.entry(A, 2 * BYTES));
  }

  @Test
  void sizesAreKnownAfterARestart() {
    unit.write(many(100));
    unit.trim(0);
    restart();
    assertThat(count(100)).hasSize(50).containsEntry(new StreamId(2, 1), BYTES);
    assertThat(count(100)).containsEntry(new StreamId(2, 2), 2 * BYTES);
  }

  @Test
  void theOwnerIsKnownUntilTheRestart() {
    unit.write(entry(0, in(B, 0)));
    unit.unit.entries().own(B, 7);
    unit.unit.entries().own(A, 7); // there is no such stream
    assertThat(count(100)).isEmpty();
    restart();
    assertThat(count(100)).containsOnlyKeys(B);
  }

  @Test
  void thisUnitIsTheHeadOfTheOnlyChain() {
    assertThat(unit.unit.entries().chains()).isEqualTo(1);
    assertThat(unit.unit.entries().isHeadOf(17)).isTrue();
  }
}
