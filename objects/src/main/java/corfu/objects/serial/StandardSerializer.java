package corfu.objects.serial;

import corfu.objects.serial.internal.KnownTypes;
import corfu.objects.serial.internal.ReflectedValue;
import corfu.objects.serial.internal.Shape;
import corfu.objects.serial.internal.Shapes;
import corfu.objects.serial.internal.StandardDigester;
import corfu.objects.serial.internal.ValueReader;
import corfu.objects.serial.internal.ValueWriter;
import corfu.objects.serial.rule.TextValue;
import corfu.objects.serial.rule.ValueRules;
import java.lang.reflect.Type;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Writes records, enums, collections, arrays, the JDK's simple values, and classes with fields and
 * a constructor without parameters; by names, so that classes may gain and lose fields. It makes
 * instances of known classes only, by their constructors. Values that refer to the same value
 * twice, or to themselves, do so after reading, too. Layout: docs/objects-format.md.
 *
 * <p>A field that the writer did not have keeps the constructor's value. In a record such a field
 * is zero or false. It is empty if it is an {@code Optional}, {@code List}, {@code Set} or {@code
 * Map}, otherwise null.
 */
public final class StandardSerializer implements Serializer {

  private static final int ID = 0;
  private static final String CONSTANT_COLLECTIONS = "java.util.ImmutableCollections$";

  private final Shapes shapes;

  private StandardSerializer(KnownTypes known) {
    this.shapes = new Shapes(known);
  }

  /** One that knows the JDK's simple values and collections only. */
  public static StandardSerializer create() {
    return new StandardSerializer(KnownTypes.none());
  }

  @Override
  public int id() {
    return ID;
  }

  @Override
  public StandardSerializer knowing(Collection<? extends Type> types) {
    return types.isEmpty() ? this : new StandardSerializer(shapes.known().and(types));
  }

  @Override
  public Optional<String> objectionTo(Type declared) {
    return ValueRules.objectionTo(new ReflectedValue(declared));
  }

  @Override
  public void write(@Nullable Object[] values, ValueOutput out) {
    write(values, out, new ValueWriter(this, shapes, out, Optional.empty()));
  }

  @Override
  public void writePointing(@Nullable Object[] values, ValueOutput out) {
    write(values, out, new ValueWriter(this, shapes, out, Optional.of(LocatedValue::writePlace)));
  }

  private static void write(@Nullable Object[] values, ValueOutput out, ValueWriter writing) {
    out.writeVarLong(values.length);
    writing.writeAll(values);
  }

  @Override
  public @Nullable Object[] read(ValueInput in) {
    return new ValueReader(this, shapes, in, Optional.empty()).readAll();
  }

  @Override
  public @Nullable Object[] read(ValueInput in, ValueLocator places) {
    return new ValueReader(this, shapes, in, Optional.of(places)).readAll();
  }

  @Override
  public Optional<Digester> digester() {
    return Optional.of(new StandardDigester());
  }

  @Override
  public @Nullable Object copy(@Nullable Object value) {
    if (isConstant(value, 0)) {
      return value;
    }
    ValueOutput out = new ValueOutput();
    Held held = new Held();
    new ValueWriter(this, shapes, out, Optional.of(held::add)).writeAll(value);
    return new ValueReader(this, shapes, new ValueInput(out.toBuffer()), Optional.of(held)).read();
  }

  /** Values that stay in the log are shared by a copy and its original. */
  private static final class Held implements ValueLocator {
    private final List<LocatedValue<?>> values = new ArrayList<>();

    void add(LocatedValue<?> value, ValueOutput out) {
      out.writeVarLong(values.size());
      values.add(value);
    }

    @Override
    public InLog<?> pointed(ContentDigest content, ValueInput place) {
      return values.get((int) place.readVarLong());
    }

    @Override
    public Optional<InLog<?>> at(int offset, ContentDigest content) {
      return Optional.empty(); // it was in memory
    }
  }

  /** Whether nothing in it can ever change. */
  private boolean isConstant(@Nullable Object value, int depth) {
    return switch (value) {
      case null -> true;
      case String ignored -> true;
      case Number number -> isConstantNumber(number);
      case Boolean ignored -> true;
      case Character ignored -> true;
      case Enum<?> ignored -> true;
      case UUID ignored -> true;
      case Instant ignored -> true;
      case Duration ignored -> true;
      case InLog<?> ignored -> true;
      case Optional<?> optional -> isConstant(optional.orElse(null), depth);
      case Record components -> depth < 8 && isConstantRecord(components, depth + 1);
      case List<?> list ->
          depth < 8
              && list.getClass().getName().startsWith(CONSTANT_COLLECTIONS)
              && list.stream().allMatch(element -> isConstant(element, depth + 1));
      default -> TextValue.of(value.getClass()) != null;
    };
  }

  private static boolean isConstantNumber(Number number) {
    return switch (number) {
      case Integer ignored -> true;
      case Long ignored -> true;
      case Double ignored -> true;
      case Float ignored -> true;
      case Short ignored -> true;
      case Byte ignored -> true;
      default -> number.getClass() == BigInteger.class || number.getClass() == BigDecimal.class;
    };
  }

  private boolean isConstantRecord(Record value, int depth) {
    if (!shapes.known().contains(value.getClass())) {
      return false;
    }
    Shape shape = shapes.of(value.getClass());
    for (int i = 0; i < shape.fields().size(); i++) {
      if (!isConstant(shape.get(value, i), depth)) {
        return false;
      }
    }
    return true;
  }
}
