package corfu.objects.serial;

import java.lang.reflect.Array;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Reads values that were written together. What nobody wants any more, because a class has lost a
 * field, is passed over without making anything of it. For one thread.
 */
final class Reading {

  /**
   * No key or element that is hashed consists of more values: it takes a few bytes to write
   * something that contains itself, or twice something that contains twice something, and for ever
   * to hash it.
   */
  private static final long HEAVIEST_HASHED = 1 << 20;

  private static final long TOO_HEAVY = HEAVIEST_HASHED + 1;

  private final Serializer serializer;
  private final Shapes shapes;
  private final Input in;
  private final Optional<Places> places;
  private final List<Written> written = new ArrayList<>();
  private final List<@Nullable Object> seen = new ArrayList<>();
  private final List<Long> weights = new ArrayList<>(); // of what was seen
  private int depth;
  private int optionals; // inside one another
  private int unwanted; // how deep in what is passed over
  private long owed; // values that are to come, as what has begun has said
  private long weight; // of all that was read so far: values, with what they refer to

  /** A class as its writer had it. */
  private static final class Written {
    final String name;
    final List<String> fields;
    @Nullable Shape shape; // once it is needed
    int @Nullable [] places; // of its fields in the shape; -1: nowhere

    Written(String name, List<String> fields) {
      this.name = name;
      this.fields = fields;
    }
  }

  /**
   * @param serializer whose reading this is
   * @param places where what is read stays; empty: nobody knows
   */
  Reading(Serializer serializer, Shapes shapes, Input in, Optional<Places> places) {
    this.serializer = serializer;
    this.shapes = shapes;
    this.in = in;
    this.places = places;
  }

  /**
   * All values that were written by one call.
   *
   * @throws SerializationException if the bytes are damaged, or of a class that is not known
   */
  @Nullable Object[] readAll() {
    try {
      @Nullable Object[] values = new @Nullable Object[readCount(1)];
      for (int i = 0; i < values.length; i++) {
        values[i] = readOwed();
      }
      return values;
    } catch (SerializationException damaged) {
      throw damaged;
    } catch (RuntimeException refused) { // by a class of the JDK, or of the application
      throw new SerializationException("damaged: no such value can be: " + refused, refused);
    } catch (StackOverflowError endless) {
      throw new SerializationException("damaged: values are nested without end", endless);
    }
  }

  /**
   * A number of values that follow. Each takes a byte at least, also those that others have
   * announced before: so all arrays together are never larger than what is there.
   */
  private int readCount(int each) {
    int count = in.readCount(each);
    if ((long) count * each > in.remaining() - owed) {
      throw new SerializationException(
          "damaged: %d values shall follow, but there are %d bytes only, and %d others to come"
              .formatted((long) count * each, in.remaining(), owed));
    }
    owed += (long) count * each;
    return count;
  }

  private @Nullable Object readOwed() {
    owed--;
    return read();
  }

  @Nullable Object read() {
    int tag = in.readByte();
    weight++;
    return switch (tag) {
      case Tag.NULL -> null;
      case Tag.TRUE -> true;
      case Tag.FALSE -> false;
      case Tag.BYTE -> (byte) in.readByte();
      case Tag.SHORT -> (short) in.readSigned();
      case Tag.CHAR -> (char) in.readVarLong();
      case Tag.INT -> (int) in.readSigned();
      case Tag.LONG -> in.readSigned();
      case Tag.FLOAT -> Float.intBitsToFloat((int) in.readSigned());
      case Tag.DOUBLE -> Double.longBitsToDouble(in.readLong());
      case Tag.STRING -> in.readString();
      case Tag.BIG_INTEGER -> readNumber();
      case Tag.BIG_DECIMAL -> {
        int scale = (int) in.readSigned();
        yield new BigDecimal(readNumber(), scale);
      }
      case Tag.UUID -> new UUID(in.readLong(), in.readLong());
      case Tag.INSTANT -> Instant.ofEpochSecond(in.readSigned(), in.readVarLong());
      case Tag.DURATION -> Duration.ofSeconds(in.readSigned(), in.readVarLong());
      case Tag.TEXT -> TextValue.coded(in.readByte()).parse().apply(in.readString());
      case Tag.OPTIONAL -> readOptional();
      case Tag.IN_LOG -> readInLog();
      case Tag.IN_LOG_AT -> readPlace();
      default -> readInner(tag);
    };
  }

