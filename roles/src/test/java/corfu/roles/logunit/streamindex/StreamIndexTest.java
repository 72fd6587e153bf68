package corfu.roles.logunit.streamindex;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.StreamId;
import corfu.roles.logunit.pagemap.CountedArenas;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamIndexTest {

  private static final long ALL = Long.MAX_VALUE;
  private static final StreamId S = StreamId.named("s");

  private final CountedArenas arenas = new CountedArenas();
  private final StreamIndex index = new StreamIndex(arenas::open);

  @AfterEach
  void allMemoryIsGivenBack() {
    index.close();
    assertThat(arenas.opened).isZero();
  }

  private List<Long> newestOf(StreamId stream, long below, long streamBelow, int most) {
    List<Long> found = new ArrayList<>();
    int record = index.find(stream);
    if (record != Blocks.NONE) {
      index
          .postings()
          .descend(
              record,
              below,
              streamBelow,
              (address, streamAddress) -> {
                found.add(address);
                found.add(streamAddress);
                return found.size() < 2 * most;
              });
    }
    return found;
  }

  private static List<Long> pairsOf(NavigableMap<Long, Long> newestFirst) {
    List<Long> pairs = new ArrayList<>();
    newestFirst.forEach(
        (address, streamAddress) -> {
          pairs.add(address);
          pairs.add(streamAddress);
        });
    return pairs;
  }

  /** Purges a stream like a sweep. */
  private void purge(StreamId stream, LongPredicate isNeeded) {
    int record = index.find(stream);
    long below = ALL;
    while (below != StreamRecords.NO_ENTRY) {
      below =
          index.postings().purge(record, below, (address, streamAddress) -> isNeeded.test(address));
    }
  }

  @Test
  void nothingIsFoundInAStreamThatNobodyWrote() {
    assertThat(newestOf(S, ALL, ALL, 5)).isEmpty();
    assertThat(index.isBlank()).isTrue();
  }

  @Test
  void theNewestEntriesComeFirst() {
    for (long i = 0; i < 10; i++) {
      index.add(S, 100 + 3 * i, i, 100);
    }
    assertThat(newestOf(S, ALL, ALL, 2)).containsExactly(127L, 9L, 124L, 8L);
    assertThat(newestOf(S, 124, ALL, 2)).containsExactly(121L, 7L, 118L, 6L);
    assertThat(newestOf(S, ALL, 3, 2)).containsExactly(106L, 2L, 103L, 1L);
    assertThat(newestOf(S, 104, 1, 9)).containsExactly(100L, 0L);
    assertThat(newestOf(S, 100, ALL, 9)).isEmpty();
    assertThat(newestOf(S, ALL, 0, 9)).isEmpty();
  }

  @Test
  void addressesMayBeAsFarApartAsAddressesCan() {
    long last = ALL - 1;
    index.add(S, 0, 0, 100);
    index.add(S, last, last, 100);
    index.add(S, 1L << 40, 7, 100);
    index.add(S, 1, 1, 100);
    assertThat(newestOf(S, ALL, ALL, 9)).containsExactly(last, last, 1L << 40, 7L, 1L, 1L, 0L, 0L);
  }

  @Test
  void whatIsTakenBackWasNeverThere() {
    index.add(S, 5, 0, 100);
    index.add(S, 9, 1, 100);
    index.add(S, 7, 1, 100);
    index.takeBack(S, 9);
    assertThat(newestOf(S, ALL, ALL, 9)).containsExactly(7L, 1L, 5L, 0L);
    index.takeBack(S, 5);
    index.takeBack(S, 7);
    assertThat(newestOf(S, ALL, ALL, 9)).isEmpty();
    assertThat(index.isBlank()).isTrue();
    assertThat(index.postings().size()).isZero();
  }

  @Test
  void aPurgeKeepsWhatIsNeededAndTheNewestEntry() {
    for (long i = 0; i < 5000; i++) {
      index.add(S, 2 * i, i, 100);
    }
    long before = index.memoryBytes();
    purge(S, address -> address % 1000 == 0);
    List<Long> expected = new ArrayList<>(List.of(9998L, 4999L));
    LongStream.iterate(9000, a -> a >= 0, a -> a - 1000)
        .forEach(a -> expected.addAll(List.of(a, a / 2)));
    assertThat(newestOf(S, ALL, ALL, 100)).isEqualTo(expected);
    assertThat(index.postings().size()).isEqualTo(11);
    assertThat(index.memoryBytes()).isLessThanOrEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6})
  void itDoesWhatATreeMapDoes(int seed) {
    SplittableRandom random = new SplittableRandom(seed);
    int streams = 1 + random.nextInt(20);
    long spread = 1L << random.nextInt(1, 40);
    Map<StreamId, TreeMap<Long, Long>> model = new HashMap<>();
    long tail = 0;
    for (int step = 0; step < 60_000; step++) {
      StreamId stream = new StreamId(0, 1 + random.nextInt(streams));
      TreeMap<Long, Long> entries = model.computeIfAbsent(stream, s -> new TreeMap<>());
      switch (random.nextInt(100)) {
        case 0, 1, 2, 3, 4, 5, 6, 7 -> compare(random, stream, entries, tail);
        case 8, 9, 10, 11 -> {
          if (!entries.isEmpty()) {
            long some = entries.floorKey(entries.firstKey() + random.nextLong(tail + 1));
            entries.remove(some);
            index.takeBack(stream, some);
          }
        }
        case 12 -> {
          if (random.nextInt(20) == 0 && !entries.isEmpty()) {
            long salt = random.nextLong();
            LongPredicate isNeeded = address -> ((address ^ salt) * 0x9e3779b97f4a7c15L >> 61) == 0;
            long newest = entries.lastKey();
            entries.keySet().removeIf(a -> a != newest && !isNeeded.test(a));
            purge(stream, isNeeded);
          }
        }
        default -> {
          long address = addressNear(random, tail, spread);
          tail = Math.max(tail, address);
          entries.put(address, address / 2);
          index.add(stream, address, address / 2, 100);
        }
      }
    }
    long all = 0;
    for (Map.Entry<StreamId, TreeMap<Long, Long>> stream : model.entrySet()) {
      all += stream.getValue().size();
      assertThat(newestOf(stream.getKey(), ALL, ALL, Integer.MAX_VALUE / 2))
          .isEqualTo(pairsOf(stream.getValue().descendingMap()));
    }
    assertThat(index.postings().size()).isEqualTo(all);
  }

  /** Returns an address: mostly the next one in order, sometimes a late one, rarely a far one. */
  private static long addressNear(SplittableRandom random, long tail, long spread) {
    return switch (random.nextInt(20)) {
      case 0 -> random.nextLong(tail + 1);
      case 1, 2, 3 -> Math.max(0, tail - random.nextLong(50 * spread));
      default -> tail + 1 + random.nextLong(spread);
    };
  }

  private void compare(
      SplittableRandom random, StreamId stream, TreeMap<Long, Long> entries, long tail) {
    long below = random.nextInt(3) == 0 ? ALL : random.nextLong(tail + 2);
    long streamBelow = random.nextInt(3) == 0 ? ALL : random.nextLong(tail / 2 + 2);
    int most = 1 + random.nextInt(random.nextInt(10) == 0 ? 1000 : 8);
    TreeMap<Long, Long> expected = new TreeMap<>();
    for (Map.Entry<Long, Long> entry : entries.headMap(below, false).descendingMap().entrySet()) {
      if (entry.getValue() < streamBelow && expected.size() < most) {
        expected.put(entry.getKey(), entry.getValue());
      }
    }
    assertThat(newestOf(stream, below, streamBelow, most))
        .isEqualTo(pairsOf(expected.descendingMap()));
  }

  @Test
  void aMillionStreamsOfOneEntryTakeLessThanAHundredBytesEach() {
    int streams = 1_000_000;
    for (int i = 0; i < streams; i++) {
      index.add(new StreamId(i, ~i), i, 0, 100);
    }
    assertThat((double) index.memoryBytes() / streams).isLessThan(100);
    for (int i = 0; i < streams; i += 999) {
      assertThat(newestOf(new StreamId(i, ~i), ALL, ALL, 2)).containsExactly((long) i, 0L);
    }
    int listed = 0;
    for (int part = 0; part < StreamId.PARTS; part++) {
      assertThat(index.countOf(part)).isBetween(3000, 5000);
      listed += index.countOf(part);
    }
    assertThat(listed).isEqualTo(streams);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 7, 1000})
  void longStreamsTakeLessThanFourBytesAnEntry(int streams) {
    int entries = 1_000_000;
    for (int i = 0; i < entries; i++) {
      index.add(new StreamId(0, 1 + i % streams), i, i / streams, 100);
    }
    assertThat((double) index.memoryBytes() / entries).isLessThan(4);
  }

  @Test
  void whatIsCopiedBehindABusyTailCostsNoMoreThanWhatComesInOrder() {
    int entries = 300_000;
    for (int i = 0; i < entries; i++) {
      index.add(S, entries + i, entries + i, 100); // written entries
      index.add(S, i, i, 100); // copied entries
    }
    assertThat(index.postings().size()).isEqualTo(2L * entries);
    assertThat((double) index.memoryBytes() / (2 * entries)).isLessThan(4);
    assertThat(newestOf(S, entries + 1, ALL, 3))
        .containsExactly(300_000L, 300_000L, 299_999L, 299_999L, 299_998L, 299_998L);
  }

  /** A restart reads files like this: the newest file first, ascending within each file. */
  @ParameterizedTest
  @ValueSource(ints = {1, 10, 3000})
  void filesThatAreReadFromTheNewestToTheOldestTakeLittleMoreMemory(int inAFile) {
    int entries = 300_000;
    for (int file = entries / inAFile - 1; file >= 0; file--) {
      for (int i = 0; i < inAFile; i++) {
        index.add(S, 5L * (file * inAFile + i), file * inAFile + i, 100);
      }
    }
    assertThat(index.postings().size()).isEqualTo(entries);
    assertThat((double) index.memoryBytes() / entries).isLessThan(6);
    assertThat(newestOf(S, 11, ALL, 9)).containsExactly(10L, 2L, 5L, 1L, 0L, 0L);
  }
}
