package corfu.objects.collection;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.ObjectType;
import org.jspecify.annotations.Nullable;

/**
 * A number that all clients count up and down. {@link #add} and {@link #increment} read nothing, so
 * transactions that only count never conflict with each other. A transaction that reads the number
 * conflicts with every change of it. A change beyond the bounds of a {@code long} throws an {@link
 * ArithmeticException} where the change is executed, and has no effect. Thread-safe.
 */
public interface ReplicatedCounter {

  /** Returns the type of counters. A new counter is zero. */
  static ObjectType<ReplicatedCounter> type() {
    return CounterState.TYPE;
  }

  @Accessor
  long get();

  /** Returns once the change is durable. */
  @Mutator("count(long)")
  void add(long difference);

  /** Returns once the change is durable. */
  @Mutator
  void increment();

  /** Adds the difference and returns the new number. */
  @MutatorAccessor
  long addAndGet(long difference);

  /** Adds one and returns the new number. Concurrent callers never receive the same number. */
  @MutatorAccessor
  long incrementAndGet();

  /** Resets the number to zero and returns the previous number. */
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
