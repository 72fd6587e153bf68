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

  private static ByteBuffer hex(String text) {
    return ByteBuffer.wrap(HexFormat.of().parseHex(text));
  }

  private static CheckpointPiece piece(OptionalLong until) {
    return new CheckpointPiece(until, 5, 0, 1, FIELDS, EXTENTS);
  }

  @Test
  void theBytesOfAPieceStayTheSame() {
    assertThat(piece(OptionalLong.empty()).encoded())
        .isEqualTo(hex("cb010801" + "09" + STATE + EXTENT));
    assertThat(piece(OptionalLong.of(256)).encoded())
        .isEqualTo(hex("cb010901" + "09" + STATE + "0001000000000000" + EXTENT));
  }

  @Test
  void aPieceIsReadAsItWasWritten() {
    for (OptionalLong until : List.of(OptionalLong.empty(), OptionalLong.of(256))) {
      assertThat(CheckpointPiece.decode(new Address(1), piece(until).encoded()))
          .isEqualTo(piece(until));
    }
  }

  @Test
  void aPieceKeepsTheWriterOfItsArray() {
    ByteBuffer owner = ByteBuffer.wrap(new byte[] {7, 8});
    CheckpointPiece.Fields fields =
        new CheckpointPiece.Fields(100, 7, 4_096, 99, 1, NOTE, new WriterMark(3, true, owner, 50));
    String writer = "0300000000000000" + "3200000000000000" + "01" + "02" + "0708";
    var piece = new CheckpointPiece(OptionalLong.empty(), 5, 0, 1, fields, EXTENTS);
    var floor = new CheckpointPiece(OptionalLong.of(256), 5, 0, 1, fields, EXTENTS);

    assertThat(piece.encoded()).isEqualTo(hex("cb010a01" + "09" + STATE + writer + EXTENT));
    assertThat(floor.encoded())
        .isEqualTo(hex("cb010b01" + "09" + STATE + "0001000000000000" + writer + EXTENT));
    assertThat(CheckpointPiece.decode(new Address(1), piece.encoded())).isEqualTo(piece);
    assertThat(CheckpointPiece.decode(new Address(1), floor.encoded())).isEqualTo(floor);
    for (int length = 0; length < floor.encoded().limit() - 32; length++) {
      ByteBuffer part = floor.encoded().slice(0, length);
      assertThatThrownBy(() -> CheckpointPiece.decode(new Address(9), part))
          .isInstanceOf(DamagedRecordException.class);
    }
  }

  @Test
  void aShorterPieceIsDamaged() {
    ByteBuffer whole = piece(OptionalLong.of(256)).encoded();
    for (int length = 0; length < whole.limit() - 32; length++) {
      ByteBuffer part = whole.slice(0, length);
      assertThatThrownBy(() -> CheckpointPiece.decode(new Address(9), part))
          .as("%d bytes", length)
          .isInstanceOf(DamagedRecordException.class)
          .hasMessageContaining("9");
    }
  }
}
