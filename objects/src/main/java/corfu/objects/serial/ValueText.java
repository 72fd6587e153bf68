package corfu.objects.serial;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.objects.serial.internal.Container;
import corfu.objects.serial.internal.Primitives;
import corfu.objects.serial.internal.Tag;
import corfu.objects.serial.internal.ValueWriter;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.UUID;

/**
 * Shows bytes of the {@link StandardSerializer} as text for people, without the classes of the
 * written values: {@code "eth0"}, {@code [1, 2]}, {@code Port{name: "eth0", number: 1}}.
 */
public final class ValueText {

  private static final int MOST_PRIMITIVES = 64;
  private static final int MOST_BYTES = 32;
  private static final HexFormat HEX = HexFormat.ofDelimiter(" ");

  private final ValueInput in;
  private final List<Shape> shapes = new ArrayList<>();
  private int depth;

  /** A class as its writer had it. */
  private record Shape(String name, List<String> fields) {

    String simpleName() {
      return name.substring(Math.max(name.lastIndexOf('.'), name.lastIndexOf('$')) + 1);
    }
  }

  private ValueText(ValueInput in) {
    this.in = in;
  }

  /**
   * Values that were written together.
   *
   * @throws SerializationException if the bytes are damaged
   */
  public static List<String> of(ByteBuffer written) {
    ValueInput in = new ValueInput(written);
    int count = in.readCount(1);
    ValueText text = new ValueText(in);
    List<String> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(text.read());
    }
    return values;
  }

  /** A text as Java has it. */
  public static String quoted(String text) {
    StringBuilder quoted = new StringBuilder("\"");
    text.codePoints()
        .forEach(
            point -> {
              switch (point) {
                case '"' -> quoted.append("\\\"");
                case '\\' -> quoted.append("\\\\");
                case '\n' -> quoted.append("\\n");
                case '\r' -> quoted.append("\\r");
                case '\t' -> quoted.append("\\t");
                default -> {
                  if (Character.isISOControl(point)) {
                    quoted.append("\\u%04x".formatted(point));
                  } else {
                    quoted.appendCodePoint(point);
                  }
                }
              }
            });
    return quoted.append('"').toString();
  }

  private String read() {
    int tag = in.readByte();
    return switch (tag) {
      case Tag.NULL -> "null";
      case Tag.TRUE -> "true";
      case Tag.FALSE -> "false";
      case Tag.BYTE -> String.valueOf((byte) in.readByte());
      case Tag.SHORT, Tag.INT -> String.valueOf(in.readSigned());
      case Tag.LONG -> in.readSigned() + "L";
      case Tag.CHAR -> "'" + (char) in.readVarLong() + "'";
      case Tag.FLOAT -> Float.intBitsToFloat((int) in.readSigned()) + "f";
      case Tag.DOUBLE -> String.valueOf(Double.longBitsToDouble(in.readLong()));
      case Tag.STRING -> quoted(in.readString());
      case Tag.BIG_INTEGER -> number().toString();
      case Tag.BIG_DECIMAL -> {
        int scale = (int) in.readSigned();
        yield new BigDecimal(number(), scale).toString();
      }
      case Tag.UUID -> new UUID(in.readLong(), in.readLong()).toString();
      case Tag.INSTANT -> Instant.ofEpochSecond(in.readSigned(), in.readVarLong()).toString();
      case Tag.DURATION -> Duration.ofSeconds(in.readSigned(), in.readVarLong()).toString();
      case Tag.TEXT -> {
        in.readByte(); // which simple value it is
        yield in.readString();
      }
      case Tag.OPTIONAL -> "optional " + inner();
      default -> readInner(tag);
    };
  }

  private BigInteger number() {
    return new BigInteger(in.readBytes(in.readCount(1)));
  }

  private String inner() {
    if (++depth > ValueWriter.DEEPEST) {
      throw new SerializationException(
          "damaged: values are nested more than " + ValueWriter.DEEPEST + " deep");
    }
    String text = read();
    depth--;
    return text;
  }

  private String readInner(int tag) {
    return switch (tag) {
      case Tag.PRIMITIVES -> primitives(Primitives.read(in));
      case Tag.ARRAY -> {
        in.readString(); // its component
        yield list(in.readCount(1), "[", "]");
      }
      case Tag.CONTAINER -> container();
      case Tag.ENUM -> {
        Shape unused = shape();
        yield in.readString();
      }
      case Tag.RECORD, Tag.OBJECT -> object();
      case Tag.IN_LOG -> {
        in.readLong(); // its digest
        in.readLong();
        yield "(%d bytes that stay in the log)".formatted(in.readBuffer(in.readCount(1)).limit());
      }
      case Tag.SEEN -> "(what came as number %d)".formatted(in.readVarLong());
      default ->
          throw new SerializationException(
              "a value of kind " + tag + " is not known: damaged, or of a newer version");
    };
  }

  private static String primitives(Object array) {
    if (array instanceof byte[] bytes) {
      return bytes(bytes);
    }
    if (Array.getLength(array) > MOST_PRIMITIVES) {
      return "(%d of %s)".formatted(Array.getLength(array), array.getClass().getComponentType());
    }
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < Array.getLength(array); i++) {
      elements.add(String.valueOf(Array.get(array, i)));
    }
    return "[" + String.join(", ", elements) + "]";
  }

  /** Returns the text that the bytes are, or their number and the first of them in hex. */
  private static String bytes(byte[] bytes) {
    try {
      String text = UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
      if (text.chars().noneMatch(Character::isISOControl)) {
        return quoted(text);
      }
    } catch (CharacterCodingException binary) {
      // shown in hex
    }
    int shown = Math.min(bytes.length, MOST_BYTES);
    return "(%,d %s: %s%s)"
        .formatted(
            bytes.length,
            bytes.length == 1 ? "byte" : "bytes",
            HEX.formatHex(bytes, 0, shown),
            shown < bytes.length ? " ..." : "");
  }

  private String list(int size, String open, String close) {
    List<String> elements = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      elements.add(inner());
    }
    return open + String.join(", ", elements) + close;
  }

  private String container() {
    Container container = Container.coded(in.readByte());
    if (!container.isMap()) {
      return list(in.readCount(1), "[", "]");
    }
    int size = in.readCount(2);
    List<String> entries = new ArrayList<>();
    for (int i = 0; i < size; i++) {
      String key = inner();
      entries.add(key + ": " + inner());
    }
    return "{" + String.join(", ", entries) + "}";
  }

  private String object() {
    Shape shape = shape();
    List<String> fields = new ArrayList<>();
    for (String field : shape.fields()) {
      fields.add(field + ": " + inner());
    }
    return shape.simpleName() + "{" + String.join(", ", fields) + "}";
  }

  private Shape shape() {
    long place = in.readVarLong();
    if (place == 0) {
      String name = in.readString();
      int count = in.readCount(1);
      List<String> fields = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        fields.add(in.readString());
      }
      shapes.add(new Shape(name, List.copyOf(fields)));
      return shapes.getLast();
    }
    if (place < 0 || place > shapes.size()) {
      throw new SerializationException("damaged: it refers to a class that was not before it");
    }
    return shapes.get((int) place - 1);
  }
}
