package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.annotation.TransactionalMethod;
import corfu.objects.type.ObjectType;
import java.lang.reflect.Type;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * One value that all clients share, or no value. A transaction that reads the register conflicts
 * with every change of it. {@link #set} and {@link #clear} read nothing. Values have a value-based
 * {@code equals}. Thread-safe.
 *
 * @param <V> type of the values
 */
public interface ReplicatedRegister<V> {

  /** Returns the type of registers of this class of values. */
  static <V> ObjectType<ReplicatedRegister<V>> of(Class<V> values) {
    return ofTypes(values);
  }

  /** Returns the same type for values with type parameters, or of several classes. */
  static <V> ObjectType<ReplicatedRegister<V>> ofTypes(Type... values) {
    return RegisterState.<V>type().holding(values);
  }

  /** Returns the value, or empty if the register has none. */
  @Accessor
  Optional<V> get();

  /** Sets the value; returns once the change is durable. */
  @Mutator
  void set(V value);

  /** Removes the value; returns once the change is durable. */
  @Mutator("clear value()")
  void clear();

  /** Sets the value and returns the previous one, or empty if the register had none. */
  @MutatorAccessor
  Optional<V> getAndSet(V value);

  /** Sets the value if the current one equals the expected one; returns whether it was set. */
  @MutatorAccessor
  boolean compareAndSet(V expected, V value);

  /** Sets the value if the register has none; returns whether it was set. */
  @MutatorAccessor
  boolean setIfEmpty(V value);

  /**
   * Changes the value, if the register has one. Runs at the calling client, in a transaction.
   *
   * @return the new value, or empty if the register has none
   */
  @TransactionalMethod
  default Optional<V> update(UnaryOperator<V> change) {
    Optional<V> changed = get().map(change);
    changed.ifPresent(this::set);
    return changed;
  }

  @Override
  @Accessor
  boolean equals(@Nullable Object other);

  @Override
  @Accessor
  int hashCode();

  @Override
  @Accessor
  String toString();
}
