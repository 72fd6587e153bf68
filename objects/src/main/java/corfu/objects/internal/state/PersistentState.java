package corfu.objects.internal.state;

import corfu.objects.serial.Serializer;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Shared;
import corfu.objects.type.Snapshots;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A state that can be forked at no cost. Readers read forks that nobody changes any more, so nobody
 * waits for anybody; forks as old as a transaction needs are kept.
 */
public final class PersistentState<T> implements State<T> {

  private final ObjectType<T> type;
  private final Snapshots<T> snapshots;
  private final Serializer serializer;
  private final Pins pins;

  private T working; // only the thread that applies touches it
  private boolean isUntouched = true; // since the newest version was made of it
  private long entry = -1;
  private volatile Version<T> newest;
  private final ConcurrentSkipListMap<Long, Version<T>> older = new ConcurrentSkipListMap<>();

  /** The state after the entry at the address was applied, and before the next entry was. */
  private record Version<T>(T state, long address) {}

  /**
   * @param address of the newest entry in the state, or -1
   */
  public PersistentState(
      ObjectType<T> type,
      Snapshots<T> snapshots,
      Serializer serializer,
      Pins pins,
      T initial,
      long address) {
    this.type = type;
    this.serializer = serializer;
    this.snapshots = snapshots;
    this.pins = pins;
    this.working = initial;
    this.newest = new Version<>(snapshots.fork(initial), address);
  }

  @Override
  public void beginEntry(long address) {
    entry = address;
  }

  @Override
  public Outcome apply(int operation, @Nullable Object[] arguments) {
    T before = isUntouched ? newest.state : snapshots.fork(working);
    isUntouched = false;
    try {
      return Outcome.returned(type.apply(working, operation, arguments));
    } catch (Throwable failure) {
      working = snapshots.fork(before);
      if (failure instanceof Error error) {
        throw error;
      }
      State.checkHasRead(failure);
      return Outcome.threw(failure);
    }
  }

  @Override
  public void replace(T other) {
    working = other;
    isUntouched = false;
  }

  @Override
  public void endEntry() {
    Version<T> last = newest;
    long wanted = pins.lowest();
    if (wanted <= entry) {
      older.put(last.address, last);
      @Nullable Long floor = older.lowerKey(wanted);
      if (floor != null) {
        older.headMap(floor).clear();
      }
    } else if (!older.isEmpty()) {
      older.clear();
    }
    newest = new Version<>(snapshots.fork(working), entry);
    isUntouched = true;
  }

  @Override
  public void abandonEntry() {
    working = snapshots.fork(newest.state);
    isUntouched = true;
  }

  @Override
  public long newest() {
    return newest.address;
  }

  @Override
  public long newestBelow(long snapshot) {
    Version<T> last = newest;
    if (last.address < snapshot) {
      return last.address;
    }
    @Nullable Long kept = older.lowerKey(snapshot);
    return kept == null ? -1 : kept;
  }

  @Override
  public @Nullable Object read(long snapshot, int operation, @Nullable Object[] arguments)
      throws Throwable {
    @Nullable Object value = type.apply(at(snapshot), operation, arguments);
    return value instanceof Shared ? value : serializer.copy(value);
  }

  @Override
  public T fork(long snapshot) throws TooNewException {
    return snapshots.fork(at(snapshot));
  }

  @Override
  public Optional<T> shared() {
    return Optional.of(newest.state);
  }

  @Override
  public void look(Consumer<T> viewer) {
    viewer.accept(newest.state);
  }

  private T at(long snapshot) throws TooNewException {
    Version<T> last = newest;
    if (last.address < snapshot) {
      return last.state;
    }
    Map.@Nullable Entry<Long, Version<T>> kept = older.lowerEntry(snapshot);
    if (kept == null) {
      throw new TooNewException(last.address);
    }
    return kept.getValue().state;
  }
}
