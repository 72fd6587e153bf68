package corfu.bytes.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordCodecTest {

  private static final Address AT = new Address(7);
  private static final ByteBuffer NOTE = ByteBuffer.wrap(new byte[] {9, 8});
  private static final StreamId A = new StreamId(1, 2);
  private static final StreamId B = new StreamId(3, 4);

  private static ByteBuffer hex(String text) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  static List<BytesRecord> withoutData() {
    return List.of(
        new BytesRecord.Truncate(0),
        new BytesRecord.Truncate(RecordCodec.MAX_SIZE),
        new BytesRecord.Punch(4_096, 10),
        new BytesRecord.Clone(A, 1_000, B),
        new BytesRecord.Clone(A, BytesRecord.NEWEST, A),
        new BytesRecord.Release(B),
        new BytesRecord.Copy(
            100, 50, List.of(new Extent(100, 5, 7, 12), new Extent(120, 30, 6, 0))),
        new BytesRecord.Copy(0, 1, List.of()));
  }

  @ParameterizedTest
  @MethodSource("withoutData")
  void aRecordIsDecodedAsItWas(BytesRecord record) {
    RecordCodec.Decoded decoded = RecordCodec.decode(AT, RecordCodec.encode(NOTE, record));

    assertThat(decoded.record()).isEqualTo(record);
    assertThat(decoded.note()).isEqualTo(NOTE);
  }

  @Test
  void aWriteSaysWhereItsDataIs() {
    ByteBuffer encoded = RecordCodec.write(NOTE, 4_096, hex("01 02 03"));

    assertThat(encoded).isEqualTo(hex("CB 01 01 02 0908 0010000000000000 010203"));
    assertThat(RecordCodec.decode(AT, encoded).record())
        .isEqualTo(new BytesRecord.Write(4_096, 14, 3));
  }

  @Test
  void anAppendSaysWhereItsDataIs() {
    ByteBuffer encoded = RecordCodec.append(ByteBuffer.allocate(0), hex("01 02"));

    assertThat(encoded).isEqualTo(hex("CB 01 02 00 0102"));
    assertThat(RecordCodec.decode(AT, encoded).record()).isEqualTo(new BytesRecord.Append(4, 2));
  }

  @Test
  void aCloneHasThisFormat() {
    assertThat(RecordCodec.encode(ByteBuffer.allocate(0), new BytesRecord.Clone(A, 5, B)))
        .isEqualTo(
            hex(
                "CB 01 05 00 0100000000000000 0200000000000000 0500000000000000"
                    + " 0300000000000000 0400000000000000"));
  }

  @ParameterizedTest
  @MethodSource("withoutData")
  void aRecordThatIsCutOrTooLongIsRefused(BytesRecord record) {
    ByteBuffer encoded = RecordCodec.encode(NOTE, record);
    for (int length = 0; length < encoded.limit(); length++) {
      int lost = encoded.limit() - length;
      if (record instanceof BytesRecord.Copy && lost % RecordCodec.EXTENT_BYTES == 0) {
        continue; // a copy of fewer extents is a record, too
      }
      ByteBuffer cut = encoded.slice(0, length);
      assertThatThrownBy(() -> RecordCodec.decode(AT, cut))
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("address 7");
    }
    ByteBuffer longer = ByteBuffer.allocate(encoded.limit() + 1).put(encoded).rewind();
    assertThatThrownBy(() -> RecordCodec.decode(AT, longer))
        .isInstanceOf(DamagedRecordException.class);
  }

  @Test
  void fieldsOutOfRangeAreRefused() {
    for (String bytes :
        List.of(
            "CB 01 01 00 FFFFFFFFFFFFFFFF 01",
            "CB 01 01 00 0000000000000040 01",
            "CB 01 03 00 0100000000000040",
            "CB 01 04 00 0000000000000000 FFFFFFFFFFFFFFFF",
            "CB 01 07 00",
            "CB 01 08 00",
            "CB 01 07 00 0000000000000000 0000000000000000",
            "CB 01 07 00 0000000000000000 0200000000000000"
                + "0100000000000000 0200000000000000 0000000000000000 0000000000000000",
            "CB 01 07 00 0000000000000000 0200000000000000"
                + "0000000000000000 0200000000000000 0000000000000000 FFFFFF7F00000000",
            "CB 02 03 00 0000000000000000",
            "00 01 03 00 0000000000000000")) {
      assertThatThrownBy(() -> RecordCodec.decode(AT, hex(bytes)))
          .as(bytes)
          .isInstanceOf(DamagedRecordException.class);
    }
  }

  @Test
  void aNoteThatIsTooLongIsRefused() {
    assertThatThrownBy(() -> RecordCodec.append(ByteBuffer.allocate(256), ByteBuffer.allocate(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("255");
  }
}
