package corfu.objects.collection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;

/** Collections do what the JDK's do; forks of them go their own ways; what is saved is all. */
class CollectionProperties {

  private static final int OPERATIONS = 20;
  private static final int VALUES = 12;

  @Property(tries = 200)
  void aSet(@ForAll @Size(max = 150) List<@IntRange(max = OPERATIONS * VALUES) Integer> steps) {
    new History<ReplicatedSet<Integer>, Set<Integer>>(
            ReplicatedSet.of(Integer.class),
            new HashSet<>(),
            HashSet::new,
            ReplicatedSet::snapshot,
            model -> model)
        .run(steps, CollectionProperties::onSet);
  }

  private static void onSet(ReplicatedSet<Integer> set, Set<Integer> model, int step) {
    int value = step % VALUES;
    switch (step / VALUES) {
      case 0, 1, 2, 3, 4 -> assertThat(set.add(value)).isEqualTo(model.add(value));
      case 5, 6, 7 -> assertThat(set.remove(value)).isEqualTo(model.remove(value));
      case 8 -> {
        set.fastAdd(value);
        model.add(value);
      }
      case 9 -> {
        set.fastRemove(value);
        model.remove(value);
      }
      case 10 -> {
        List<Integer> more = List.of(value, value + 1, value + 30);
        assertThat(set.addAll(more)).isEqualTo(model.addAll(more));
      }
      case 11 -> {
        List<Integer> less = List.of(value, value + 2, value);
        assertThat(set.removeAll(less)).isEqualTo(model.removeAll(less));
      }
      case 12 -> {
        Set<Integer> kept = Set.of(value, value + 1, value + 2, value + 3, value + 4);
        assertThat(set.retainAll(kept)).isEqualTo(model.retainAll(kept));
      }
      case 13 -> {
        set.clear();
        model.clear();
      }
      default -> assertThat(set.contains(value)).isEqualTo(model.contains(value));
    }
    assertThat(set.size()).isEqualTo(model.size());
    assertThat(set.equals(model)).isTrue();
    assertThat(set.hashCode()).isEqualTo(model.hashCode());
  }

  @Property(tries = 200)
  void aList(@ForAll @Size(max = 150) List<@IntRange(max = OPERATIONS * VALUES) Integer> steps) {
    new History<ReplicatedList<Integer>, List<Integer>>(
            ReplicatedList.of(Integer.class),
            new ArrayList<>(),
            ArrayList::new,
            ReplicatedList::snapshot,
            model -> model)
        .run(steps, CollectionProperties::onList);
  }

  private static void onList(ReplicatedList<Integer> list, List<Integer> model, int step) {
    int value = step % VALUES;
    switch (step / VALUES) {
      case 0 -> assertThat(list.add(value)).isEqualTo(model.add(value));
      case 1 -> bothChange(list, model, each -> each.add(value / 2, value));
      case 2 -> both(list, model, each -> each.set(value, 7));
      case 3 -> both(list, model, each -> each.get(value));
      case 4 -> both(list, model, each -> each.remove(value));
      case 5 -> both(list, model, each -> each.remove((Integer) value));
      case 6 -> both(list, model, List::removeFirst);
      case 7 -> both(list, model, List::removeLast);
      case 8 -> bothChange(list, model, each -> each.addFirst(value));
      case 9 -> bothChange(list, model, each -> each.addLast(value));
      case 10 -> both(list, model, List::getFirst);
      case 11 -> both(list, model, List::getLast);
      case 12 -> both(list, model, each -> each.indexOf(value) - each.lastIndexOf(value));
      case 13 -> both(list, model, each -> each.subList(value / 4, value));
      case 14 -> both(list, model, each -> each.removeAll(List.of(value, value + 1)));
      case 15 -> both(list, model, each -> each.contains(value));
      case 16 -> {
        list.fastAddAll(List.of(value, 3, value));
        model.addAll(List.of(value, 3, value));
      }
      case 17 -> {
        if (value <= model.size()) {
          list.insertAll(value, List.of(4, 5));
          model.addAll(value, List.of(4, 5));
        }
      }
      case 18 -> {
        if (value < model.size()) {
          list.fastSet(value, -1);
          model.set(value, -1);
        }
      }
      default -> {
        if (value == 0) {
          list.clear();
          model.clear();
        }
      }
    }
    assertThat(list.equals(model)).isTrue();
    assertThat(list.hashCode()).isEqualTo(model.hashCode());
    assertThat(list.toString()).isEqualTo(model.toString());
  }

  private interface OnList {
    Object run(List<Integer> list);
  }

  private interface ChangesList {
    void run(List<Integer> list);
  }

  private static void bothChange(List<Integer> list, List<Integer> model, ChangesList change) {
    both(
        list,
        model,
        each -> {
          change.run(each);
          return true;
        });
  }

  private static void both(List<Integer> list, List<Integer> model, OnList operation) {
    compare(() -> operation.run(list), () -> operation.run(model));
  }

  /** Both give the same, or throw the same. */
  private static void compare(Callable<?> one, Callable<?> other) {
    Object[] values = new Object[2];
    Throwable first = catchThrowable(() -> values[0] = one.call());
    Throwable second = catchThrowable(() -> values[1] = other.call());
    assertThat(values[0]).isEqualTo(values[1]);
    assertThat(first == null).isEqualTo(second == null);
    if (first instanceof NoSuchElementException || second instanceof NoSuchElementException) {
      assertThat(first).isInstanceOf(second.getClass());
    }
  }

