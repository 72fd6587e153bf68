package corfu.objects.serial.internal;

import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.InLog;
import corfu.objects.serial.LocatedValue;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.ValueOutput;
import corfu.objects.serial.rule.TextValue;
import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** Writes values that belong together: what they share is written once. For one thread. */
public final class ValueWriter {

  /** The deepest nesting of values inside values; a deeper one would overflow a reader's stack. */
  public static final int DEEPEST = 256;

  private final Serializer serializer;
  private final Shapes shapes;
  private final ValueOutput out;
  private final Optional<Pointing> pointing;
  private final Map<Class<?>, Integer> shapesWritten = new HashMap<>();
  private final HashingCost hashing = new HashingCost();
  private final int start;
  private @Nullable IdentityHashMap<Object, Integer> seen; // none as a rule
  private int depth;

  /** Writes where a value is, in place of the value. */
  @FunctionalInterface
  public interface Pointing {
    void write(LocatedValue<?> value, ValueOutput out);
  }

  /**
   * @param serializer whose writing this is
   * @param pointing empty: values that are in the log are written, as they may not stay there
   */
  public ValueWriter(
      Serializer serializer, Shapes shapes, ValueOutput out, Optional<Pointing> pointing) {
    this.serializer = serializer;
    this.shapes = shapes;
    this.out = out;
    this.pointing = pointing;
    this.start = out.size();
  }

  /**
   * Writes values, one behind the other.
   *
   * @throws SerializationException if one can't be written, or could not be read
   */
  public void writeAll(@Nullable Object... values) {
    for (Object value : values) {
      write(value);
    }
    if (hashing.isTooMuchFor(out.size() - start)) {
      throw new SerializationException(
          "elements of sets or keys of maps contain the same collections so often, or one"
              + " another so deeply, that who reads them would hash without end: keep what they"
              + " share in an object of its own");
    }
  }

  private void write(@Nullable Object value) {
    hashing.addValue();
    switch (value) {
      case null -> out.writeByte(Tag.NULL);
      case String text -> {
        out.writeByte(Tag.STRING);
        out.writeString(text);
      }
      case Integer number -> {
        out.writeByte(Tag.INT);
        out.writeSigned(number);
      }
      case Long number -> {
        out.writeByte(Tag.LONG);
        out.writeSigned(number);
      }
      case Boolean truth -> out.writeByte(truth ? Tag.TRUE : Tag.FALSE);
      case Double number -> {
        out.writeByte(Tag.DOUBLE);
        out.writeLong(Double.doubleToRawLongBits(number));
      }
      case Enum<?> constant -> {
        out.writeByte(Tag.ENUM);
        writeEnum(constant);
      }
      case Record components -> writeRecord(components);
      default -> writeRest(value);
    }
  }

  private void writeRest(Object value) {
    switch (value) {
      case Byte number -> {
        out.writeByte(Tag.BYTE);
        out.writeByte(number);
      }
      case Short number -> {
        out.writeByte(Tag.SHORT);
        out.writeSigned(number);
      }
      case Character character -> {
        out.writeByte(Tag.CHAR);
        out.writeVarLong(character);
      }
      case Float number -> {
        out.writeByte(Tag.FLOAT);
        out.writeSigned(Float.floatToRawIntBits(number));
      }
      case BigInteger number -> {
        out.writeByte(Tag.BIG_INTEGER);
        writeNumber(number);
      }
      case BigDecimal number -> {
        out.writeByte(Tag.BIG_DECIMAL);
        out.writeSigned(number.scale());
        writeNumber(number.unscaledValue());
      }
      case UUID id -> {
        out.writeByte(Tag.UUID);
        out.writeLong(id.getMostSignificantBits());
        out.writeLong(id.getLeastSignificantBits());
      }
      case Instant instant -> writeTime(Tag.INSTANT, instant.getEpochSecond(), instant.getNano());
      case Duration time -> writeTime(Tag.DURATION, time.getSeconds(), time.getNano());
      case Optional<?> optional -> {
        out.writeByte(Tag.OPTIONAL);
        enter(optional);
        write(optional.orElse(null));
        depth--;
      }
      case InLog<?> inLog -> writeInLog(inLog);
      default -> writeChangeable(value);
    }
  }