  private Optional<Object> readOptional() {
    if (++optionals > Writing.DEEPEST) {
      throw new SerializationException(
          "damaged: optional values are nested more than " + Writing.DEEPEST + " deep");
    }
    Optional<Object> value = Optional.ofNullable(read());
    optionals--;
    return value;
  }

  private @Nullable Object readInLog() {
    long high = in.readLong();
    long low = in.readLong();
    int length = in.readCount(1);
    Content content = new Content(high, low, length);
    int offset = in.position();
    ByteBuffer bytes = in.readBuffer(length);
    if (unwanted > 0) {
      return null;
    }
    return places
        .flatMap(all -> all.at(offset, content))
        .orElseGet(() -> Carried.of(content, bytes, serializer));
  }

  private Object readPlace() {
    long high = in.readLong();
    long low = in.readLong();
    long length = in.readVarLong();
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new SerializationException("damaged: a value of " + length + " bytes");
    }
    Input place = new Input(in.readBuffer(in.readCount(1)));
    return places
        .orElseThrow(
            () -> new SerializationException("damaged: it says where a value is, but not here"))
        .pointed(new Content(high, low, (int) length), place);
  }

  private BigInteger readNumber() {
    return new BigInteger(in.readBytes(in.readCount(1)));
  }

  private @Nullable Object readInner(int tag) {
    if (++depth > Writing.DEEPEST) {
      throw new SerializationException(
          "damaged: values are nested more than " + Writing.DEEPEST + " deep");
    }
    @Nullable Object value =
        switch (tag) {
          case Tag.PRIMITIVES -> see(Primitives.read(in), 1);
          case Tag.ARRAY -> readArray();
          case Tag.CONTAINER -> readContainer();
          case Tag.ENUM -> readEnum();
          case Tag.RECORD -> readRecord();
          case Tag.OBJECT -> readObject();
          case Tag.SEEN -> readSeen();
          default ->
              throw new SerializationException(
                  "a value of kind " + tag + " is not known: damaged, or of a newer version");
        };
    depth--;
    return value;
  }

  /** Arrays, and objects as a rule, are hashed by what they are, not by what is in them. */
  private @Nullable Object see(@Nullable Object value, long itsWeight) {
    seen.add(value);
    weights.add(itsWeight);
    return value;
  }

  private @Nullable Object readSeen() {
    long place = in.readVarLong();
    if (place < 0 || place >= seen.size()) {
      throw new SerializationException("damaged: it refers to something that was not before it");
    }
    weight += weights.get((int) place);
    return seen.get((int) place);
  }

  /** An element of a set, or a key of a map. */
  private @Nullable Object readHashed() {
    long before = weight;
    @Nullable Object value = readOwed();
    if (weight - before > HEAVIEST_HASHED) {
      throw new SerializationException(
          "damaged: an element of a set or a key of a map that contains itself, or more than "
              + HEAVIEST_HASHED
              + " values");
    }
    return value;
  }

  private @Nullable Object readArray() {
    String component = in.readString();
    int length = readCount(1);
    @Nullable Object[] array =
        unwanted > 0
            ? new @Nullable Object[length]
            : (@Nullable Object[]) Array.newInstance(componentNamed(component), length);
    see(array, 1);
    long before = weight;
    for (int i = 0; i < length; i++) {
      array[i] = readOwed();
    }
    weight = before;
    return array;
  }

  private Class<?> componentNamed(String name) {
    return ArrayTypes.named(name, shapes);
  }

  private @Nullable Object readContainer() {
    Container container = Container.coded(in.readByte());
    int size = readCount(container.isMap() ? 2 : 1);
    if (unwanted > 0) {
      see(null, TOO_HEAVY);
      for (int i = 0; i < (container.isMap() ? 2L * size : size); i++) {
        readOwed();
      }
      return null;
    }
    int place = seen.size();
    long before = weight;
    Object filled = container.isMap() ? readMap(container, size) : readElements(container, size);
    weights.set(place, Math.min(TOO_HEAVY, weight - before + 1));
    return filled;
  }

  private Object readMap(Container container, int size) {
    Map<@Nullable Object, @Nullable Object> map = container.newMap();
    Object sealed = container.sealed(map);
    see(sealed, TOO_HEAVY);
    for (int i = 0; i < size; i++) {
      map.put(readHashed(), readOwed());
    }
    return sealed;
  }

  private Object readElements(Container container, int size) {
    Collection<@Nullable Object> elements = container.newCollection();
    Object sealed = container.sealed(elements);
    see(sealed, TOO_HEAVY);
    for (int i = 0; i < size; i++) {
      elements.add(elements instanceof Set<?> ? readHashed() : readOwed());
    }
    return sealed;
  }

  private @Nullable Object readEnum() {
    Written type = readShape();
    String name = in.readString();
    if (unwanted > 0) {
      return null;
    }
    for (Object constant : constantsOf(shapes.named(type.name))) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new SerializationException(
        "%s.%s was written here, which the class no longer has, or does not have yet"
            .formatted(type.name, name));
  }

  private static Object[] constantsOf(Class<?> type) {
    Object[] constants = type.getEnumConstants();
    return constants == null ? new Object[0] : constants;
  }

  private @Nullable Object readRecord() {
    Written type = readShape();
    if (unwanted > 0) {
      return passOver(type);
    }
    Shape shape = resolve(type, true);
    @Nullable Object[] components = shape.defaults();
    for (int i = 0; i < type.fields.size(); i++) {
      int place = placeOf(type, i);
      if (place < 0) {
        passOver();
      } else {
        components[place] = read();
      }
    }
    return shape.make(components);
  }

  private @Nullable Object readObject() {
    int place = seen.size();
    long before = weight;
    see(null, 1);
    Written type = readShape();
    if (unwanted > 0) {
      return passOver(type);
    }
    Shape shape = resolve(type, false);
    Object instance = shape.make();
    seen.set(place, instance);
    for (int i = 0; i < type.fields.size(); i++) {
      int field = placeOf(type, i);
      if (field < 0) {
        passOver();
      } else {
        shape.set(instance, field, read());
      }
    }
    weight = before;
    return instance;
  }

  private @Nullable Object passOver(Written type) {
    for (int i = 0; i < type.fields.size(); i++) {
      read();
    }
    return null;
  }

  private void passOver() {
    unwanted++;
    read();
    unwanted--;
  }

  private Written readShape() {
    long place = in.readVarLong();
    if (place == 0) {
      String name = in.readString();
      int count = in.readCount(1);
      List<String> fields = new ArrayList<>(count);
      for (int i = 0; i < count; i++) {
        fields.add(in.readString());
      }
      written.add(new Written(name, fields));
      return written.getLast();
    }
    if (place < 0 || place > written.size()) {
      throw new SerializationException("damaged: it refers to a class that was not before it");
    }
    return written.get((int) place - 1);
  }

  private Shape resolve(Written type, boolean isRecord) {
    if (type.shape == null) {
      Shape shape = shapes.of(shapes.named(type.name));
      if (shape.isRecord() != isRecord) {
        throw new SerializationException(
            type.name + " was written as " + (isRecord ? "a record" : "a class that is no record"));
      }
      type.places = type.fields.stream().mapToInt(shape.fields()::indexOf).toArray();
      type.shape = shape;
    }
    return type.shape;
  }

  private static int placeOf(Written type, int field) {
    return type.places == null ? -1 : type.places[field];
  }
}
