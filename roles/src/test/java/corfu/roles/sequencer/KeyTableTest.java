package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class KeyTableTest {

  private static final int STREAMS = 3;

  private record Key(int stream, long key) {}

  /** Compares the table to a map that holds the keys in the order of their changes. */
  @ParameterizedTest
  @CsvSource({"1, 5", "7, 5", "100, 60", "5000, 3000", "20000, 100000"})
  void itKeepsTheNewestChangesAndSaysBelowWhichAddressItHasForgottenSome(int most, int keys) {
    SplittableRandom random = new SplittableRandom(most);
    Map<Key, Long> expected = new LinkedHashMap<>();
    long forgottenBelow = 17;
    try (KeyTable table = new KeyTable(most, forgottenBelow)) {
      for (long address = 17; address < 100_000; address++) {
        Key key = new Key(random.nextInt(STREAMS), random.nextInt(keys) * 0x1_0000_0000L);
        table.changed(key.stream(), key.key(), address);
        expected.remove(key);
        expected.put(key, address);
        if (expected.size() > most) {
          Iterator<Long> oldestFirst = expected.values().iterator();
          forgottenBelow = oldestFirst.next() + 1;
          oldestFirst.remove();
        }
        Key other = new Key(random.nextInt(STREAMS), random.nextInt(keys) * 0x1_0000_0000L);
        long found = table.newest(other.stream(), other.key());
        assertThat(found == expected.getOrDefault(other, StreamTable.NEVER)).isTrue();
      }

      assertThat(table.forgottenBelow()).isEqualTo(forgottenBelow);
      assertThat(table.size()).isEqualTo(expected.size()).isLessThanOrEqualTo(most);
      expected.forEach(
          (key, address) -> assertThat(table.newest(key.stream(), key.key()) == address).isTrue());
    }
  }

  @Test
  void aKeyTakesAbout36Bytes() {
    int keys = 1 << 20;
    try (KeyTable table = new KeyTable(keys, 0)) {
      for (int i = 0; i < 2 * keys; i++) {
        table.changed(1, i, i);
      }
      assertThat((double) table.memoryBytes() / keys).isLessThan(37);
      assertThat(table.forgottenBelow()).isEqualTo(keys);
    }
  }
}
