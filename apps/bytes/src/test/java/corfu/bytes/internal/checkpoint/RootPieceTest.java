package corfu.bytes.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
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
          new CheckpointPiece.Fields(100, 7, 4_096, 99, 1, NOTE),
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
            new CheckpointPiece.Fields(0, 0, 0, -1, 0, ByteBuffer.allocate(0)),
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
