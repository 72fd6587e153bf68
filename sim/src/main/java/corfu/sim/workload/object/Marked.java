package corfu.sim.workload.object;

import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import java.lang.reflect.Type;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A type with checkpoints of its own: neither it nor other types load each other's checkpoints. */
public record Marked<T>(ObjectType<T> type, String stateName) implements ObjectType<T> {

  @Override
  public String name() {
    return type.name();
  }

  @Override
  public String hostedName() {
    return type.hostedName() + ", " + stateName;
  }

  @Override
  public List<Operation> operations() {
    return type.operations();
  }

  @Override
  public Collection<Type> valueTypes() {
    return type.valueTypes();
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
  public Optional<Snapshots<T>> snapshots() {
    return type.snapshots();
  }
}
