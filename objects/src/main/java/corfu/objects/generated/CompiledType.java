package corfu.objects.generated;

import corfu.objects.rule.ClassRules;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;

/**
 * The base class of the annotation processor's classes. Each of them is the object type of one
 * class, and is in that class's package, under a name by which {@link ObjectTypes} finds it. It
 * writes the same bytes as a type that is generated at run time. Only the annotation processor
 * extends it.
 *
 * @param <T> the class
 */
public abstract class CompiledType<T> implements ObjectType<T> {

  /** The suffix of an object type's simple name. */
  public static final String SUFFIX = "_CorfuType";

  private final Class<T> type;
  private final List<Operation> operations;
  private final List<Type> valueTypes;

  /**
   * @param type as {@code Class<?>}, so that the source need not cast where it has type parameters
   * @param valueTypes what occurs in operations and states
   */
  @SuppressWarnings("unchecked") // whoever extends this says both
  protected CompiledType(Class<?> type, List<Operation> operations, List<Type> valueTypes) {
    this.type = (Class<T>) type;
    this.operations = List.copyOf(operations);
    this.valueTypes = List.copyOf(valueTypes);
  }

  /**
   * The name of a class's object type, in the same package.
   *
   * @param binaryName the class's, without its package
   */
  public static String nameFor(String binaryName) {
    return binaryName.replace('$', '_') + SUFFIX;
  }

  final Class<T> type() {
    return type;
  }

  @Override
  public final String name() {
    return type.getSimpleName();
  }

  @Override
  public final String hostedName() {
    return type.getName();
  }

  @Override
  public final List<Operation> operations() {
    return operations;
  }

  @Override
  public final Collection<Type> valueTypes() {
    return valueTypes;
  }

  @Override
  public T create() {
    throw new ObjectTypeException(ClassRules.isAbstract(type.getName()));
  }

  @Override
  public final T replica(Invoker invoker) {
    try {
      return standIn(invoker);
    } catch (Throwable failure) {
      throw Replicas.failed(type, failure);
    }
  }

  /** Makes what users hold. */
  protected abstract T standIn(Invoker invoker) throws Throwable;

  /** The class's constructor threw this. */
  protected final RuntimeException constructorFailed(Throwable failure) {
    return Constructor.failed(type, failure);
  }

  /** There is no operation at this place. */
  protected final RuntimeException noOperation(int operation) {
    return new IllegalArgumentException(
        "%s has %d operations, but number %d was called"
            .formatted(type.getName(), operations.size(), operation));
  }

  /** Throws what an operation threw, though methods that take calls do not declare it. */
  @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // nobody asks what it is
  protected static <E extends Throwable> RuntimeException thrown(Throwable failure) throws E {
    throw (E) failure;
  }

  @Override
  public final String toString() {
    return "object type " + type.getName() + ", compiled";
  }
}
