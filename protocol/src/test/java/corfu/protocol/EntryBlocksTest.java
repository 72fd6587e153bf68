package corfu.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HexFormat;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Blocks of a payload prove themselves, without the rest of their entry. */
final class EntryBlocksTest {

  private static final AppendId APPEND = new AppendId(0xc0ffee0123456789L, 42);
  private static final int BYTES = 50_000;
  private static final byte[] PAYLOAD = random(BYTES);
  private static final Entry ENTRY = Entry.data(7, APPEND, ByteBuffer.wrap(PAYLOAD));

  private static byte[] random(int bytes) {
    byte[] payload = new byte[bytes];
    new SplittableRandom(bytes).nextBytes(payload);
    return payload;
  }

  private static EntryBlocks blocks(int offset, int length) {
    return ENTRY.blocks(new PayloadRange(7, offset, length)).orElseThrow();
  }

  @ParameterizedTest
  @CsvSource({"0,1", "0,4096", "4095,2", "4096,4096", "12345,20000", "49999,1", "0,50000"})
  void aRangeIsReadFromItsBlocks(int offset, int length) {
    PayloadRange range = new PayloadRange(7, offset, length);
    EntryBlocks blocks = blocks(offset, length);

    assertThat(blocks.isIntact()).isTrue();
    assertThat(blocks.covers(range)).isTrue();
    assertThat(blocks.payload(range)).isEqualTo(ByteBuffer.wrap(PAYLOAD, offset, length));
    assertThat(blocks.payloadBytes()).isEqualTo(BYTES);
    assertThat(blocks.lengthBytes()).isLessThan(length + 2 * 4096 + 200);
  }

  @Test
  void aRangeThatReachesBeyondThePayloadEndsWithIt() {
    PayloadRange long_ = new PayloadRange(7, 49_000, Integer.MAX_VALUE);
    assertThat(blocks(49_000, Integer.MAX_VALUE).payload(long_).remaining()).isEqualTo(1_000);

    PayloadRange behind = new PayloadRange(7, 60_000, 10);
    EntryBlocks last = blocks(60_000, 10);
    assertThat(last.isIntact()).isTrue();
    assertThat(last.covers(behind)).isTrue();
    assertThat(last.payload(behind).remaining()).isZero();
  }

  @Test
  void everyFlippedBitIsNoticed() {
    EntryBlocks whole = blocks(BYTES - 1, 1);
    for (int bit = 0; bit < 8 * whole.lengthBytes(); bit++) {
      byte[] bytes = new byte[whole.lengthBytes()];
      whole.bytes().get(bytes);
      bytes[bit / 8] ^= (byte) (1 << bit % 8);
      assertThat(isIntact(bytes)).as("bit %s", bit).isFalse();
    }
  }

  private static boolean isIntact(byte[] bytes) {
    try {
      return EntryBlocks.wrap(ByteBuffer.wrap(bytes)).isIntact();
    } catch (IllegalArgumentException malformed) {
      return false;
    }
  }

  @Test
  void anotherBlockOrTheSameBlockOfAnotherEntryDoesNotMatch() {
    byte[] zeros = new byte[BYTES];
    Entry here = Entry.data(7, APPEND, ByteBuffer.wrap(zeros));
    Entry there = Entry.data(8, APPEND, ByteBuffer.wrap(zeros));
    Entry later = Entry.data(7, new AppendId(1, 2), ByteBuffer.wrap(zeros));
    Entry longer = Entry.data(7, APPEND, ByteBuffer.allocate(BYTES + 1));
    PayloadRange first = new PayloadRange(7, 0, 1);
    int checksum = checksum(here, first);

    assertThat(checksum(here, new PayloadRange(7, 4096, 1))).isNotEqualTo(checksum);
    assertThat(checksum(there, first)).isNotEqualTo(checksum);
    assertThat(checksum(later, first)).isNotEqualTo(checksum);
    assertThat(checksum(longer, first)).isNotEqualTo(checksum);
  }

  private static int checksum(Entry entry, PayloadRange range) {
    ByteBuffer bytes = entry.blocks(range).orElseThrow().bytes().order(ByteOrder.LITTLE_ENDIAN);
    return bytes.getInt(EntryBlocks.HEADER_BYTES);
  }

