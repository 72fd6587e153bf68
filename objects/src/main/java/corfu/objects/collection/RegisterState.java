package corfu.objects.collection;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.type.Snapshots;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedRegister}. */
final class RegisterState<V> implements ReplicatedRegister<V> {

  private static final CollectionType<ReplicatedRegister<Object>> TYPE =
      CollectionType.of(
          CollectionOperations.FAMILIES,
          ReplicatedRegister.class,
          () -> new RegisterState<>(Optional.empty()),
          new RegisterSnapshots<>());

  private Optional<V> value;

  private RegisterState(Optional<V> value) {
    this.value = value;
  }

  @SuppressWarnings("unchecked") // it does not look at values
  static <V> CollectionType<ReplicatedRegister<V>> type() {
    return (CollectionType<ReplicatedRegister<V>>) (Object) TYPE;
  }

  /** A checkpoint holds the value, or nothing if the register is empty. */
  static final class RegisterSnapshots<V> implements Snapshots<ReplicatedRegister<V>> {

    @Override
    public ReplicatedRegister<V> fork(ReplicatedRegister<V> state) {
      return new RegisterState<>(state.get());
    }

    @Override
    public void save(ReplicatedRegister<V> state, Consumer<@Nullable Object> values) {
      state.get().ifPresent(values);
    }

    @Override
    @SuppressWarnings("unchecked") // as it was saved
    public ReplicatedRegister<V> load(Iterator<@Nullable Object> values) {
      return new RegisterState<>(
          values.hasNext()
              ? Optional.of((V) Objects.requireNonNull(values.next()))
              : Optional.empty());
    }
  }

  @Override
  public Optional<V> get() {
    return value;
  }

  @Override
  public void set(V other) {
    value = Optional.of(other);
  }

  @Override
  public void clear() {
    value = Optional.empty();
  }

  @Override
  public Optional<V> getAndSet(V other) {
    Optional<V> before = value;
    set(other);
    return before;
  }

  @Override
  public boolean compareAndSet(V expected, V other) {
    boolean is = value.equals(Optional.of(expected));
    if (is) {
      set(other);
    }
    return is;
  }

  @Override
  public boolean setIfEmpty(V other) {
    boolean is = value.isEmpty();
    if (is) {
      set(other);
    }
    return is;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReplicatedRegister<?> register && register.get().equals(value);
  }

  @Override
  public int hashCode() {
    return value.hashCode();
  }

  @Override
  public String toString() {
    return value.map(Object::toString).orElse("no value");
  }
}
