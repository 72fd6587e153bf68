package corfu.objects.serial.internal;

import corfu.objects.serial.ContentDigest;
import corfu.objects.serial.SerializationException;
import corfu.objects.serial.Serializer;
import corfu.objects.serial.ValueInput;
import corfu.objects.serial.ValueLocator;
import corfu.objects.serial.rule.TextValue;
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
 * Reads values that were written together. It passes over values that nobody needs any more,
 * because a class has lost a field, and makes no objects of them. For one thread.
 */
public final class ValueReader {

  private final Serializer serializer;
  private final Shapes shapes;
  private final ValueInput in;
  private final Optional<ValueLocator> places;
  private final List<Written> shapesSeen = new ArrayList<>();
  private int nextShape; // behind all of them, but while something is read again
  private final SeenValues seen = new SeenValues();
  private final HashingCost hashing = new HashingCost();
  private final long length; // of the bytes
  private int depth;
  private int unwanted; // how deep in what is passed over
  private long owed; // values that are to come, as what has begun has said

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
  public ValueReader(
      Serializer serializer, Shapes shapes, ValueInput in, Optional<ValueLocator> places) {
    this.serializer = serializer;
    this.shapes = shapes;
    this.in = in;
    this.places = places;
    this.length = in.remaining();
  }

  /**
   * All values that were written by one call.
   *
   * @throws SerializationException if the bytes are damaged, or of a class that is not known
   */
  public @Nullable Object[] readAll() {
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

  public @Nullable Object read() {
    int tag = in.readByte();
    hashing.addValue();
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
    enter();
    Optional<Object> value = Optional.ofNullable(read());
    depth--;
    return value;
  }

  /** As deep as who writes may go. */
  private void enter() {
    if (++depth > ValueWriter.DEEPEST) {
      throw new SerializationException(
          "damaged: values are nested more than " + ValueWriter.DEEPEST + " deep");
    }
  }

  private @Nullable Object readInLog() {
    long high = in.readLong();
    long low = in.readLong();
    int length = in.readCount(1);
    ContentDigest content = new ContentDigest(high, low, length);
    int offset = in.position();
    ByteBuffer bytes = in.readBuffer(length);
    if (unwanted > 0) {
      return null;
    }
    return places
        .flatMap(all -> all.at(offset, content))
        .orElseGet(() -> InlineValue.of(content, bytes, serializer));
  }

  private Object readPlace() {
    long high = in.readLong();
    long low = in.readLong();
    long length = in.readVarLong();
    if (length < 0 || length > Integer.MAX_VALUE) {
      throw new SerializationException("damaged: a value of " + length + " bytes");
    }
    ValueInput place = new ValueInput(in.readBuffer(in.readCount(1)));
    return places
        .orElseThrow(
            () -> new SerializationException("damaged: it says where a value is, but not here"))
        .pointed(new ContentDigest(high, low, (int) length), place);
  }

  private BigInteger readNumber() {
    return new BigInteger(in.readBytes(in.readCount(1)));
  }

  private @Nullable Object readInner(int tag) {
    return switch (tag) {
      case Tag.ENUM -> readEnum();
      case Tag.SEEN -> readSeen();
      case Tag.RECORD, Tag.PRIMITIVES, Tag.ARRAY, Tag.CONTAINER, Tag.OBJECT -> {
        enter();
        @Nullable Object value = tag == Tag.RECORD ? readRecord() : readReferable(tag);
        depth--;
        yield value;
      }
      default ->
          throw new SerializationException(
              "a value of kind " + tag + " is not known: damaged, or of a newer version");
    };
  }

  private @Nullable Object readReferable(int tag) {
    if (seen.isNextMade()) { // it is read again, for the sake of what it is in
      Object made = seen.get(seen.next());
      unwanted++;
      readNew(tag);
      unwanted--;
      return made;
    }
    return readNew(tag);
  }

  private @Nullable Object readNew(int tag) {
    int place = seen.next();
    long before = hashing.weight();
    if (tag == Tag.CONTAINER) {
      hashing.begin(place);
      @Nullable Object filled = readContainer();
      hashing.complete(place, before);
      return filled;
    }
    hashing.see(place);
    @Nullable Object value =
        switch (tag) {
          case Tag.PRIMITIVES -> readPrimitives();
          case Tag.ARRAY -> readArray();
          default -> readObject();
        };
    hashing.forgetSince(before);
    return value;
  }

  /**
   * @param position behind its tag
   */
  private SeenValues.PassedOver passedOver(int position) {
    return new SeenValues.PassedOver(position - 1, nextShape);
  }

  private @Nullable Object readSeen() {
    long place = in.readVarLong();
    if (!seen.has(place)) {
      throw new SerializationException("damaged: it refers to something that was not before it");
    }
    hashing.addAgain((int) place);
    if (unwanted > 0) {
      return null;
    }
    return seen.get((int) place) instanceof SeenValues.PassedOver it
        ? readPassedOver((int) place, it)
        : seen.get((int) place);
  }

  /** A class has lost the field where it was; but it is also where there is still a field. */
  private @Nullable Object readPassedOver(int place, SeenValues.PassedOver it) {
    int position = in.position();
    int next = seen.goTo(place);
    int shape = nextShape;
    int around = depth;
    long before = hashing.weight();
    in.goTo(it.position());
    nextShape = it.shapes();
    depth = 0; // it was not written here
    @Nullable Object value = read();
    in.goTo(position);
    seen.goTo(next);
    nextShape = shape;
    depth = around;
    hashing.forgetSince(before);
    return value;
  }

  /** An element of a set, or a key of a map. */
  private @Nullable Object readHashed() {
    long before = hashing.weight();
    @Nullable Object value = readOwed();
    hashing.hash(before);
    if (hashing.isTooMuchFor(length)) {
      throw new SerializationException(
          "damaged: elements of sets and keys of maps contain themselves, or one another more often"
              + " than whoever writes may write");
    }
    return value;
  }

  private @Nullable Object readPrimitives() {
    int position = in.position();
    Object array = Primitives.read(in);
    seen.add(unwanted > 0 ? passedOver(position) : array);
    return unwanted > 0 ? null : array;
  }

  private @Nullable Object readArray() {
    int position = in.position();
    String component = in.readString();
    int length = readCount(1);
    if (unwanted > 0) {
      seen.add(passedOver(position));
      passOverOwed(length);
      return null;
    }
    @Nullable Object[] array =
        (@Nullable Object[]) Array.newInstance(componentNamed(component), length);
    seen.add(array);
    for (int i = 0; i < length; i++) {
      array[i] = readOwed();
    }
    return array;
  }

  private void passOverOwed(int count) {
    for (int i = 0; i < count; i++) {
      readOwed();
    }
  }

  private Class<?> componentNamed(String name) {
    return ArrayTypes.named(name, shapes);
  }

  private @Nullable Object readContainer() {
    int position = in.position();
    Container container = Container.coded(in.readByte());
    int size = readCount(container.isMap() ? 2 : 1);
    if (unwanted > 0) {
      seen.add(passedOver(position));
      passOverOwed(container.isMap() ? 2 * size : size);
      return null;
    }
    return container.isMap() ? readMap(container, size) : readElements(container, size);
  }

  private Object readMap(Container container, int size) {
    Map<@Nullable Object, @Nullable Object> map = container.newMap();
    Object sealed = container.sealed(map);
    seen.add(sealed);
    for (int i = 0; i < size; i++) {
      map.put(readHashed(), readOwed());
    }
    return sealed;
  }

  private Object readElements(Container container, int size) {
    Collection<@Nullable Object> elements = container.newCollection();
    Object sealed = container.sealed(elements);
    seen.add(sealed);
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
    SeenValues.PassedOver here = passedOver(in.position());
    Written type = readShape();
    if (unwanted > 0) {
      seen.add(here);
      return passOver(type);
    }
    Shape shape = resolve(type, false);
    Object instance = shape.make();
    seen.add(instance);
    for (int i = 0; i < type.fields.size(); i++) {
      int field = placeOf(type, i);
      if (field < 0) {
        passOver();
      } else {
        shape.set(instance, field, read());
      }
    }
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
      return readNewShape();
    }
    if (place < 0 || place > shapesSeen.size()) {
      throw new SerializationException("damaged: it refers to a class that was not before it");
    }
    return shapesSeen.get((int) place - 1);
  }

  private Written readNewShape() {
    String name = in.readString();
    int count = in.readCount(1);
    List<String> fields = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      fields.add(in.readString());
    }
    if (nextShape == shapesSeen.size()) {
      shapesSeen.add(new Written(name, fields));
    }
    return shapesSeen.get(nextShape++);
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
