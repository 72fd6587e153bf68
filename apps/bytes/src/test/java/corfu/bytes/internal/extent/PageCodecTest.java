package corfu.bytes.internal.extent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The bytes of pages. */
class PageCodecTest {

  private static final MemoryLog LOG = new MemoryLog(0, 4_096);
  private static final StoredPage AT = new StoredPage(LOG, 50, 5, 4, 1, 3, 2, 1, null);

  private static final String LEAF =
      "4c0200"
          + "010d"
          + "0020000000000000" // offset: 1 byte, shift 13, base 8192
          + "0000"
          + "0010000000000000" // length: always 4096
          + "0102"
          + "0700000000000000" // address: 1 byte, shift 2, base 7
          + "010a"
          + "0c00000000000000" // position: 1 byte, shift 10, base 12
          + "00"
          + "01"
          + "4b"
          + "00"
          + "00"
          + "01";

  private static final String BRANCH =
      "420200"
          + "010c"
          + "0000000000000000"
          + "0100"
          + "0000000000000000"
          + "0000"
          + "1e00000000000000"
          + "0000"
          + "0400000000000000"
          + "0105"
          + "0400000000000000"
          + "0000"
          + "4000000000000000"
          + "0000"
          + "0200000000000000"
          + "0103"
          + "0800000000000000"
          + "0000"
          + "4000000000000000"
          + "00"
          + "01"
          + "00"
          + "03"
          + "00"
          + "01"
          + "00"
          + "01";

  private static byte[] hex(String text) {
    return HexFormat.of().parseHex(text);
  }

  @Test
  void theBytesOfALeafStayTheSame() {
    List<Extent> extents =
        List.of(new Extent(8_192, 4_096, 307, 12), new Extent(16_384, 4_096, 7, 1_036));
    Leaf leaf = (Leaf) PageCodec.decode(AT, hex(LEAF));
    assertThat(List.of(leaf.extent(0), leaf.extent(1))).isEqualTo(extents);
    PageRef root = ExtentMap.empty().with(extents).root();
    assertThat(root).isNotNull();
    assertThat(((Leaf) root.node()).page()).isEqualTo(hex(LEAF));
  }

  @Test
  void theBytesOfABranchStayTheSame() {
    Branch branch = (Branch) PageCodec.decode(AT, hex(BRANCH));
    assertThat(branch.firsts()).containsExactly(0, 4_096);
    assertThat(branch.children()[0].stored())
        .isEqualTo(new StoredPage(LOG, 30, 4, 4, 64, 2, 8, 64, null));
    assertThat(branch.children()[1].stored())
        .isEqualTo(new StoredPage(LOG, 50, 5, 36, 64, 5, 16, 64, null));
    PageCodec.Child[] children = {
      new PageCodec.Child(false, false, 30, 4, 4, 64, 2, 8, 64),
      new PageCodec.Child(true, true, 0, 0, 36, 64, 0, 16, 64)
    };
    assertThat(PageCodec.encode(branch, children)).isEqualTo(hex(BRANCH));
  }

  @Test
  void theLargestNumbersAreKept() {
    List<Extent> extents =
        List.of(
            new Extent(0, 1, 0, 0),
            new Extent(1, (1L << 31) - 1, (1L << 62) - 1, 0),
            new Extent((1L << 62) - 1, 1, 1L << 62, Integer.MAX_VALUE));
    assertThat(ExtentMap.empty().with(extents).in(0, Long.MAX_VALUE)).isEqualTo(extents);
  }
}