  /** Other implementations check themselves against this value. */
  @Test
  void theChecksumCoversAddressAppendLengthNumberAndBytes() {
    byte[] payload = new byte[20_000];
    IntStream.range(0, payload.length).forEach(i -> payload[i] = (byte) i);
    Entry entry = Entry.data(1_002, APPEND, ByteBuffer.wrap(payload));
    CRC32C crc = new CRC32C();
    crc.update(HexFormat.of().parseHex("ea03000000000000" + "8967452301eeffc0"));
    crc.update(HexFormat.of().parseHex("2a00000000000000" + "204e0000" + "01000000"));
    crc.update(payload, 4096, 4096);

    assertThat(checksum(entry, new PayloadRange(1_002, 5_000, 1))).isEqualTo((int) crc.getValue());
    assertThat(crc.getValue()).isEqualTo(CHECKSUM);
  }

  private static final long CHECKSUM = 0x7c7765edL;

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 4096, PayloadBlocks.LARGEST_UNDIVIDED_BYTES})
  void aSmallEntryHasNoBlockChecksums(int bytes) {
    Entry entry = Entry.data(7, APPEND, ByteBuffer.allocate(bytes));

    assertThat(entry.blocks(new PayloadRange(7, 0, 1))).isEmpty();
    assertThat(entry.lengthBytes()).isEqualTo(Entry.HEADER_BYTES + bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {16_385, 1 << 20, 16 << 20, (16 << 20) + 1, 100_000_000})
  void aLargeEntryHasAtMost4096BlockChecksums(int bytes) {
    int checksums = Entry.lengthOf(bytes, 0) - Entry.HEADER_BYTES - bytes;
    assertThat(checksums).isBetween(4, 16 << 10).isEven();
  }

  @Test
  void anEntryWithBlockChecksumsIsReadAsBefore() {
    List<StreamHeader> streams =
        List.of(new StreamHeader(new StreamId(1, 2), 3, Backpointers.of(5)));
    Entry entry = Entry.data(7, APPEND, streams, ByteBuffer.wrap(PAYLOAD));
    Entry read = Entry.wrap(entry.bytes());

    assertThat(read.isIntact()).isTrue();
    assertThat(read.payload()).isEqualTo(ByteBuffer.wrap(PAYLOAD));
    assertThat(read.streams()).isEqualTo(streams);
    assertThat(read.lengthBytes()).isEqualTo(Entry.lengthOf(BYTES, 1));
    assertThat(read.blocks(new PayloadRange(7, 0, BYTES)).orElseThrow().isIntact()).isTrue();
  }

  @Test
  void anEntryWithTheMostStreamsHasNoRoomForChecksums() {
    List<StreamHeader> streams =
        IntStream.range(0, Entry.MOST_STREAMS)
            .mapToObj(i -> new StreamHeader(new StreamId(1, i), 0, Backpointers.NONE))
            .toList();
    Entry entry = Entry.data(7, APPEND, streams, ByteBuffer.wrap(PAYLOAD));

    assertThat(entry.blocks(new PayloadRange(7, 0, 1))).isEmpty();
    assertThat(entry.payload()).isEqualTo(ByteBuffer.wrap(PAYLOAD));
  }

  @Test
  void blocksThatTheirBytesCannotHoldAreRefused() {
    byte[] bytes = new byte[EntryBlocks.HEADER_BYTES + 4 + 10];
    ByteBuffer header = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    header.putInt(24, 10).putInt(32, 1).putInt(36, 12);
    assertThat(EntryBlocks.wrap(header).payloadBytes()).isEqualTo(10);

    refuses(header, 0, -1);
    refuses(header, 24, 0);
    refuses(header, 24, 11);
    refuses(header, 24, Integer.MAX_VALUE);
    refuses(header, 28, -1);
    refuses(header, 28, 1);
    refuses(header, 32, 0);
    refuses(header, 32, Integer.MAX_VALUE);
    refuses(header, 36, 11);
    refuses(header, 36, 31);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> EntryBlocks.wrap(header.slice(0, header.limit() - 1)));
    assertThatIllegalArgumentException().isThrownBy(() -> EntryBlocks.wrap(header.slice(0, 39)));
  }

  private static void refuses(ByteBuffer header, int at, int value) {
    ByteBuffer changed = ByteBuffer.allocate(header.limit()).order(ByteOrder.LITTLE_ENDIAN);
    changed.put(0, header, 0, header.limit());
    if (at == 0) {
      changed.putLong(0, value);
    } else {
      changed.putInt(at, value);
    }
    assertThatIllegalArgumentException().isThrownBy(() -> EntryBlocks.wrap(changed));
  }

  @Test
  void aRangeOfNoBytesOrAtANegativeOffsetIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new PayloadRange(7, 0, 0));
    assertThatIllegalArgumentException().isThrownBy(() -> new PayloadRange(7, -1, 1));
    assertThatIllegalArgumentException().isThrownBy(() -> new PayloadRange(-1, 0, 1));
  }
}
