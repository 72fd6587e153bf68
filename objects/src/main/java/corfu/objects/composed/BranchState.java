package corfu.objects.composed;

import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Operation;
import corfu.objects.type.Snapshots;
import corfu.protocol.StreamId;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A branch's state: short lists, which are copied on each change. */
final class BranchState<K> implements Branch<K> {

  private static final Children<?> NONE = new Children<>(0, List.of(), List.of());

  /** Looking for a key reads the child that was found, and nothing else. */
  private static final Operation.Keys FOUND = new FoundPart(result -> ((Found) result).child());

  private Children<K> content;

  private BranchState(Children<K> content) {
    this.content = content;
  }

  @SuppressWarnings("unchecked") // it has no keys
  private static <K> BranchState<K> empty() {
    return new BranchState<>((Children<K>) NONE);
  }

  /** The type of branches with such keys. */
  @SuppressWarnings("unchecked") // an interface's class does not tell of its parameters
  static <K> ObjectType<Branch<K>> type(Type keys) {
    ObjectType<Branch<K>> plain =
        ObjectTypes.persistent(
            (Class<Branch<K>>) (Class<?>) Branch.class,
            BranchState::<K>empty,
            new BranchSnapshots<K>(),
            List.of(StreamId.class));
    return new RekeyedType<>("ComposedTree", plain, Map.of("find(Object)", FOUND), List.of(keys));
  }

  private static final class BranchSnapshots<K> implements Snapshots<Branch<K>> {

    @Override
    public Branch<K> fork(Branch<K> state) {
      return new BranchState<>(state.children());
    }

    @Override
    public void save(Branch<K> state, Consumer<@Nullable Object> values) {
      Children<K> content = state.children();
      values.accept(content.level());
      content.ids().forEach(values);
      content.separators().forEach(values);
    }

    @Override
    @SuppressWarnings("unchecked") // as they were saved
    public Branch<K> load(Iterator<@Nullable Object> values) {
      int level = (Integer) Objects.requireNonNull(values.next());
      List<StreamId> ids = new ArrayList<>();
      List<K> separators = new ArrayList<>();
      while (values.hasNext()) {
        Object next = Objects.requireNonNull(values.next());
        if (next instanceof StreamId id) {
          ids.add(id);
        } else {
          separators.add((K) next);
        }
      }
      return new BranchState<>(new Children<>(level, ids, separators));
    }
  }

  /** The place of the child that a key belongs to. */
  static <K> int placeOf(Children<K> content, K key) {
    int low = 0;
    int high = content.separators().size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (compare(content.separators().get(middle), key) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @SuppressWarnings("unchecked") // keys have a natural order
  private static <K> int compare(K one, K other) {
    return ((Comparable<? super K>) one).compareTo(other);
  }

  @Override
  public Found find(K key) {
    return content.level() == 0
        ? new Found(0, Optional.empty())
        : new Found(content.level(), Optional.of(content.ids().get(placeOf(content, key))));
  }

  @Override
  public Children<K> children() {
    return content;
  }

  @Override
  public Found begin(StreamId leaf) {
    if (content.level() == 0) {
      content = new Children<>(1, List.of(leaf), List.of());
    }
    return new Found(content.level(), Optional.of(content.ids().getFirst()));
  }

  @Override
  public void become(int level, List<StreamId> children, List<K> separators) {
    if (level < 1 || children.isEmpty() || separators.size() != children.size() - 1) {
      throw new IllegalArgumentException(
          "a branch of level %d can't have %d children and %d separators"
              .formatted(level, children.size(), separators.size()));
    }
    content = new Children<>(level, children, separators);
  }

  @Override
  public void adopt(StreamId split, K separator, StreamId child) {
    int place = placeOfChild(split);
    List<StreamId> ids = new ArrayList<>(content.ids());
    List<K> separators = new ArrayList<>(content.separators());
    ids.add(place + 1, child);
    separators.add(place, separator);
    content = new Children<>(content.level(), ids, separators);
  }

  @Override
  public void disown(StreamId child) {
    int place = placeOfChild(child);
    if (content.ids().size() == 1) {
      throw new IllegalStateException("a branch keeps one child");
    }
    List<StreamId> ids = new ArrayList<>(content.ids());
    List<K> separators = new ArrayList<>(content.separators());
    ids.remove(place);
    separators.remove(Math.max(0, place - 1)); // the first one's keys go to the second one
    content = new Children<>(content.level(), ids, separators);
  }

  private int placeOfChild(StreamId child) {
    int place = content.ids().indexOf(child);
    if (place < 0) {
      throw new IllegalStateException(child + " is no child of this branch");
    }
    return place;
  }

  @Override
  public void clear() {
    content = BranchState.<K>empty().content;
  }
}
