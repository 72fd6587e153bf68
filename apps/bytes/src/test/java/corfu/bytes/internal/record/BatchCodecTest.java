package corfu.bytes.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.record.BatchData.Change;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class BatchCodecTest {

  private static final Address AT = new Address(7);
  private static final ByteBuffer NOTE = ByteBuffer.wrap(new byte[] {9, 8});

  private static ByteBuffer hex(String text) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(text.replace(" ", "")));
  }

  private static RecordCodec.EncodedBatch encode(Change... changes) {
    return RecordCodec.encode(NOTE, 3, 5, new BatchData(List.of(changes)));
  }

  @Test
  void theBytesOfABatchStayTheSame() {
    RecordCodec.EncodedBatch batch =
        encode(
            new Change.Write(4_096, hex("010203")),
            new Change.Punch(0, 512),
            new Change.Resize(1 << 20),
            new Change.Move(200, hex("0405"), 300, 17));

    assertThat(batch.payload())
        .isEqualTo(
            hex(
                "CB 01 12 02 0908"
                    + "0300000000000000 0500000000000000 32000000 38000000 04000000"
                    + "0C 8020" // write, 3 bytes
                    + "8110 00" // punch
                    + "82808002" // resize
                    + "0B C801 AC02 11" // move, 2 bytes
                    + "000000000000"
                    + "010203 0405"));
    assertThat(batch.decoded().record())
        .isEqualTo(
            new BytesRecord.Batch(
                3,
                5,
                List.of(
                    new BytesRecord.Write(4_096, 56, 3),
                    new BytesRecord.Punch(0, 512),
                    new BytesRecord.Truncate(1 << 20),
                    new BytesRecord.Move(200, 59, 2, 300, 17))));
    assertThat(RecordCodec.decode(AT, batch.payload())).isEqualTo(batch.decoded());
  }

  @Test
  void takeOversAndLeavesStayTheSame() {
    assertThat(RecordCodec.encode(NOTE, new BytesRecord.TakeOver(hex("0102"))))
        .isEqualTo(hex("CB 01 10 02 0908 0102"));
    assertThat(RecordCodec.encode(NOTE, new BytesRecord.GiveUp(5)))
        .isEqualTo(hex("CB 01 11 02 0908 0500000000000000"));
    for (BytesRecord record :
        List.of(
            new BytesRecord.TakeOver(ByteBuffer.allocate(255)),
            new BytesRecord.TakeOver(ByteBuffer.allocate(0)),
            new BytesRecord.GiveUp(Long.MAX_VALUE))) {
      assertThat(RecordCodec.decode(AT, RecordCodec.encode(NOTE, record)).record())
          .isEqualTo(record);
    }
  }

  @Test
  void batchesAreDecodedAsTheyWere() {
    Random random = new Random(5);
    for (int round = 0; round < 200; round++) {
      List<Change> changes = new ArrayList<>();
      int count = 1 + random.nextInt(50);
      for (int i = 0; i < count; i++) {
        long offset = random.nextLong(1L << (1 + random.nextInt(61)));
        ByteBuffer data = ByteBuffer.allocate(1 + random.nextInt(5_000));
        changes.add(
            switch (random.nextInt(4)) {
              case 0 -> new Change.Punch(offset, random.nextLong(1L << 61));
              case 1 -> new Change.Resize(offset);
              case 2 -> new Change.Move(offset, data, random.nextLong(1L << 62), 77);
              default -> new Change.Write(offset, data);
            });
      }
      RecordCodec.EncodedBatch batch = encode(changes.toArray(Change[]::new));

      assertThat(RecordCodec.decode(AT, batch.payload())).isEqualTo(batch.decoded());
      int most = Math.min(EntryDecoder.HEAD_BYTES, batch.payload().remaining());
      int head = RecordCodec.neededBytes(batch.payload().slice(0, most), 1 << 30);
      assertThat(
              RecordCodec.decode(AT, batch.payload().slice(0, head), batch.payload().remaining()))
          .isEqualTo(batch.decoded());
    }
  }

  @Test
  void theHeadOfThirtyTwoBlocksTellsAllAndTheirDataIsAligned() {
    List<Change> changes = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      changes.add(new Change.Write((10L << 30) - (i + 1) * 4_096, ByteBuffer.allocate(4_096)));
    }
    ByteBuffer payload = encode(changes.toArray(Change[]::new)).payload();

    assertThat(RecordCodec.neededBytes(payload, payload.remaining()))
        .isLessThanOrEqualTo(EntryDecoder.HEAD_BYTES);
    assertThat(payload.remaining()).isEqualTo(33 * 4_096);
  }

  @Test
  void theBeginningOfABatchTellsItsWriter() {
    ByteBuffer payload = encode(new Change.Write(0, ByteBuffer.allocate(1_000))).payload();

    RecordCodec.Decoded decoded = RecordCodec.decodeHead(AT, payload.slice(0, 512), 1_048);

    assertThat(decoded.note()).isEqualTo(NOTE);
    assertThat(decoded.record()).isEqualTo(new BytesRecord.Batch(3, 5, List.of()));
  }

  @Test
  void aBatchThatIsCutOrTooLongIsRefused() {
    ByteBuffer encoded =
        encode(new Change.Write(4_096, hex("010203")), new Change.Move(200, hex("04"), 300, 17))
            .payload();
    for (int length = 0; length < encoded.limit(); length++) {
      ByteBuffer cut = encoded.slice(0, length);
      assertThatThrownBy(() -> RecordCodec.decode(AT, cut))
          .as("%d bytes", length)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("address 7");
    }
    ByteBuffer longer = ByteBuffer.allocate(encoded.limit() + 1).put(encoded.duplicate()).flip();
    longer.limit(encoded.limit() + 1);
    assertThatThrownBy(() -> RecordCodec.decode(AT, longer))
        .isInstanceOf(DamagedRecordException.class);
  }

  @Test
  void changedBytesAreRefusedOrDecoded() {
    ByteBuffer encoded =
        encode(
                new Change.Write(4_096, hex("010203")),
                new Change.Punch(1 << 30, 1 << 20),
                new Change.Move(200, hex("04"), 300, 17))
            .payload();
    Random random = new Random(1);
    for (int round = 0; round < 20_000; round++) {
      byte[] bytes = new byte[encoded.limit()];
      encoded.get(0, bytes);
      for (int i = 0; i <= random.nextInt(3); i++) {
        bytes[3 + random.nextInt(bytes.length - 3)] = (byte) random.nextInt();
      }
      try {
        RecordCodec.decode(AT, ByteBuffer.wrap(bytes));
      } catch (DamagedRecordException refused) {
        assertThat(refused).hasMessageContaining("address 7");
      }
    }
  }
}
