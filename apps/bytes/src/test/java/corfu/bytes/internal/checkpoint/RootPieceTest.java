package corfu.bytes.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RootPieceTest {

  private static final ByteBuffer NOTE = ByteBuffer.wrap(new byte[] {9}).asReadOnlyBuffer();
  private static final byte[] PAGES = {1, 2, 3};
  private static final RootPiece ROOT =
      new RootPiece(
          new CheckpointPiece.Fields(100, 7, 4_096, 99, 1, NOTE, WriterMark.NONE),
          OptionalLong.of(256),
          OptionalLong.of(5),
          17,
          34,
          51,
          2,
          PAGES);

  private static final String ENCODED =
      "cb020b01"
          + "010203"
          + "6400000000000000"
          + "0700000000000000"
          + "0010000000000000"
          + "6300000000000000"
          + "01000000"
          + "0001000000000000"
          + "0500000000000000"
          + "1100000000000000"
          + "2200000000000000"
          + "3300000000000000"
          + "02000000"
          + "09";

  private static ByteBuffer hex(String text) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(text));
  }

  @Test
  void theBytesOfARootStayTheSame() {
    assertThat(ROOT.encoded()).isEqualTo(hex(ENCODED));
    assertThat(RootPiece.decode(new Address(1), hex(ENCODED))).isEqualTo(ROOT);
    assertThat(ROOT.root()).containsExactly(3);
  }

  @Test
  void aRootKeepsTheWriterOfItsArray() {
    ByteBuffer owner = ByteBuffer.wrap(new byte[] {7, 8});
    RootPiece root = withWriter(new WriterMark(3, true, owner, 50));
    String writer = "0708" + "02" + "01" + "0300000000000000" + "3200000000000000";
    String encoded = ENCODED.replaceFirst("^cb020b", "cb020c") + writer;

    assertThat(root.encoded()).isEqualTo(hex(encoded));
    assertThat(RootPiece.decode(new Address(1), hex(encoded))).isEqualTo(root);
    assertThat(RootPiece.decode(new Address(1), hex(encoded)).fields().writer())
        .isEqualTo(new WriterMark(3, true, owner, 50));
    RootPiece left = withWriter(new WriterMark(3, false, ByteBuffer.allocate(0), 60));
    assertThat(RootPiece.decode(new Address(1), left.encoded()).fields().writer())
        .isEqualTo(left.fields().writer());
  }

  private static RootPiece withWriter(WriterMark writer) {
    return new RootPiece(
        new CheckpointPiece.Fields(100, 7, 4_096, 99, 1, NOTE, writer),
        ROOT.until(),
        ROOT.oldestPlace(),
        ROOT.oldestAt(),
        ROOT.written(),
        ROOT.treeBytes(),
        ROOT.rootAt(),
        ROOT.pages());
  }

  @Test
  void aLargeOwnerAndNoteFitBesideThePages() {
    ByteBuffer most = ByteBuffer.allocate(255);
    RootPiece root =
        new RootPiece(
            new CheckpointPiece.Fields(
                100, 7, 4_096, 99, 1, most, new WriterMark(1, true, most, 5)),
            ROOT.until(),
            ROOT.oldestPlace(),
            17,
            34,
            51,
            2,
            PAGES);
    assertThat(root.encoded().remaining() - PAGES.length)
        .isLessThanOrEqualTo(RootPiece.MOST_BYTES_BESIDE_PAGES);
  }

  @Test
  void theBytesOfPagesStayTheSame() {
    ByteBuffer entry = RootPiece.encodePages(ByteBuffer.wrap(PAGES));
    assertThat(entry).isEqualTo(hex("cb020a00" + "010203"));
    assertThat(RootPiece.isPages(entry)).isTrue();
    assertThat(RootPiece.isPages(ROOT.encoded())).isFalse();
    assertThat(RootPiece.pages(new Address(1), entry)).isEqualTo(PAGES);
    assertThat(RootPiece.pages(new Address(1), ROOT.encoded())).isEqualTo(PAGES);
  }

  @Test
  void aRootMayHaveNoOptionalFields() {
    RootPiece root =
        new RootPiece(
            new CheckpointPiece.Fields(0, 0, 0, -1, 0, ByteBuffer.allocate(0), WriterMark.NONE),
            OptionalLong.empty(),
            OptionalLong.empty(),
            0,
            0,
            0,
            -1,
            new byte[0]);
    assertThat(RootPiece.decode(new Address(1), root.encoded())).isEqualTo(root);
    assertThat(root.isEmpty()).isTrue();
  }

  @Test
  void aShorterEntryIsDamaged() {
    for (int length = 0; length < ENCODED.length() / 2 - PAGES.length; length++) {
      ByteBuffer part = hex(ENCODED).slice(0, length);
      assertThatThrownBy(() -> RootPiece.decode(new Address(9), part))
          .as("%d bytes", length)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("9");
    }
  }
}
