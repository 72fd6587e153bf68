package corfu.sim;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Key;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.type.Snapshots;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Lists that are only appended to: their contents show the order of all changes.
 *
 * <p>The class stays in this package: checkpoints contain its name, so a move would change the
 * traces of seeds.
 */
public interface ListStore {

  @Mutator
  void append(@Key long list, long value);

  /** Appends, and returns the whole list. */
  @MutatorAccessor
  List<Long> appendAndGet(@Key long list, long value);

  /** Appends and then throws: the append must have no effect. */
  @Mutator
  void fail(@Key long list, long value);

  /** The same as {@link #fail}, for a caller that waits for the result. */
  @MutatorAccessor
  List<Long> failAndGet(@Key long list, long value);

  @Accessor
  List<Long> get(@Key long list);

  /** Returns all lists. */
  @Accessor
  Map<Long, List<Long>> all();

  /** An append that gives up throws this. */
  final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GivenUpException(String message) {
      super(message);
    }
  }

  /** The implementation. A list in it never changes, so that forks can share it. */
  class Lists implements ListStore {
    private TreeMap<Long, List<Long>> lists = new TreeMap<>();

    @Override
    public void append(long list, long value) {
      List<Long> longer = new ArrayList<>(get(list));
      longer.add(value);
      lists.put(list, longer);
    }

    @Override
    public List<Long> appendAndGet(long list, long value) {
      append(list, value);
      return get(list);
    }

    @Override
    public void fail(long list, long value) {
      append(list, value);
      throw new GivenUpException("gives up " + value);
    }

    @Override
    public List<Long> failAndGet(long list, long value) {
      append(list, value);
      throw new GivenUpException("gives up " + value);
    }

    @Override
    public List<Long> get(long list) {
      return lists.getOrDefault(list, List.of());
    }

    @Override
    public Map<Long, List<Long>> all() {
      return lists;
    }

    private Lists copy() {
      Lists copy = new Lists();
      copy.lists = new TreeMap<>(lists);
      return copy;
    }
  }

  /** Forks share lists; a saved state has one list after the other. */
  final class Forks implements Snapshots<ListStore> {

    @Override
    public ListStore fork(ListStore state) {
      return ((Lists) state).copy();
    }

    @Override
    public void save(ListStore state, Consumer<@Nullable Object> values) {
      state
          .all()
          .forEach(
              (list, content) -> {
                values.accept(list);
                values.accept((long) content.size());
                content.forEach(values);
              });
    }

    @Override
    public ListStore load(Iterator<@Nullable Object> values) {
      Lists state = new Lists();
      while (values.hasNext()) {
        long list = next(values);
        for (long left = next(values); left > 0; left--) {
          state.append(list, next(values));
        }
      }
      return state;
    }

    private static long next(Iterator<@Nullable Object> values) {
      return values.next() instanceof Long number ? number : -1;
    }
  }
}
