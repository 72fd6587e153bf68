package corfu.objects.generated;

import corfu.objects.type.Invoker;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.objects.type.Written;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** How calls reach a class, and what is behind it. */
final class BackedType<T> implements ObjectType<T> {

  private final ObjectType<T> calls;
  private final Supplier<? extends T> initial;
  private final List<Type> valueTypes;
  private final List<Written> written;
  private final Optional<Snapshots<T>> snapshots;

  private BackedType(
      ObjectType<T> calls,
      Supplier<? extends T> initial,
      Collection<? extends Type> states,
      List<Written> written,
      Optional<Snapshots<T>> snapshots) {
    this.calls = calls;
    this.initial = initial;
    List<Type> all = new ArrayList<>(calls.valueTypes());
    all.addAll(states);
    this.valueTypes = List.copyOf(all);
    this.written = written;
    this.snapshots = snapshots;
  }

  /** With a plain object behind it, of this class. */
  static <T> BackedType<T> plain(
      ObjectType<T> calls, Supplier<? extends T> initial, Class<?> state, List<Written> written) {
    List<Written> all = new ArrayList<>(written);
    all.add(new Written(Written.state(state.getName()), state));
    return new BackedType<>(calls, initial, List.of(state), List.copyOf(all), Optional.empty());
  }

  /** With persistent structures behind it, which hold no nulls, but these values. */
  static <T> BackedType<T> persistent(
      ObjectType<T> calls,
      Supplier<? extends T> initial,
      Snapshots<T> snapshots,
      Collection<? extends Type> values,
      List<Written> written) {
    return new BackedType<>(calls, initial, values, written, Optional.of(snapshots));
  }

  @Override
  public String name() {
    return calls.name();
  }

  @Override
  public String hostedName() {
    return calls.hostedName();
  }

  @Override
  public List<Operation> operations() {
    return calls.operations();
  }

  @Override
  public Collection<Type> valueTypes() {
    return valueTypes;
  }

  @Override
  public List<Written> written() {
    return written;
  }

  @Override
  public T create() {
    return initial.get();
  }

  @Override
  public @Nullable Object apply(T state, int operation, @Nullable Object[] arguments)
      throws Throwable {
    return calls.apply(state, operation, arguments);
  }

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
  public T replica(Invoker invoker) {
    return calls.replica(invoker);
  }

  @Override
  public Optional<Snapshots<T>> snapshots() {
    return snapshots;
  }

  @Override
  public String toString() {
    return calls.toString();
  }
}
