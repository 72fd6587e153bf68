package corfu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** An entry's stream headers (dissertation, section 4.1). */
class EntryStreamsTest {

  private static final AppendId ID = new AppendId(1, 2);
  private static final StreamId ONE = new StreamId(0, 1);
  private static final StreamId TWO = new StreamId(0, 2);
  private static final StreamId LAST = new StreamId(-1, -1);
  private static final ByteBuffer PAYLOAD =
      ByteBuffer.wrap("payload".getBytes(StandardCharsets.US_ASCII));

  private static Entry entry(long address, StreamHeader... streams) {
    return Entry.data(address, ID, List.of(streams), PAYLOAD.duplicate());
  }

  private static Backpointers read(long address, long... previous) {
    Entry entry = entry(address, new StreamHeader(ONE, 9, Backpointers.of(previous)));
    assertThat(entry.isIntact()).isTrue();
    return Entry.wrap(entry.bytes()).stream(0).previous();
  }

  @Test
  void anEntryKeepsItsStreamsBesideItsPayload() {
    var one = new StreamHeader(ONE, 5, Backpointers.of(99, 98, 50, 7));
    var last = new StreamHeader(LAST, 0, Backpointers.NONE);
    Entry entry = Entry.wrap(entry(100, one, last).bytes());
    assertThat(entry.streamCount()).isEqualTo(2);
    assertThat(entry.stream(0)).isEqualTo(one);
    assertThat(entry.stream(LAST)).contains(last);
    assertThat(entry.stream(TWO)).isEmpty();
    assertThat(entry.payload()).isEqualTo(PAYLOAD);
    assertThat(entry.payloadBytes()).isEqualTo(7);
  }

  @Test
  void distancesUpToTwoBytesAreRelative() {
    assertThat(read(70_000, 69_999, 4_465)).isEqualTo(Backpointers.of(69_999, 4_465));
  }

  @Test
  void backpointersThatAreTooFarAreLeftOutWhereOneIsNear() {
    assertThat(read(70_000, 69_999, 4_465, 4_464, 3)).isEqualTo(Backpointers.of(69_999, 4_465));
  }

  @Test
  void whereAllAreTooFarTheNewestIsAbsolute() {
    assertThat(read(70_000, 4_464, 4_463, 3)).isEqualTo(Backpointers.of(4_464));
    assertThat(read(Long.MAX_VALUE - 1, 0)).isEqualTo(Backpointers.of(0));
  }

  @Test
  void theFirstEntryOfAStreamHasNoBackpointers() {
    assertThat(read(0)).isEqualTo(Backpointers.NONE);
    assertThat(read(1L << 50)).isEqualTo(Backpointers.NONE);
  }

  @Test
  void anEntryHasRoomForAsManyStreamsAsItSays() {
    List<StreamHeader> most = new ArrayList<>();
    for (int i = 1; i <= Entry.MOST_STREAMS; i++) {
      most.add(new StreamHeader(new StreamId(0, i), i, Backpointers.NONE));
    }
    Entry entry = Entry.wrap(Entry.data(1, ID, most, PAYLOAD.duplicate()).bytes());
    assertThat(entry.stream(Entry.MOST_STREAMS - 1)).isEqualTo(most.getLast());
    assertThat(entry.payload()).isEqualTo(PAYLOAD);
    most.add(new StreamHeader(LAST, 0, Backpointers.NONE));
    assertThatThrownBy(() -> Entry.data(1, ID, most, PAYLOAD.duplicate()))
        .hasMessageContaining("up to " + Entry.MOST_STREAMS);
  }

  @Test
  void streamsOfAnEntryAscend() {
    var one = new StreamHeader(ONE, 0, Backpointers.NONE);
    var last = new StreamHeader(LAST, 0, Backpointers.NONE);
    assertThatThrownBy(() -> entry(1, last, one)).hasMessageContaining("do not ascend");
    assertThatThrownBy(() -> entry(1, one, one)).hasMessageContaining("do not ascend");
  }

  @Test
  void bytesThatClaimMoreStreamsThanFitAreNoEntry() {
    ByteBuffer bytes = ByteBuffer.allocate(47).put(entry(1).bytes()).flip();
    bytes.putShort(36, (short) 0x0100);
    assertThatThrownBy(() -> Entry.wrap(bytes)).hasMessageContaining("1 streams");
  }

  @ParameterizedTest
  @CsvSource({
    "64, 0000, a distance of nothing, though relative",
    "66, 0100, a distance that is no longer than the one before it",
    "66, ffff, a distance beyond the beginning of the log",
    "63, 80, an absolute backpointer that leads forward",
    "40, ff, streams that do not ascend"
  })
  void anEntryThatSaysOfItsStreamsWhatCannotBeIsNone(int at, String bytes, String what) {
    var one = new StreamHeader(ONE, 5, Backpointers.of(98, 7));
    var two = new StreamHeader(TWO, 5, Backpointers.of(97));
    ByteBuffer all = entry(100, one, two).bytes();
    ByteBuffer damaged = ByteBuffer.allocate(all.remaining()).put(all).flip();
    assertThat(Entry.wrap(damaged).streams()).containsExactly(one, two);
    damaged.put(at, HexFormat.of().parseHex(bytes));
    assertThatThrownBy(() -> Entry.wrap(damaged))
        .as(what)
        .hasMessageContaining("impossible stream header");
  }

  @Test
  void headersAreTheseBytes() {
    var near = new StreamHeader(new StreamId(1, 2), 3, Backpointers.of(0x10003, 0x0ffff, 5));
    var far = new StreamHeader(new StreamId(1, 3), 4, Backpointers.of(4));
    var first = new StreamHeader(LAST, 0, Backpointers.NONE);
    ByteBuffer bytes = entry(0x10005, near, far, first).bytes();
    byte[] headers = new byte[3 * StreamHeader.BYTES];
    bytes.get(40, headers);
    assertThat(HexFormat.of().formatHex(headers))
        .isEqualTo(
            "0100000000000000"
                + "0200000000000000"
                + "0300000000000000"
                + "0200060000000000"
                + "0100000000000000"
                + "0300000000000000"
                + "0400000000000080"
                + "0400000000000000"
                + "ffffffffffffffff"
                + "ffffffffffffffff"
                + "0000000000000080"
                + "ffffffffffffffff");
    assertThat(HexFormat.of().formatHex(new byte[] {bytes.get(34), bytes.get(35)}))
        .isEqualTo("8800");
    assertThat(HexFormat.of().formatHex(new byte[] {bytes.get(36), bytes.get(37)}))
        .isEqualTo("0300");
  }

  @Test
  void aNameAlwaysMeansTheSameStream() {
    StreamId orders = StreamId.named("orders");
    assertThat(orders).hasToString("12c500ed-0b78-3910-9fb4-6af0f246be87");
    assertThat(StreamId.parse(orders.toString())).isEqualTo(orders);
  }

  @Test
  void theOldestBackpointerMakesRoom() {
    assertThat(Backpointers.of(9, 7, 5, 3).behind(11)).isEqualTo(Backpointers.of(11, 9, 7, 5));
    assertThatThrownBy(() -> Backpointers.of(9).behind(9)).hasMessageContaining("descend");
  }
}
