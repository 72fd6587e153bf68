package corfu.silver.internal.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SilverCodecTest {

  private static final Address ADDRESS = new Address(7);
  private static final Stamp STAMP = new Stamp(new Timestamp(-5, 999_999_999), 1000);
  private static final StreamId STREAM = new StreamId(1, -2);
  private static final NodeId NODE =
      NodeId.of(STREAM, List.of(new Hop(new StreamId(3, 4), 5), new Hop(new StreamId(6, 7), 8)));
  private static final FileName NAME = FileName.of("näme");
  private static final Child CHILD = new Child(NODE, FileMode.REGULAR);
  private static final byte[] BYTES = {1, 2, 3};
  private static final NewNode STATE =
      new NewNode(FileMode.REGULAR | 0644, 1, 2, 3, BYTES, Map.of(NAME, BYTES));

  private static final List<SilverRecord> RECORDS =
      List.of(
          new SilverRecord.Make(STREAM, STATE),
          new SilverRecord.Create(NODE, NAME, STREAM, STATE),
          new SilverRecord.Link(NODE, NAME, CHILD),
          new SilverRecord.Clone(NODE, NAME, CHILD),
          new SilverRecord.Unlink(NODE, NAME, NODE, FileMode.DIRECTORY),
          new SilverRecord.Rename(NODE, NAME, NODE, NAME, CHILD, Optional.empty()),
          new SilverRecord.Rename(NODE, NAME, NODE, NAME, CHILD, Optional.of(CHILD)),
          new SilverRecord.Exchange(NODE, NAME, NODE, NAME, CHILD, CHILD),
          new SilverRecord.SetAttributes(
              OptionalInt.of(0600),
              OptionalInt.empty(),
              OptionalInt.of(-1),
              Optional.empty(),
              Optional.of(new Timestamp(1, 2))),
          new SilverRecord.SetExtendedAttribute(NAME, Optional.empty(), OptionalInt.empty()),
          new SilverRecord.SetExtendedAttribute(NAME, Optional.of(BYTES), OptionalInt.empty()),
          new SilverRecord.SetExtendedAttribute(NAME, Optional.of(BYTES), OptionalInt.of(0750)),
          new SilverRecord.WriteInline(9, BYTES),
          new SilverRecord.ResizeInline(4096),
          new SilverRecord.Forget(1_200));

  @Test
  void aRecordIsReadAsItWasWritten() {
    for (SilverRecord record : RECORDS) {
      SilverCodec.Decoded decoded = SilverCodec.decode(ADDRESS, SilverCodec.encode(STAMP, record));
      assertThat(decoded.stamp()).isEqualTo(STAMP);
      assertThat(decoded.record()).usingRecursiveComparison().isEqualTo(record);
    }
  }

  @Test
  void theBytesOfAGivenUpHistoryStayTheSame() {
    assertThat(SilverCodec.encode(STAMP, new SilverRecord.Forget(0x1234)))
        .isEqualTo(
            ByteBuffer.wrap(
                HexFormat.of()
                    .parseHex(
                        "a6010c"
                            + "fbffffffffffffff"
                            + "ffc99a3b"
                            + "e8030000"
                            + "3412000000000000")));
  }

  @Test
  void theFirstWriteOfADataStreamMovesTheBytesOfAFile() {
    ByteBuffer write = DataEntries.write(STAMP, 3, ByteBuffer.wrap(BYTES));
    assertThat(SilverCodec.decode(ADDRESS, write))
        .isEqualTo(new SilverCodec.Decoded(STAMP, new SilverRecord.Spill()));
    assertThat(SilverCodec.decode(ADDRESS, DataEntries.resize(STAMP, 1 << 20)))
        .isEqualTo(new SilverCodec.Decoded(STAMP, new SilverRecord.Spill()));
  }

  @Test
  void aShorterOrLongerRecordIsDamaged() {
    for (SilverRecord record : RECORDS) {
      ByteBuffer whole = SilverCodec.encode(STAMP, record);
      for (int length = 0; length < whole.limit(); length++) {
        ByteBuffer part = whole.slice(0, length);
        assertThatThrownBy(() -> SilverCodec.decode(ADDRESS, part))
            .as("%d bytes of %s", length, record)
            .isInstanceOf(DamagedEntryException.class)
            .hasMessageContaining("address 7");
      }
      ByteBuffer longer = ByteBuffer.allocate(whole.limit() + 1).put(whole.duplicate()).clear();
      assertThatThrownBy(() -> SilverCodec.decode(ADDRESS, longer))
          .isInstanceOf(DamagedEntryException.class);
    }
  }

  @Test
  void alteredBytesAreARecordOrDamaged() {
    Random random = new Random(1);
    for (int i = 0; i < 50_000; i++) {
      ByteBuffer bytes = SilverCodec.encode(STAMP, RECORDS.get(i % RECORDS.size()));
      bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt());
      try {
        assertThat(SilverCodec.decode(ADDRESS, bytes).record()).isNotNull();
      } catch (DamagedEntryException expected) {
        assertThat(expected).hasMessageContaining("address 7");
      }
    }
  }

  @Test
  void aNameThatNobodyCouldReadIsNotWritten() {
    for (String name : List.of("", "x".repeat(256))) {
      var record = new SilverRecord.Link(NODE, FileName.of(name), CHILD);
      assertThatThrownBy(() -> SilverCodec.encode(STAMP, record))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("1 to 255 bytes");
    }
  }
}
