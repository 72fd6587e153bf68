package corfu.objects.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Serialized values can be shown as text without their classes. */
class ValueTextTest {

  private enum Color {
    RED
  }

  private record Port(String name, int number, List<Color> colors) {}

  private static final class Point {
    int x = 1;
    Port port = new Port("eth0", 2, List.of(Color.RED, Color.RED));
  }

  private static String textOf(Object value) {
    ValueOutput out = new ValueOutput();
    StandardSerializer.create()
        .knowing(List.of(Port.class, Point.class, Color.class))
        .write(new Object[] {value}, out);
    List<String> texts = ValueText.of(out.toBuffer());
    assertThat(texts).hasSize(1);
    return texts.getFirst();
  }

  @Test
  void simpleValuesAreAsInJava() {
    assertThat(textOf(null)).isEqualTo("null");
    assertThat(textOf(true)).isEqualTo("true");
    assertThat(textOf(5)).isEqualTo("5");
    assertThat(textOf(5L)).isEqualTo("5L");
    assertThat(textOf((byte) -5)).isEqualTo("-5");
    assertThat(textOf((short) 300)).isEqualTo("300");
    assertThat(textOf('x')).isEqualTo("'x'");
    assertThat(textOf(2.5)).isEqualTo("2.5");
    assertThat(textOf(2.5f)).isEqualTo("2.5f");
    assertThat(textOf("a \"b\"\n\\")).isEqualTo("\"a \\\"b\\\"\\n\\\\\"");
    assertThat(textOf(BigInteger.TWO.pow(70))).isEqualTo("1180591620717411303424");
    assertThat(textOf(new BigDecimal("1.50"))).isEqualTo("1.50");
    assertThat(textOf(new UUID(1, 2))).isEqualTo("00000000-0000-0001-0000-000000000002");
    assertThat(textOf(Instant.EPOCH)).isEqualTo("1970-01-01T00:00:00Z");
    assertThat(textOf(Duration.ofSeconds(90))).isEqualTo("PT1M30S");
    assertThat(textOf(LocalDate.of(2026, 1, 2))).isEqualTo("2026-01-02");
    assertThat(textOf(Optional.empty())).isEqualTo("optional null");
  }

  @Test
  void collectionsAndArraysShowWhatTheyHold() {
    Map<String, Object> map = new LinkedHashMap<>();
    map.put("a", List.of(1, 2));
    map.put("b", null);

    assertThat(textOf(map)).isEqualTo("{\"a\": [1, 2], \"b\": null}");
    assertThat(textOf(new int[] {1, 2})).isEqualTo("[1, 2]");
    assertThat(textOf(new String[] {"x", null})).isEqualTo("[\"x\", null]");
    assertThat(textOf(new int[1000])).isEqualTo("(1000 of int)");
    assertThat(textOf(new byte[1000])).startsWith("(1,000 bytes: 00 00 ").endsWith(" 00 ...)");
    assertThat(textOf(new byte[] {8, 1, -1})).isEqualTo("(3 bytes: 08 01 ff)");
    assertThat(textOf(new byte[] {7})).isEqualTo("(1 byte: 07)");
    assertThat(textOf(new byte[] {'h', 'i'})).isEqualTo("\"hi\"");
    assertThat(textOf(List.of())).isEqualTo("[]");
  }

  @Test
  void objectsShowTheirFieldsAndWhatTheyAreOf() {
    assertThat(textOf(new Point()))
        .isEqualTo("Point{x: 1, port: Port{name: \"eth0\", number: 2, colors: [RED, RED]}}");
  }

  @Test
  void whatRefersToItselfHasAnEnd() {
    List<Object> loop = new ArrayList<>(List.of("x"));
    loop.add(loop);

    assertThat(textOf(loop)).isEqualTo("[\"x\", (what came as number 0)]");
  }

  @Test
  void damageIsReported() {
    ValueOutput out = new ValueOutput();
    StandardSerializer.create().write(new Object[] {List.of("one", "two")}, out);
    byte[] bytes = new byte[out.toBuffer().remaining()];
    out.toBuffer().get(bytes);

    assertThatThrownBy(() -> ValueText.of(ByteBuffer.wrap(Arrays.copyOf(bytes, bytes.length - 2))))
        .isInstanceOf(SerializationException.class);
    assertThatThrownBy(() -> ValueText.of(ByteBuffer.wrap(new byte[] {1, 99})))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("kind 99");
  }
}
