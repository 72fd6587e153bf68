package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import corfu.objects.serial.SerializationException;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Collections that two clients share. */
@Timeout(180)
class CollectionsTest {

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  private <T> T here(ObjectType<T> type) {
    return clients.here.open("thing", type);
  }

  private <T> T there(ObjectType<T> type) {
    return clients.there.open("thing", type);
  }

  @Test
  void aSetIsASetOfTheJdk() {
    Set<String> here = here(ReplicatedSet.of(String.class));
    Set<String> there = there(ReplicatedSet.of(String.class));

    assertThat(here.add("a")).isTrue();
    assertThat(there.add("a")).isFalse();
    assertThat(there.addAll(List.of("a", "b", "c"))).isTrue();
    assertThat(here.remove("b")).isTrue();

    assertThat(here).containsExactlyInAnyOrder("a", "c").isEqualTo(Set.of("a", "c"));
    assertThat(List.copyOf(here)).isEqualTo(List.copyOf(there));
    assertThat(there.stream().sorted().toList()).containsExactly("a", "c");
    assertThat(here.toArray(new String[0])).containsExactlyInAnyOrder("a", "c");
    assertThat(here.removeIf("a"::equals)).isTrue();
    assertThat(there).containsExactly("c");
    assertThat(there.contains("c")).isTrue();
    there.clear();
    assertThat(here).isEmpty();
  }

  @Test
  void aListIsAListOfTheJdk() {
    List<String> here = here(ReplicatedList.of(String.class));
    List<String> there = there(ReplicatedList.of(String.class));

    assertThat(here.add("c")).isTrue();
    there.add(0, "a");
    assertThat(here.addAll(1, List.of("b", "b"))).isTrue();
    assertThat(there.set(3, "d")).isEqualTo("c");
    there.replaceAll(text -> text + text);
    assertThat(here).containsExactly("aa", "bb", "bb", "dd").isEqualTo(there.subList(0, 4));
    here.sort(Comparator.reverseOrder());
    assertThat(there).containsExactly("dd", "bb", "bb", "aa");
    assertThat(there.removeIf("bb"::equals)).isTrue();
    assertThat(here.reversed()).containsExactly("aa", "dd");
    assertThat(here.remove(0)).isEqualTo("dd");
    assertThat(there.getFirst()).isEqualTo("aa");
    assertThat(there.hashCode()).isEqualTo(List.of("aa").hashCode());
    assertThatThrownBy(() -> there.get(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> there.remove(1)).isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> there.addAll(2, List.of("x")))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThat(here).containsExactly("aa");
  }

  /** Its hashes differ between processes, and so does the order of a hash set. */
  enum Fruit {
    APPLE,
    BANANA,
    CHERRY,
    DAMSON
  }

  @Test
  void whatIsAddedFromASetIsInTheSameOrderEverywhere() {
    ObjectType<ReplicatedList<Fruit>> type = ReplicatedList.of(Fruit.class);
    Set<Fruit> fruits = new HashSet<>(EnumSet.allOf(Fruit.class));

    here(type).addAll(fruits);

    assertThat(there(type)).containsExactlyElementsOf(List.copyOf(fruits));
  }

