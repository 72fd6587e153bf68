package corfu.silver.internal.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.fuse.protocol.Timestamp;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.silver.DamagedEntryException;
import corfu.silver.Hop;
import corfu.silver.NodeId;
import corfu.silver.internal.inode.Content;
import corfu.silver.internal.inode.DirectoryEntries;
import corfu.silver.internal.inode.DirectoryEntry;
import corfu.silver.internal.inode.Inode;
import corfu.silver.internal.inode.Times;
import corfu.silver.internal.record.Child;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.pcollections.HashTreePMap;

class InodeCodecTest {

  private static final Times TIMES =
      new Times(new Timestamp(1, 2), new Timestamp(3, 4), new Timestamp(5, 6), Timestamp.EPOCH, 7);
  private static final Hop HOP = new Hop(new StreamId(1, 2), 3);
  private static final NodeId NODE = NodeId.of(new StreamId(4, 5), List.of(HOP));
  private static final List<Content> CONTENTS =
      List.of(
          Content.Special.SPECIAL,
          Content.Spilled.SPILLED,
          new Content.Inline(new byte[] {1, 2, 3}),
          new Content.Target(new byte[] {4}),
          directory());

  private static Content directory() {
    DirectoryEntries entries = DirectoryEntries.through(List.of(HOP, HOP));
    for (int i = 0; i < 40; i++) {
      Child child = new Child(NODE, i == 7 ? FileMode.DIRECTORY : FileMode.REGULAR);
      entries = entries.with(new DirectoryEntry(FileName.of("name " + i), child, i % 3));
    }
    return new Content.Directory(entries, NODE, 1);
  }

  private static Inode inode(Content content) {
    var attributes = HashTreePMap.singleton(FileName.of("user.x"), new byte[] {9});
    return new Inode(
        FileMode.REGULAR | 0640,
        1000,
        -1,
        2,
        3,
        TIMES,
        attributes,
        Optional.of(NODE),
        content,
        true,
        1_200);
  }

  private static List<String> namesOf(Inode inode) {
    List<String> names = new ArrayList<>();
    if (inode.content() instanceof Content.Directory(var entries, var parent, int count)) {
      names.add(parent + " " + count);
      entries.forEachBehind(
          DirectoryEntries.FIRST_OFFSET,
          (name, listed) ->
              names.add(name + " " + listed.child().node().stream() + " " + listed.offset()));
    }
    return names;
  }

  @Test
  void aStateIsReadAsItWasWritten() {
    for (Content content : CONTENTS) {
      Inode before = inode(content);
      Inode after = InodeCodec.decode(InodeCodec.encode(Optional.of(before))).orElseThrow();
      assertThat(namesOf(after)).isEqualTo(namesOf(before));
      assertThat(after.times()).isEqualTo(TIMES);
      assertThat(InodeCodec.encode(Optional.of(after)))
          .isEqualTo(InodeCodec.encode(Optional.of(before)));
      assertThat(after)
          .usingRecursiveComparison()
          .ignoringFields("content", "extendedAttributes")
          .isEqualTo(before);
    }
    assertThat(InodeCodec.decode(InodeCodec.encode(Optional.empty()))).isEmpty();
  }

  @Test
  void theBytesOfAStateStayTheSame() {
    Inode small =
        new Inode(
            FileMode.REGULAR | 0640,
            1,
            2,
            0,
            3,
            TIMES,
            HashTreePMap.empty(),
            Optional.empty(),
            new Content.Inline(new byte[] {1, 2}),
            false,
            0);
    assertThat(InodeCodec.encode(Optional.of(small)))
        .isEqualTo(
            ByteBuffer.wrap(
                HexFormat.of()
                    .parseHex(
                        "01a081000001000000020000000000000003000000000000000000000000"
                            + "010000000000000002000000030000000000000004000000"
                            + "050000000000000006000000000000000000000000000000"
                            + "070000000000000000000000000202000000"
                            + "0102")));
  }

  @Test
  void aShorterStateIsDamaged() {
    for (Content content : CONTENTS) {
      ByteBuffer whole = InodeCodec.encode(Optional.of(inode(content)));
      for (int length = 0; length < whole.limit(); length++) {
        ByteBuffer part = whole.slice(0, length);
        assertThatThrownBy(() -> InodeCodec.decode(part))
            .isInstanceOfAny(BufferUnderflowException.class, IllegalArgumentException.class);
      }
    }
  }

  @Test
  void alteredBytesAreAStateOrDamaged() {
    Random random = new Random(1);
    for (int i = 0; i < 20_000; i++) {
      ByteBuffer bytes = InodeCodec.encode(Optional.of(inode(CONTENTS.get(i % 5))));
      bytes.put(random.nextInt(bytes.limit()), (byte) random.nextInt());
      try {
        assertThat(InodeCodec.decode(bytes)).isNotNull();
      } catch (BufferUnderflowException | IllegalArgumentException damaged) {
        assertThat(damaged).isNotNull();
      }
    }
  }

  @Test
  void thePiecesOfAStateAreReadAsTheyWereWritten() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {1, 2, 3}).asReadOnlyBuffer();
    var piece = new StatePiece(true, 5, 1, 2, 100, 7, bytes);
    assertThat(StatePiece.decode(new Address(1), piece.encoded())).isEqualTo(piece);
    assertThat(piece.encoded())
        .isEqualTo(
            ByteBuffer.wrap(
                HexFormat.of()
                    .parseHex(
                        "a6010e"
                            + "0500000000000000"
                            + "01000000"
                            + "02000000"
                            + "6400000000000000"
                            + "0700000000000000"
                            + "010203")));
    assertThatThrownBy(() -> StatePiece.decode(new Address(9), ByteBuffer.allocate(100)))
        .isInstanceOf(DamagedEntryException.class)
        .hasMessageContaining("address 9");
    ByteBuffer wrong = new StatePiece(false, 5, 2, 2, 100, 7, bytes).encoded();
    assertThatThrownBy(() -> StatePiece.decode(new Address(9), wrong))
        .isInstanceOf(DamagedEntryException.class);
  }
}
