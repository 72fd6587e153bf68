package corfu.objects.generated;

import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.objects.type.Written;
import java.lang.reflect.Modifier;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Object types of plain classes.
 *
 * <pre>{@code
 * ObjectTypes.of(User.class)                          // says by annotations what its methods do
 * ObjectTypes.of(LSwitch.class, "addPort")            // has none: these methods change it
 * ObjectTypes.of(Registry.class, TreeRegistry::new)   // an annotated interface, and what is behind
 * }</pre>
 *
 * A class that was compiled with the annotation processor has its type already; for others it is
 * made now, and does the same. The class has a constructor without parameters; neither it nor its
 * operations are final; a module opens its package to {@code corfu.objects}. Its state is what its
 * fields hold; where these hold classes of the application, {@link
 * corfu.objects.serial.StandardSerializer} says what these must look like.
 */
public final class ObjectTypes {

  private ObjectTypes() {}

  /**
   * The type of an annotated class. Every public method of it has an annotation.
   *
   * @throws ObjectTypeException if the class does not fit
   */
  public static <T> ObjectType<T> of(Class<T> type) {
    Optional<CompiledType<T>> compiled = CompiledTypes.of(type);
    if (compiled.isPresent() && !Modifier.isAbstract(type.getModifiers())) {
      return compiled.get();
    }
    return plain(Blueprint.annotated(type));
  }

  /**
   * The type of a class as it is.
   *
   * @param mutators the names of those of its public methods that change it; the others read it
   * @throws ObjectTypeException if the class does not fit, or has no method of one of the names
   */
  public static <T> ObjectType<T> of(Class<T> type, String... mutators) {
    return plain(Blueprint.plain(type, Set.copyOf(List.of(mutators))));
  }

  /**
   * The type of an annotated interface.
   *
   * @param initial makes what is behind it, each time equal
   * @throws ObjectTypeException if the interface does not fit
   */
  public static <T> ObjectType<T> of(Class<T> type, Supplier<? extends T> initial) {
    Class<?> state = initial.get().getClass();
    Optional<CompiledType<T>> compiled = CompiledTypes.of(type);
    if (compiled.isPresent()) {
      return BackedType.plain(compiled.get(), initial, state, List.of());
    }
    return plain(Blueprint.annotated(type), initial, state);
  }

  /**
   * The type of an annotated interface with persistent structures behind it, whose mutators take no
   * nulls.
   *
   * @param initial makes what is behind it, each time equal
   * @param snapshots how that is forked, saved and loaded
   * @param valueTypes what values it may hold
   * @throws ObjectTypeException if the interface does not fit
   */
  public static <T> ObjectType<T> persistent(
      Class<T> type,
      Supplier<? extends T> initial,
      Snapshots<T> snapshots,
      Collection<? extends Type> valueTypes) {
    Optional<CompiledType<T>> compiled = CompiledTypes.of(type);
    if (compiled.isPresent()) {
      return BackedType.persistent(compiled.get(), initial, snapshots, valueTypes, List.of());
    }
    Blueprint<T> blueprint = Blueprint.annotated(type);
    return BackedType.persistent(
        GeneratedType.of(blueprint), initial, snapshots, valueTypes, blueprint.arguments());
  }

  /**
   * Returns the operations of an annotated class or interface. Makes no type, which would take
   * longer.
   *
   * @throws ObjectTypeException if it does not fit
   */
  public static List<Operation> operations(Class<?> type) {
    return CompiledTypes.of(type)
        .<List<Operation>>map(ObjectType::operations)
        .orElseGet(() -> Blueprint.annotated(type).operations());
  }

  private static <T> ObjectType<T> plain(Blueprint<T> blueprint) {
    Class<T> type = blueprint.type();
    return plain(blueprint, new Constructor<>(type)::make, type);
  }

  private static <T> ObjectType<T> plain(
      Blueprint<T> blueprint, Supplier<? extends T> initial, Class<?> state) {
    List<Written> written = new ArrayList<>(blueprint.arguments());
    written.addAll(blueprint.results());
    return BackedType.plain(GeneratedType.of(blueprint), initial, state, written);
  }
}
