package corfu.objects.composed;

import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.objects.type.Written;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A type with a name, keys and values that its annotations can't tell. Two of them are equal if
 * they have the same name and hold the same.
 */
final class RekeyedType<T> implements ObjectType<T> {

  private final String name;
  private final ObjectType<T> type;
  private final List<Operation> operations;
  private final List<Type> held;

  /**
   * @param keys of operations, by their names
   * @param held of what types values are that only their users know
   */
  RekeyedType(String name, ObjectType<T> type, Map<String, Operation.Keys> keys, List<Type> held) {
    this.name = name;
    this.type = type;
    this.held = List.copyOf(held);
    Set<String> unknown = new HashSet<>(keys.keySet());
    this.operations =
        type.operations().stream()
            .map(
                operation -> {
                  Operation.@Nullable Keys others = keys.get(operation.name());
                  unknown.remove(operation.name());
                  return others == null
                      ? operation
                      : new Operation(operation.name(), operation.kind(), Optional.of(others));
                })
            .toList();
    if (!unknown.isEmpty()) {
      throw new IllegalArgumentException(name + " has no operations " + unknown);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public List<Operation> operations() {
    return operations;
  }

  @Override
  public Collection<Type> valueTypes() {
    List<Type> all = new ArrayList<>(type.valueTypes());
    all.addAll(held);
    return all;
  }

  @Override
  public List<Written> written() {
    return type.written();
  }

  @Override
  public T create() {
    return type.create();
  }

  @Override
  public @Nullable Object apply(T state, int operation, @Nullable Object[] arguments)
      throws Throwable {
    return type.apply(state, operation, arguments);
  }

  @Override
  public void check(int operation, @Nullable Object[] arguments) {
    type.check(operation, arguments);
  }

  @Override
  public T replica(Invoker invoker) {
    return type.replica(invoker);
  }

  @Override
  public boolean isForeign(String operation) {
    return !Operation.isReserved(operation);
  }

  @Override
  public Optional<Snapshots<T>> snapshots() {
    return type.snapshots();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RekeyedType<?> like && like.name.equals(name) && like.held.equals(held);
  }

  @Override
  public int hashCode() {
    return 31 * name.hashCode() + held.hashCode();
  }

  @Override
  public String toString() {
    return "object type " + name;
  }
}
