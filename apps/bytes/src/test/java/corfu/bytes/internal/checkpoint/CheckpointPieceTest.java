package corfu.bytes.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.bytes.DamagedRecordException;
import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class CheckpointPieceTest {

  private static final ByteBuffer NOTE = ByteBuffer.wrap(new byte[] {9}).asReadOnlyBuffer();
  private static final CheckpointPiece.Fields FIELDS =
      new CheckpointPiece.Fields(100, 7, 4_096, 99, 1, NOTE, WriterMark.NONE);
  private static final List<Extent> EXTENTS = List.of(new Extent(0, 3, 99, 12));

  private static final String STATE =
      "0500000000000000"
          + "00000000"
          + "01000000"
          + "6400000000000000"
          + "0700000000000000"
          + "0010000000000000"
          + "6300000000000000"
          + "01000000";
  private static final String EXTENT =
      "0000000000000000" + "0300000000000000" + "6300000000000000" + "0c00000000000000";

  private static final ByteBuffer PLAIN = hex("cb010801" + "09" + STATE + EXTENT);
  private static final ByteBuffer FLOOR =
      hex("cb010901" + "09" + STATE + "0001000000000000" + EXTENT);

  private static ByteBuffer hex(String text) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(text));
  }

  private static CheckpointPiece piece(OptionalLong until) {
    return new CheckpointPiece(until, 5, 0, 1, FIELDS, EXTENTS);
  }

  @Test
  void aPieceOfVersion1IsStillRead() {
    assertThat(CheckpointPiece.decode(new Address(1), PLAIN))
        .isEqualTo(piece(OptionalLong.empty()));
    assertThat(CheckpointPiece.decode(new Address(1), FLOOR))
        .isEqualTo(piece(OptionalLong.of(256)));
  }

  @Test
  void aShorterPieceIsDamaged() {
    ByteBuffer whole = FLOOR.duplicate();
    for (int length = 0; length < whole.limit() - 32; length++) {
      ByteBuffer part = whole.slice(0, length);
      assertThatThrownBy(() -> CheckpointPiece.decode(new Address(9), part))
          .as("%d bytes", length)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("9");
    }
  }
}