  @Test
  void aQueueGivesEachElementOnce() {
    Queue<Integer> here = here(ReplicatedQueue.of(Integer.class));
    Queue<Integer> there = there(ReplicatedQueue.of(Integer.class));
    assertThat(here.poll()).isNull();
    List<Integer> wanted = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? here : there).add(i);
      wanted.add(i);
    }

    List<Integer> taken = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      taken.add((i % 3 == 0 ? here : there).poll());
    }

    assertThat(taken).isEqualTo(wanted);
    assertThat(there.peek()).isNull();
    assertThat(here).isEmpty();
  }

  @Test
  void aRegisterAndACounterAreOneForAll() {
    ReplicatedRegister<String> register = here(ReplicatedRegister.of(String.class));
    assertThat(register.setIfEmpty("a")).isTrue();
    assertThat(there(ReplicatedRegister.of(String.class)).setIfEmpty("b")).isFalse();
    assertThat(register.update(text -> text + "!")).contains("a!");
    assertThat(there(ReplicatedRegister.of(String.class)).get()).contains("a!");

    ReplicatedCounter here = clients.here.open("counter", ReplicatedCounter.type());
    ReplicatedCounter there = clients.there.open("counter", ReplicatedCounter.type());
    here.add(5);
    assertThat(there.incrementAndGet()).isEqualTo(6);
    assertThat(here.get()).isEqualTo(6);
    assertThatThrownBy(() -> here.addAndGet(Long.MAX_VALUE))
        .isInstanceOf(ArithmeticException.class);
    assertThat(there.get()).isEqualTo(6);
  }

  // ------------------------------------------------------------------------ several in one stream

  @Test
  void oneStreamIsAListAQueueAndAStack() {
    ReplicatedList<String> list = here(ReplicatedList.of(String.class));
    ReplicatedQueue<String> queue = there(ReplicatedQueue.of(String.class));
    ReplicatedStack<String> stack = here(ReplicatedStack.of(String.class));

    list.addAll(List.of("b", "c", "d", "e"));
    list.add(0, "a");
    stack.push("f");
    queue.add("g");

    assertThat(queue.poll()).isEqualTo("a");
    assertThat(stack.pop()).contains("g");
    assertThat(stack.peek()).contains("f");
    assertThat(list.set(0, "B")).isEqualTo("b");
    assertThat(queue.poll(2)).containsExactly("B", "c");
    assertThat(list).containsExactly("d", "e", "f");
    assertThat(queue.snapshot()).isEqualTo(list).isEqualTo(stack.snapshot());
  }

  @Test
  void aQueueIsOpenedFromTheCheckpointOfAList() {
    ReplicatedList<String> list = here(ReplicatedList.of(String.class));
    list.addAll(List.of("a", "b", "c"));
    list.remove(1);
    clients.here.checkpoint(list);
    assertThat(clients.here.forget(list, clients.corfu.log().tail())).isPresent();
    list.add("d");

    assertThat(there(ReplicatedQueue.of(String.class)).poll(5)).containsExactly("a", "c", "d");
  }

  @Test
  void aStreamOfAnotherCollectionIsToldFromOnesOwn() {
    here(ReplicatedSet.of(String.class)).add("a");
    assertIsNoStreamOf(ReplicatedList.of(String.class), ReplicatedList::size);
    assertIsNoStreamOf(ReplicatedMap.of(String.class, String.class), ReplicatedMap::size);
    assertIsNoStreamOf(ReplicatedCounter.type(), ReplicatedCounter::get);
  }

  private interface Read<T> {
    Object of(T object);
  }

  private <T> void assertIsNoStreamOf(ObjectType<T> type, Read<T> read) {
    assertThatThrownBy(() -> read.of(there(type)))
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("of object thing calls add member(Object), which " + type.name())
        .hasMessageContaining("another type");
  }

  @Test
  void whatCanNeverBeWrittenIsRefusedWhenItIsOpened() {
    assertThatThrownBy(() -> here(ReplicatedList.of(Thread.class)))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("what a ReplicatedList holds: a java.lang.Thread can't be written");
  }

  @Test
  void aTypeThatIsMadeTwiceIsTheSame() {
    assertThat(ReplicatedSet.of(String.class)).isEqualTo(ReplicatedSet.of(String.class));
    assertThat(ReplicatedSet.of(String.class)).isNotEqualTo(ReplicatedSet.of(Long.class));
    assertThat(ReplicatedQueue.of(String.class)).isNotEqualTo(ReplicatedList.of(String.class));
  }

  // --------------------------------------------------------------------------------- past and new

  @Test
  void eachCanBeReadAsItWasAndIsOpenedFromACheckpoint() {
    ReplicatedList<Integer> list = here(ReplicatedList.of(Integer.class));
    ReplicatedSet<Integer> set = clients.here.open("set", ReplicatedSet.of(Integer.class));
    ReplicatedCounter counter = clients.here.open("counter", ReplicatedCounter.type());
    for (int i = 0; i < 100; i++) {
      list.fastAdd(i);
      set.fastAdd(i % 10);
      counter.increment();
    }
    var before = clients.corfu.log().tail();
    for (Object object : List.of(list, set, counter)) {
      clients.here.checkpoint(object);
    }
    list.fastSet(0, -1);
    set.fastRemove(3);
    counter.increment();

    try (Corfu third = clients.cluster.connect()) {
      ReplicatedObjects fresh = ReplicatedObjects.over(third);
      PastObjects past = fresh.at(before);
      assertThat(past.open("thing", ReplicatedList.of(Integer.class)))
          .startsWith(0, 1)
          .hasSize(100);
      assertThat(past.open("set", ReplicatedSet.of(Integer.class))).contains(3).hasSize(10);
      assertThat(past.open("counter", ReplicatedCounter.type()).get()).isEqualTo(100);

      assertThat(fresh.open("thing", ReplicatedList.of(Integer.class))).startsWith(-1, 1);
      assertThat(fresh.open("set", ReplicatedSet.of(Integer.class))).doesNotContain(3).hasSize(9);
      assertThat(fresh.open("counter", ReplicatedCounter.type()).get()).isEqualTo(101);
      assertThat(List.copyOf(fresh.open("set", ReplicatedSet.of(Integer.class))))
          .isEqualTo(List.copyOf(set));
    }
  }

  @Test
  void whatIsGivenIsOfOneMomentAndCantBeChanged() {
    ReplicatedList<String> list = here(ReplicatedList.of(String.class));
    list.add("a");
    List<String> snapshot = list.snapshot();
    var iterator = list.iterator();
    list.add("b");

    assertThat(snapshot).containsExactly("a");
    assertThat(iterator.next()).isEqualTo("a");
    assertThat(iterator.hasNext()).isFalse();
    assertThatThrownBy(() -> snapshot.add("c")).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(iterator::remove).isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> list.add(null)).isInstanceOf(NullPointerException.class);
    assertThat(list).containsExactly("a", "b");
    assertThat(Optional.of(list.size())).contains(2);
  }
}
