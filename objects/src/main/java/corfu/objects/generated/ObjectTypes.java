package corfu.objects.generated;

import corfu.objects.type.ObjectType;
import corfu.objects.type.Snapshots;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
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
 * The class has a constructor without parameters; neither it nor its operations are final; a module
 * opens its package to {@code corfu.objects}. Its state is what its fields hold; where these hold
 * classes of the application, {@link corfu.objects.serial.StandardSerializer} says what these must
 * look like.
 */
public final class ObjectTypes {

  private ObjectTypes() {}

  /**
   * The type of an annotated class. Every public method of it has an annotation.
   *
   * @throws ObjectTypeException if the class does not fit
   */
  public static <T> ObjectType<T> of(Class<T> type) {
    return GeneratedType.of(Blueprint.annotated(type, type), new Constructor<>(type)::make);
  }

  /**
   * The type of a class as it is.
   *
   * @param mutators the names of those of its public methods that change it; the others read it
   * @throws ObjectTypeException if the class does not fit, or has no method of one of the names
   */
  public static <T> ObjectType<T> of(Class<T> type, String... mutators) {
    return GeneratedType.of(
        Blueprint.plain(type, Set.copyOf(List.of(mutators))), new Constructor<>(type)::make);
  }

  /**
   * The type of an annotated interface.
   *
   * @param initial makes what is behind it, each time equal
   * @throws ObjectTypeException if the interface does not fit
   */
  public static <T> ObjectType<T> of(Class<T> type, Supplier<? extends T> initial) {
    return GeneratedType.of(Blueprint.annotated(type, initial.get().getClass()), initial);
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
    return GeneratedType.of(Blueprint.annotated(type, type), initial).with(snapshots, valueTypes);
  }
}
