package corfu.roles.sequencer;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.protocol.Backpointers;
import corfu.protocol.StreamId;
import corfu.protocol.stream.StreamPosition;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamTableTest {

  private static final StreamId STREAM = StreamId.named("a");
  private static final long FAR = 1L << 32;

  private final StreamTable table = new StreamTable();

  @AfterEach
  void close() {
    table.close();
    assertThat(table.memoryBytes()).isZero();
  }

  @Test
  void anEmptyTableTakesNoMemoryAndASmallOneTakesLittle() {
    assertThat(table.memoryBytes()).isZero();
    assertThat(table.find(STREAM)).isEqualTo(StreamTable.NOBODY);
    table.enter(STREAM, StreamPosition.START);
    assertThat(table.memoryBytes()).isLessThan(4096);
  }

  /** Memory beside records and heads does not grow with the number of streams. */
  @ParameterizedTest
  @ValueSource(ints = {100_000, 1_000_000})
  void aStreamTakesAtMost64BytesAndIsFoundAgain(int streams) {
    for (int i = 0; i < streams; i++) {
      table.enter(id(i), new StreamPosition(i, Backpointers.of(i)));
    }

    assertThat((double) table.memoryBytes() / streams).isLessThanOrEqualTo(64);
    assertThat(table.size()).isEqualTo(streams);
    for (int i = 0; i < streams; i++) {
      int stream = table.find(id(i));
      assertThat(table.streamAddress(stream) == i && table.newest(stream) == i).isTrue();
    }
    for (int i = streams; i < 2 * streams; i++) {
      assertThat(table.find(id(i)) == StreamTable.NOBODY).isTrue();
    }
  }

  @Test
  void streamsThatDifferInOneBitOnlyAreDifferent() {
    for (int bit = 0; bit < Long.SIZE; bit++) {
      table.enter(new StreamId(1L << bit, 0), new StreamPosition(bit, Backpointers.NONE));
      table.enter(new StreamId(0, 1L << bit), new StreamPosition(100 + bit, Backpointers.NONE));
    }

    for (int bit = 0; bit < Long.SIZE; bit++) {
      assertThat(table.streamAddress(table.find(new StreamId(1L << bit, 0)))).isEqualTo(bit);
      assertThat(table.streamAddress(table.find(new StreamId(0, 1L << bit)))).isEqualTo(100 + bit);
    }
  }

  @Test
  void theNewestAddressIsExactHoweverFarTheOthersAre() {
    int stream = table.enter(STREAM, StreamPosition.START);
    long[] addresses = {3, 4, 4 + FAR - 1, 4 + 2 * FAR, 5 + 2 * FAR};

    table.advance(stream, addresses[0]);
    table.advance(stream, addresses[1]);
    table.advance(stream, addresses[2]);
    assertThat(table.end(stream)).isEqualTo(end(3, addresses[2], addresses[1], addresses[0]));
    table.advance(stream, addresses[3]);
    assertThat(table.end(stream)).as("too far apart").isEqualTo(end(4, addresses[3]));
    table.advance(stream, addresses[4]);
    assertThat(table.end(stream)).isEqualTo(end(5, addresses[4], addresses[3]));
  }

  @Test
  void whatItIsToldOfFarEntriesIsKeptAsFarAsItCanBe() {
    int stream = table.enter(STREAM, end(9, 3 * FAR, 3 * FAR - 1, FAR, FAR - 1));

    assertThat(table.end(stream)).isEqualTo(end(9, 3 * FAR, 3 * FAR - 1));
  }

  @Test
  void theNewestChangeOfTheWholeStreamIsKnownAndNeverToldTooLow() {
    int stream = table.enter(STREAM, end(2, 5, 4));
    assertThat(table.newestOfWhole(stream)).isEqualTo(StreamTable.NEVER);

    table.advance(stream, 10);
    assertThat(table.newestOfWhole(stream)).isEqualTo(StreamTable.NEVER);
    table.newestChangesWhole(stream);
    assertThat(table.newestOfWhole(stream)).isEqualTo(10);
    for (long address : LongStream.of(11, 1000, 1 << 30, FAR + 8).toArray()) {
      table.advance(stream, address);
      assertThat(table.newestOfWhole(stream)).isEqualTo(10);
    }
    for (long address : LongStream.of(FAR + 9, 2 * FAR, 9 * FAR).toArray()) {
      table.advance(stream, address);
      assertThat(table.newestOfWhole(stream)).isEqualTo(address - FAR + 2);
    }
    table.newestChangesWhole(stream);
    assertThat(table.newestOfWhole(stream)).isEqualTo(9 * FAR);
  }

  private static StreamId id(long number) {
    return new StreamId(number >>> 1, number & 1);
  }

  private static StreamPosition end(long streamAddress, long... previous) {
    return new StreamPosition(streamAddress, Backpointers.of(previous));
  }
}
