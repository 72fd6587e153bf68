package corfu.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class BytesTextTest {

  private static String of(byte... bytes) {
    return BytesText.of(ByteBuffer.wrap(bytes));
  }

  @Test
  void textIsShownAsItIs() {
    assertThat(of("gr\u00fc\u00df dich\n\tWelt".getBytes(UTF_8)))
        .isEqualTo("gr\u00fc\u00df dich\n\tWelt");
    assertThat(of()).isEmpty();
  }

  @Test
  void otherBytesAreShownInHexWithTheirNumber() {
    assertThat(of((byte) -1)).isEqualTo("(1 byte: ff)");
    assertThat(of((byte) 8, (byte) 1, (byte) 10)).isEqualTo("(3 bytes: 08 01 0a)");
    assertThat(of(new byte[1234])).isEqualTo("(1,234 bytes: %s...)".formatted("00 ".repeat(32)));
  }

  @Test
  void whatATerminalWouldObeyIsNoText() {
    assertThat(of("\u001b[2J".getBytes(UTF_8))).isEqualTo("(4 bytes: 1b 5b 32 4a)");
    assertThat(of("\u009b2J".getBytes(UTF_8))).isEqualTo("(4 bytes: c2 9b 32 4a)");
  }

  @Test
  void theBytesStayWhereTheyAre() {
    ByteBuffer bytes = ByteBuffer.wrap(new byte[] {0, 1, 2, 3}).position(1).limit(3);

    assertThat(BytesText.of(bytes)).isEqualTo("(2 bytes: 01 02)");
    assertThat(bytes.remaining()).isEqualTo(2);
  }
}
