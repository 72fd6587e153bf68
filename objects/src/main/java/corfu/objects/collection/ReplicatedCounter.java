package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * A number that all clients count up and down. {@link #add} and {@link #increment} read nothing, so
 * transactions that only count never stand in each other's way; one that reads the number conflicts
 * with every change of it. A change beyond the bounds of a {@code long} throws an {@link
 * ArithmeticException} where it is carried out, and does nothing. Thread-safe.
 */
public interface ReplicatedCounter {

  /** The type of counters; they begin at zero. */
  static ObjectType<ReplicatedCounter> type() {
    return CounterState.TYPE;
  }

  @Accessor
  long get();

  /** Returns when it is durable. */
  @Mutator("count(long)")
  void add(long difference);

  /** Returns when it is durable. */
  @Mutator
  void increment();

  /** Adds, and gives what the number is then. */
  @MutatorAccessor
  long addAndGet(long difference);

  /** Adds one, and gives what the number is then: no two callers are given the same. */
  @MutatorAccessor
  long incrementAndGet();

  /** Begins anew at zero, and gives what the number was. */
  @MutatorAccessor
  long getAndReset();

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
