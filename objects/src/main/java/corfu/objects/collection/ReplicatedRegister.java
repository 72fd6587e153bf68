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
 * One value that all clients share, or none. Whoever reads it in a transaction conflicts with every
 * change of it; {@link #set} and {@link #clear} read nothing. Values have an {@code equals} of
 * their own. Thread-safe.
 *
 * @param <V> values
 */
public interface ReplicatedRegister<V> {

  /** The type of registers of such values. */
  static <V> ObjectType<ReplicatedRegister<V>> of(Class<V> values) {
    return ofTypes(values);
  }

  /** The same where values have type parameters, or are of several classes. */
  static <V> ObjectType<ReplicatedRegister<V>> ofTypes(Type... values) {
    return RegisterState.<V>type().holding(values);
  }

  /** Empty: none. */
  @Accessor
  Optional<V> get();

  /** Returns when it is durable. */
  @Mutator
  void set(V value);

  /** Takes the value away; returns when that is durable. */
  @Mutator("clear value()")
  void clear();

  /** Sets it, and gives what was there before. */
  @MutatorAccessor
  Optional<V> getAndSet(V value);

  /** Sets it if it is what is expected. */
  @MutatorAccessor
  boolean compareAndSet(V expected, V value);

  /** Sets it if there is no value. */
  @MutatorAccessor
  boolean setIfEmpty(V value);

  /**
   * Changes the value, if there is one. Runs with its caller, in a transaction.
   *
   * @return what it is now
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
