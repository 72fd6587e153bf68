package corfu.objects.collection;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Snapshots;
import java.util.Iterator;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The local state of a {@link ReplicatedCounter}. */
final class CounterState implements ReplicatedCounter {

  static final ObjectType<ReplicatedCounter> TYPE =
      CollectionType.of(
          CollectionOperations.FAMILIES,
          ReplicatedCounter.class,
          () -> new CounterState(0),
          new CounterSnapshots());

  private long number;

  private CounterState(long number) {
    this.number = number;
  }

  /** A checkpoint holds the number. */
  private static final class CounterSnapshots implements Snapshots<ReplicatedCounter> {

    @Override
    public ReplicatedCounter fork(ReplicatedCounter state) {
      return new CounterState(state.get());
    }

    @Override
    public void save(ReplicatedCounter state, Consumer<@Nullable Object> values) {
      values.accept(state.get());
    }

    @Override
    public ReplicatedCounter load(Iterator<@Nullable Object> values) {
      return new CounterState((Long) Objects.requireNonNull(values.next()));
    }
  }

  @Override
  public long get() {
    return number;
  }

  @Override
  public void add(long difference) {
    number = Math.addExact(number, difference);
  }

  @Override
  public void increment() {
    add(1);
  }

  @Override
  public long addAndGet(long difference) {
    add(difference);
    return number;
  }

  @Override
  public long incrementAndGet() {
    return addAndGet(1);
  }

  @Override
  public long getAndReset() {
    long before = number;
    number = 0;
    return before;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof ReplicatedCounter counter && counter.get() == number;
  }

  @Override
  public int hashCode() {
    return Long.hashCode(number);
  }

  @Override
  public String toString() {
    return Long.toString(number);
  }
}
