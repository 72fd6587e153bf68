package corfu.cli.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.serial.InLog;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Every kind of value, as people read it. */
class RenderingTest {

  private static final byte[] BINARY = {8, 1, -1};

  private static final class Plain {}

  private record Port(String name, int number) {}

  @Test
  void valuesAreWrittenAsAPersonWouldWriteThem() {
    assertThat(Rendering.of(null)).isEqualTo("null");
    assertThat(Rendering.of("two words")).isEqualTo("two words");
    assertThat(Rendering.of(5L)).isEqualTo("5");
    assertThat(Rendering.of(List.of("a", 1))).isEqualTo("[\"a\", 1]");
    assertThat(Rendering.of(Map.of("a", Optional.of(2)))).isEqualTo("{\"a\": 2}");
    assertThat(Rendering.of(Optional.empty())).isEqualTo("empty");
    assertThat(Rendering.of(new int[] {1, 2})).isEqualTo("[1, 2]");
    assertThat(Rendering.of(new Port("eth0", 1))).isEqualTo("Port[name=eth0, number=1]");
  }

  @Test
  void bytesAreTextOrHex() {
    assertThat(Rendering.of("hello".getBytes(UTF_8))).isEqualTo("hello");
    assertThat(Rendering.of(BINARY)).isEqualTo("(3 bytes: 08 01 ff)");
    assertThat(Rendering.of(ByteBuffer.wrap(BINARY).asReadOnlyBuffer()))
        .isEqualTo("(3 bytes: 08 01 ff)");
    assertThat(Rendering.of(List.of("hello".getBytes(UTF_8), BINARY)))
        .isEqualTo("[\"hello\", (3 bytes: 08 01 ff)]");
    assertThat(Rendering.of(Map.of("k", ByteBuffer.wrap(BINARY))))
        .isEqualTo("{\"k\": (3 bytes: 08 01 ff)}");
  }

  @Test
  void theInsidesOfObjectsAreNotShown() {
    assertThat(Rendering.of(List.of(InLog.of("page")))).isEqualTo("[\"page\"]");
    assertThat(Rendering.of(new Plain()))
        .isEqualTo("(an object of class Plain, which has no toString)");
  }
}
