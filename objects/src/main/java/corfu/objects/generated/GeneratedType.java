package corfu.objects.generated;

import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The type of a class, with what was generated for it. */
final class GeneratedType<T> implements ObjectType<T> {

  private static final MethodType CALL =
      MethodType.methodType(Object.class, Object.class, Object[].class);

  private final Blueprint<T> blueprint;
  private final Supplier<? extends T> initial;
  private final Replicas<T> replicas;
  private final MethodHandle[] calls;
  private final List<Type> valueTypes;
  private final Optional<Snapshots<T>> snapshots;

  private GeneratedType(
      Blueprint<T> blueprint,
      Supplier<? extends T> initial,
      Replicas<T> replicas,
      MethodHandle[] calls,
      List<Type> valueTypes,
      Optional<Snapshots<T>> snapshots) {
    this.blueprint = blueprint;
    this.initial = initial;
    this.replicas = replicas;
    this.calls = calls;
    this.valueTypes = valueTypes;
    this.snapshots = snapshots;
  }

  static <T> GeneratedType<T> of(Blueprint<T> blueprint, Supplier<? extends T> initial) {
    Class<T> type = blueprint.type();
    try {
      var lookup = MethodHandles.privateLookupIn(type, MethodHandles.lookup());
      MethodHandle[] calls = new MethodHandle[blueprint.methods().size()];
      for (int i = 0; i < calls.length; i++) {
        Method method = blueprint.methods().get(i);
        calls[i] =
            lookup
                .unreflect(method)
                .asSpreader(Object[].class, method.getParameterCount())
                .asType(CALL);
      }
      return new GeneratedType<>(
          blueprint,
          initial,
          Replicas.of(blueprint, lookup),
          calls,
          blueprint.valueTypes(),
          Optional.empty());
    } catch (IllegalAccessException e) {
      throw new ObjectTypeException(
          "the module of %s has to open the package %s to corfu.objects"
              .formatted(type.getName(), type.getPackageName()),
          e);
    }
  }

  /** The same, with these snapshots, and holding these values, too. */
  GeneratedType<T> with(Snapshots<T> other, Collection<? extends Type> more) {
    List<Type> all = new ArrayList<>(valueTypes);
    all.addAll(more);
    return new GeneratedType<>(
        blueprint, initial, replicas, calls, List.copyOf(all), Optional.of(other));
  }

  @Override
  public Optional<Snapshots<T>> snapshots() {
    return snapshots;
  }

  /** Persistent structures hold no nulls. */
  @Override
  public void check(int operation, @Nullable Object[] arguments) {
    if (snapshots.isPresent()) {
      for (@Nullable Object argument : arguments) {
        Objects.requireNonNull(
            argument, () -> operations().get(operation).name() + " takes no null");
      }
    }
  }

  @Override
  public String name() {
    return blueprint.type().getSimpleName();
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
    return initial.get();
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