  @Property(tries = 200)
  void aQueue(@ForAll @Size(max = 150) List<@IntRange(max = OPERATIONS * VALUES) Integer> steps) {
    new History<ReplicatedQueue<Integer>, ArrayDeque<Integer>>(
            ReplicatedQueue.of(Integer.class),
            new ArrayDeque<>(),
            ArrayDeque::new,
            ReplicatedQueue::snapshot,
            List::copyOf)
        .run(steps, CollectionProperties::onQueue);
  }

  private static void onQueue(ReplicatedQueue<Integer> queue, ArrayDeque<Integer> model, int step) {
    int value = step % VALUES;
    switch (step / VALUES) {
      case 0, 1, 2 -> assertThat(queue.offer(value)).isEqualTo(model.offer(value));
      case 3, 4, 5, 6 -> assertThat(queue.poll()).isEqualTo(model.poll());
      case 7 -> compare(queue::remove, model::remove);
      case 8 -> compare(queue::element, model::element);
      case 9 -> assertThat(queue.peek()).isEqualTo(model.peek());
      case 10 -> assertThat(queue.remove(value)).isEqualTo(model.remove(value));
      case 11 -> {
        queue.fastAdd(value);
        model.add(value);
      }
      case 12 -> {
        List<Integer> taken = new ArrayList<>();
        for (int i = 0; i < value && !model.isEmpty(); i++) {
          taken.add(model.remove());
        }
        assertThat(queue.poll(value)).isEqualTo(taken);
      }
      case 13 -> {
        queue.fastAddAll(List.of(value, value + 1));
        model.addAll(List.of(value, value + 1));
      }
      case 14 -> {
        List<Integer> some = Arrays.asList(value, value + 2);
        assertThat(queue.retainAll(some)).isEqualTo(model.retainAll(some));
      }
      default -> assertThat(queue.add(value)).isEqualTo(model.add(value));
    }
    assertThat(queue.size()).isEqualTo(model.size());
  }

  @Property(tries = 100)
  void aStack(@ForAll @Size(max = 150) List<@IntRange(max = 9) Integer> steps) {
    new History<ReplicatedStack<Integer>, ArrayDeque<Integer>>(
            ReplicatedStack.of(Integer.class),
            new ArrayDeque<>(),
            ArrayDeque::new,
            ReplicatedStack::snapshot,
            model -> new ArrayList<>(model).reversed())
        .run(
            steps,
            (stack, model, step) -> {
              assertThat(stack.peek()).isEqualTo(Optional.ofNullable(model.peek()));
              if (step < 5) {
                stack.push(step);
                model.push(step);
              } else if (step < 9) {
                assertThat(stack.pop()).isEqualTo(Optional.ofNullable(model.poll()));
              } else {
                stack.clear();
                model.clear();
              }
              assertThat(stack.size()).isEqualTo(model.size());
              assertThat(stack.isEmpty()).isEqualTo(model.isEmpty());
            });
  }

  @Property(tries = 100)
  void aRegister(@ForAll @Size(max = 50) List<@IntRange(max = 60) Integer> steps) {
    new History<ReplicatedRegister<Integer>, AtomicReference<Integer>>(
            ReplicatedRegister.of(Integer.class),
            new AtomicReference<>(),
            model -> new AtomicReference<>(model.get()),
            ReplicatedRegister::get,
            model -> Optional.ofNullable(model.get()))
        .run(
            steps,
            (register, model, step) -> {
              int value = step % 3;
              switch (step / 10) {
                case 0 -> {
                  register.set(value);
                  model.set(value);
                }
                case 1 ->
                    assertThat(register.getAndSet(value))
                        .isEqualTo(Optional.ofNullable(model.getAndSet(value)));
                case 2 ->
                    assertThat(register.compareAndSet(value, 1))
                        .isEqualTo(model.compareAndSet(value, 1));
                case 3 ->
                    assertThat(register.setIfEmpty(value))
                        .isEqualTo(model.compareAndSet(null, value));
                default -> {
                  register.clear();
                  model.set(null);
                }
              }
            });
  }

  @Property(tries = 100)
  void aCounter(@ForAll @Size(max = 50) List<@IntRange(max = 60) Integer> steps) {
    new History<ReplicatedCounter, AtomicLong>(
            ReplicatedCounter.type(),
            new AtomicLong(),
            model -> new AtomicLong(model.get()),
            ReplicatedCounter::get,
            AtomicLong::get)
        .run(
            steps,
            (counter, model, step) -> {
              switch (step / 10) {
                case 0 -> {
                  counter.add(-step);
                  model.addAndGet(-step);
                }
                case 1 -> {
                  counter.increment();
                  model.incrementAndGet();
                }
                case 2 -> assertThat(counter.addAndGet(step)).isEqualTo(model.addAndGet(step));
                case 3 -> assertThat(counter.incrementAndGet()).isEqualTo(model.incrementAndGet());
                default -> assertThat(counter.getAndReset()).isEqualTo(model.getAndSet(0));
              }
            });
  }
}
