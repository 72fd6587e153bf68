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
 * Lists that are only appended to: what they hold tells in which order everything happened.
 *
 * <p>Stays in this package: checkpoints hold its name, and with it the traces of seeds would
 * change.
 */
public interface ListStore {

  @Mutator
  void append(@Key long list, long value);

  /** Appends, and then what all of the list is. */
  @MutatorAccessor
  List<Long> appendAndGet(@Key long list, long value);

  /** Begins to append, and gives up half way: it must not have done anything. */
  @Mutator
  void fail(@Key long list, long value);

  /** The same for somebody who waits. */
  @MutatorAccessor
  List<Long> failAndGet(@Key long list, long value);

  @Accessor
  List<Long> get(@Key long list);

  /** All of it. */
  @Accessor
  Map<Long, List<Long>> all();

  /** What an append that gives up throws. */
  final class GivenUpException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    GivenUpException(String message) {
      super(message);
    }
  }

  /** What is behind it; a list that is in it never changes, so that forks can share it. */
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

  /** Forks share lists; saved is list by list. */
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
