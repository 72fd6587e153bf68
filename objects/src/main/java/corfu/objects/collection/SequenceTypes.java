package corfu.objects.collection;

import static corfu.objects.collection.internal.SequenceKeys.adds;
import static corfu.objects.collection.internal.SequenceKeys.addsFirst;
import static corfu.objects.collection.internal.SequenceKeys.counts;
import static corfu.objects.collection.internal.SequenceKeys.looksAtIndex;
import static corfu.objects.collection.internal.SequenceKeys.setsIndex;
import static corfu.objects.collection.internal.SequenceKeys.takesFirst;
import static corfu.objects.collection.internal.SequenceKeys.takesLast;
import static corfu.objects.collection.internal.SequenceKeys.takesSeveral;

import corfu.objects.collection.internal.CollectionType;
import corfu.objects.collection.internal.SequenceState;
import corfu.objects.collection.internal.SequenceState.Cell;
import corfu.objects.collection.internal.SequenceState.SequenceSnapshots;
import java.util.Map;
import java.util.function.Function;

/**
 * The types of lists, queues and stacks. Each understands what the others do, and is opened from
 * their checkpoints: one stream can be all three.
 */
final class SequenceTypes {

  private static final CollectionType<ReplicatedList<Object>> LIST_ALONE =
      SequenceTypes.<ReplicatedList<Object>>alone(ReplicatedList.class, ListState::new)
          .withKeys(
              Map.ofEntries(
                  Map.entry("size()", counts()),
                  Map.entry("isEmpty()", counts()),
                  Map.entry("get(int)", looksAtIndex()),
                  Map.entry("getFirst()", takesFirst()),
                  Map.entry("set(int,Object)", setsIndex()),
                  Map.entry("fastSet(int,Object)", setsIndex()),
                  Map.entry("add(Object)", adds()),
                  Map.entry("addLast(Object)", adds()),
                  Map.entry("fastAdd(Object)", adds()),
                  Map.entry("fastAddAll(List)", adds()),
                  Map.entry("addFirst(Object)", addsFirst()),
                  Map.entry("removeFirst()", takesFirst()),
                  Map.entry("removeLast()", takesLast())));

  private static final CollectionType<ReplicatedQueue<Object>> QUEUE_ALONE =
      SequenceTypes.<ReplicatedQueue<Object>>alone(ReplicatedQueue.class, QueueState::new)
          .withKeys(
              Map.ofEntries(
                  Map.entry("size()", counts()),
                  Map.entry("isEmpty()", counts()),
                  Map.entry("element()", takesFirst()),
                  Map.entry("peek()", takesFirst()),
                  Map.entry("add(Object)", adds()),
                  Map.entry("offer(Object)", adds()),
                  Map.entry("fastAdd(Object)", adds()),
                  Map.entry("fastAddAll(List)", adds()),
                  Map.entry("remove()", takesFirst()),
                  Map.entry("poll()", takesFirst()),
                  Map.entry("poll(int)", takesSeveral())));

  private static final CollectionType<ReplicatedStack<Object>> STACK_ALONE =
      SequenceTypes.<ReplicatedStack<Object>>alone(ReplicatedStack.class, StackState::new)
          .withKeys(
              Map.of(
                  "size()", counts(),
                  "isEmpty()", counts(),
                  "push(Object)", adds(),
                  "pop()", takesLast()));

  private static final CollectionType<ReplicatedList<Object>> LIST = shared(LIST_ALONE);
  private static final CollectionType<ReplicatedQueue<Object>> QUEUE = shared(QUEUE_ALONE);
  private static final CollectionType<ReplicatedStack<Object>> STACK = shared(STACK_ALONE);

  private SequenceTypes() {}

  private static <T> CollectionType<T> alone(
      Class<?> type, Function<Cell<Object>, ? extends T> over) {
    return CollectionType.<T>of(
            CollectionOperations.FAMILIES,
            type,
            () -> over.apply(new Cell<>()),
            new SequenceSnapshots<Object, T>(over::apply, SequenceTypes::state))
        .savedAs(SequenceState.SAVED_AS);
  }

  private static <T> CollectionType<T> shared(CollectionType<T> type) {
    return type.understanding(LIST_ALONE, each -> new ListState<>(state(each).cell()))
        .understanding(QUEUE_ALONE, each -> new QueueState<>(state(each).cell()))
        .understanding(STACK_ALONE, each -> new StackState<>(state(each).cell()));
  }

  @SuppressWarnings("unchecked") // all that is behind our types
  private static SequenceState<Object> state(Object state) {
    return (SequenceState<Object>) state;
  }

  @SuppressWarnings("unchecked") // it does not look at elements
  static <E> CollectionType<ReplicatedList<E>> list() {
    return (CollectionType<ReplicatedList<E>>) (Object) LIST;
  }

  @SuppressWarnings("unchecked") // it does not look at elements
  static <E> CollectionType<ReplicatedQueue<E>> queue() {
    return (CollectionType<ReplicatedQueue<E>>) (Object) QUEUE;
  }

  @SuppressWarnings("unchecked") // it does not look at elements
  static <E> CollectionType<ReplicatedStack<E>> stack() {
    return (CollectionType<ReplicatedStack<E>>) (Object) STACK;
  }
}
