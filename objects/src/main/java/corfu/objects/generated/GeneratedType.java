package corfu.objects.generated;

import corfu.objects.rule.ClassRules;
import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The type of a class, with what was generated for it, and nothing behind it. */
final class GeneratedType<T> implements ObjectType<T> {

  private static final MethodType CALL =
      MethodType.methodType(Object.class, Object.class, Object[].class);

  private final Blueprint<T> blueprint;
  private final Replicas<T> replicas;
  private final MethodHandle[] calls;
  private final List<Type> valueTypes;

  private GeneratedType(Blueprint<T> blueprint, Replicas<T> replicas, MethodHandle[] calls) {
    this.blueprint = blueprint;
    this.replicas = replicas;
    this.calls = calls;
    this.valueTypes = blueprint.valueTypes();
  }

  static <T> GeneratedType<T> of(Blueprint<T> blueprint) {
    Class<T> type = blueprint.type();
    try {
      var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      MethodHandle[] calls = new MethodHandle[blueprint.methods().size()];
      for (int i = 0; i < calls.length; i++) {
        Method method = blueprint.methods().get(i);
        calls[i] =
            lookup
                .unreflect(method)
                .asFixedArity() // what is in the log is the array
                .asSpreader(Object[].class, method.getParameterCount())
                .asType(CALL);
      }
      return new GeneratedType<>(blueprint, Replicas.of(blueprint, lookup), calls);
    } catch (IllegalAccessException e) {
      throw new ObjectTypeException(
          "the module of %s has to open the package %s to corfu.objects"
              .formatted(type.getName(), type.getPackageName()),
          e);
    }
  }

  @Override
  public String name() {
    return blueprint.type().getSimpleName();
  }

  @Override
  public String hostedName() {
    return blueprint.type().getName();
  }

  @Override
  public List<Operation> operations() {
    return blueprint.operations();
  }

  @Override
  public Collection<Type> valueTypes() {
    return valueTypes;
  }

  @Override
  public T create() {
    throw new ObjectTypeException(ClassRules.isAbstract(blueprint.type().getName()));
  }

  @Override
  public @Nullable Object apply(T state, int operation, @Nullable Object[] arguments)
      throws Throwable {
    return (Object) calls[operation].invokeExact((Object) state, arguments);
  }

  @Override
  public T replica(Invoker invoker) {
    return replicas.make(invoker);
  }

  @Override
  public String toString() {
    return "object type " + blueprint.type().getName();
  }
}