  private void writeInLog(InLog<?> value) {
    if (pointing.isPresent()
        && value instanceof LocatedValue<?> at
        && !(at instanceof InlineValue<?>)) {
      ValueOutput place = new ValueOutput();
      pointing.get().write(at, place);
      out.writeByte(Tag.IN_LOG_AT);
      at.content().write(out);
      out.writeVarLong(place.size());
      out.writeBuffer(place.toBuffer());
      return;
    }
    boolean isWritten = value instanceof LocatedValue<?>;
    ByteBuffer bytes =
        isWritten ? ((LocatedValue<?>) value).bytes() : LocatedValue.bytesOf(value, serializer);
    ContentDigest content =
        isWritten ? ((LocatedValue<?>) value).content() : ContentDigest.of(bytes);
    out.writeByte(Tag.IN_LOG);
    content.write(out);
    out.writeBuffer(bytes);
  }

  private void writeNumber(BigInteger number) {
    byte[] bytes = number.toByteArray();
    out.writeVarLong(bytes.length);
    out.writeBytes(bytes, 0, bytes.length);
  }

  private void writeTime(byte tag, long seconds, int nanos) {
    out.writeByte(tag);
    out.writeSigned(seconds);
    out.writeVarLong(nanos);
  }

  /** Writes a value that may be referred to again, because it could be changed. */
  private void writeChangeable(Object value) {
    TextValue simple = TextValue.of(value.getClass());
    if (simple != null) {
      out.writeByte(Tag.TEXT);
      out.writeByte(simple.code());
      out.writeString(simple.text().apply(value));
      return;
    }
    int place = placeOfNew(value);
    if (place < 0) {
      return;
    }
    enter(value);
    Container container = Container.of(value);
    long before = hashing.weight();
    if (container != null) {
      hashing.begin(place);
      writeContainer(container, value);
      hashing.complete(place, before);
    } else {
      hashing.see(place);
      if (value.getClass().isArray()) {
        writeArray(value);
      } else {
        out.writeByte(Tag.OBJECT);
        writeFields(value);
      }
      hashing.forgetSince(before);
    }
    depth--;
  }

  /** Negative if it was written before, and is referred to now. */
  private int placeOfNew(Object value) {
    if (seen == null) {
      seen = new IdentityHashMap<>();
    }
    int place = seen.size();
    Integer before = seen.putIfAbsent(value, place);
    if (before == null) {
      return place;
    }
    hashing.addAgain(before);
    out.writeByte(Tag.SEEN);
    out.writeVarLong(before);
    return -1;
  }

  private void writeArray(Object array) {
    Class<?> component = array.getClass().getComponentType();
    int length = Array.getLength(array);
    if (component.isPrimitive()) {
      out.writeByte(Tag.PRIMITIVES);
      Primitives.write(array, length, out);
      return;
    }
    shapes.checkArray(component);
    out.writeByte(Tag.ARRAY);
    out.writeString(component.getName());
    out.writeVarLong(length);
    for (Object element : (@Nullable Object[]) array) {
      write(element);
    }
  }

  private void writeContainer(Container container, Object value) {
    out.writeByte(Tag.CONTAINER);
    out.writeByte(container.code());
    if (container.isMap()) {
      Map<?, ?> map = (Map<?, ?>) value;
      out.writeVarLong(map.size());
      map.forEach(
          (key, mapped) -> {
            writeHashed(key);
            write(mapped);
          });
    } else {
      Collection<?> elements = (Collection<?>) value;
      out.writeVarLong(elements.size());
      elements.forEach(container.isHashed() ? this::writeHashed : this::write);
    }
  }

  private void writeHashed(@Nullable Object value) {
    long before = hashing.weight();
    write(value);
    hashing.hash(before);
  }

  private void writeRecord(Record value) {
    enter(value);
    out.writeByte(Tag.RECORD);
    writeFields(value);
    depth--;
  }

  private void writeFields(Object value) {
    Shape shape = shapes.of(value.getClass());
    writeShape(shape.type(), shape);
    for (int i = 0; i < shape.fields().size(); i++) {
      write(shape.get(value, i));
    }
  }

  private void writeEnum(Enum<?> constant) {
    Class<?> type = constant.getDeclaringClass();
    shapes.check(type);
    writeShape(type, null);
    out.writeString(constant.name());
  }

  /** Zero and all of it at the first time; then its place among those before. */
  private void writeShape(Class<?> type, @Nullable Shape shape) {
    Integer before = shapesWritten.putIfAbsent(type, shapesWritten.size() + 1);
    if (before != null) {
      out.writeVarLong(before);
      return;
    }
    out.writeVarLong(0);
    out.writeString(type.getName());
    if (shape == null) {
      out.writeVarLong(0);
    } else {
      out.writeVarLong(shape.fields().size());
      shape.fields().forEach(out::writeString);
    }
  }

  private void enter(Object value) {
    if (++depth > DEEPEST) {
      throw new SerializationException(
          "values are nested more than %d deep, here a %s: keep what is linked in a list"
              .formatted(DEEPEST, value.getClass().getName()));
    }
  }
}
