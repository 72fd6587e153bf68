package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.collection.ReplicatedRegister;
import corfu.objects.collection.ReplicatedSet;
import corfu.objects.collection.ReplicatedStack;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Conflicts of transactions on collections: one client has a transaction, and another client
 * changes something before its end.
 */
@Timeout(180)
class CollectionConflictsTest {

  private final TwoClients clients = new TwoClients();
  private final ReplicatedCounter commits = clients.here.open("commits", ReplicatedCounter.type());

  @AfterEach
  void stop() {
    clients.close();
  }

  /**
   * Asserts that a transaction with these operations commits, whatever the other client has done
   * meanwhile.
   */
  private void assertHolds(Runnable inside, Runnable meanwhile) {
    long before = commits.get();
    run(inside, meanwhile);
    assertThat(commits.get()).isEqualTo(before + 1);
  }

  private void assertIsAborted(Runnable inside, Runnable meanwhile) {
    long before = commits.get();
    assertThatThrownBy(() -> run(inside, meanwhile))
        .isInstanceOf(TransactionAbortedException.class)
        .hasMessageContaining("object thing");
    assertThat(commits.get()).isEqualTo(before);
  }

  private void run(Runnable inside, Runnable meanwhile) {
    clients.here.txBegin();
    boolean isDone = false;
    try {
      inside.run();
      commits.increment(); // so that it writes something
      isDone = true;
    } finally {
      if (!isDone) {
        clients.here.txAbort();
      }
    }
    meanwhile.run();
    clients.here.txEnd();
  }

  @Test
  void transactionsOnDifferentElementsOfASetHold() {
    var type = ReplicatedSet.of(String.class);
    ReplicatedSet<String> here = clients.here.open("thing", type);
    ReplicatedSet<String> there = clients.there.open("thing", type);

    assertHolds(() -> here.add("a"), () -> there.add("b"));
    assertHolds(() -> here.fastAdd("c"), () -> there.fastAdd("c"));
    assertHolds(() -> here.containsAll(List.of("a", "b")), () -> there.remove("c"));
    assertIsAborted(() -> here.add("d"), () -> there.add("d"));
    assertIsAborted(() -> here.contains("a"), () -> there.fastRemove("a"));
    assertIsAborted(here::size, () -> there.add("e"));
    assertIsAborted(here::iterator, () -> there.add("f"));
    assertIsAborted(() -> here.contains("b"), there::clear);
    assertThat(here).isEmpty();
  }

  @Test
  void aTransactionThatTakesFromAQueueDoesNotMindWhatIsAdded() {
    var type = ReplicatedQueue.of(String.class);
    ReplicatedQueue<String> here = clients.here.open("thing", type);
    ReplicatedQueue<String> there = clients.there.open("thing", type);
    here.addAll(List.of("a", "b", "c", "d", "e"));

    assertHolds(here::poll, () -> there.add("f"));
    assertHolds(() -> here.poll(2), () -> there.add("g"));
    assertHolds(here::peek, () -> there.add("h"));
    assertHolds(() -> here.add("i"), () -> there.add("j"));
    assertHolds(() -> here.offer("k"), there::poll);
    assertHolds(
        () -> {
          here.poll();
          here.poll();
        },
        () -> there.add("l"));
    assertIsAborted(here::poll, there::poll);
    assertIsAborted(here::peek, there::remove);
    assertIsAborted(() -> here.poll(50), () -> there.add("m"));
    assertIsAborted(here::size, () -> there.add("n"));
    assertIsAborted(() -> here.contains("n"), () -> there.add("o"));
  }

  @Test
  void aTransactionThatFoundAQueueEmptyMindsWhatIsAdded() {
    var type = ReplicatedQueue.of(String.class);
    ReplicatedQueue<String> here = clients.here.open("thing", type);
    ReplicatedQueue<String> there = clients.there.open("thing", type);

    assertIsAborted(here::poll, () -> there.add("a"));
    there.clear();
    assertIsAborted(
        () -> {
          here.add("mine");
          assertThat(here.poll()).isEqualTo("mine"); // not the first, if another client was faster
        },
        () -> there.add("a"));
    there.clear();
    assertIsAborted(
        () -> assertThatThrownBy(here::remove).isInstanceOf(RuntimeException.class),
        () -> there.add("a"));
    assertThat(here.poll(2)).containsExactly("a");
  }

  @Test
  void aTransactionOnAnIndexOfAListMindsWhatMovesItAndWhoSetsIt() {
    var type = ReplicatedList.of(String.class);
    ReplicatedList<String> here = clients.here.open("thing", type);
    ReplicatedList<String> there = clients.there.open("thing", type);
    here.addAll(List.of("a", "b", "c", "d", "e"));

    assertHolds(() -> here.get(1), () -> there.add("f"));
    assertHolds(() -> here.set(1, "B"), () -> there.set(2, "C"));
    assertHolds(here::size, () -> there.set(2, "c"));
    assertHolds(here::getFirst, () -> there.fastAdd("g"));
    assertHolds(() -> here.addFirst("0"), () -> there.addFirst("00"));
    assertIsAborted(() -> here.get(1), () -> there.fastSet(1, "x"));
    assertIsAborted(() -> here.get(1), () -> there.addFirst("x"));
    assertIsAborted(() -> here.get(1), there::removeFirst);
    assertIsAborted(() -> here.get(1), there::removeLast);
    assertIsAborted(() -> here.get(1), () -> there.add(3, "x"));
    assertIsAborted(here::getLast, () -> there.add("x"));
    assertIsAborted(here::getFirst, () -> there.set(0, "x"));
    assertIsAborted(
        () -> assertThatThrownBy(() -> here.get(100)).isNotNull(), () -> there.add("y"));
    assertIsAborted(
        () -> {
          here.remove(0);
          here.get(0); // at index 1 for others
        },
        () -> there.set(1, "y"));
  }

  @Test
  void viewsOfOneStreamMindEachOther() {
    ReplicatedList<String> list = clients.here.open("thing", ReplicatedList.of(String.class));
    ReplicatedQueue<String> queue = clients.there.open("thing", ReplicatedQueue.of(String.class));
    ReplicatedStack<String> stack = clients.there.open("thing", ReplicatedStack.of(String.class));
    list.addAll(List.of("a", "b", "c", "d", "e"));

    assertHolds(() -> list.get(0), () -> stack.push("f"));
    assertIsAborted(() -> list.get(0), queue::poll);
    assertIsAborted(() -> list.get(0), stack::pop);
    ReplicatedQueue<String> own = clients.here.open("thing", ReplicatedQueue.of(String.class));
    assertHolds(own::poll, () -> stack.push("g"));
    assertIsAborted(own::poll, stack::pop);
    ReplicatedStack<String> top = clients.here.open("thing", ReplicatedStack.of(String.class));
    assertHolds(() -> top.push("h"), () -> stack.push("i"));
    assertIsAborted(top::pop, () -> stack.push("j"));
    assertIsAborted(top::peek, queue::poll);
  }

  @Test
  void whoOnlyCountsOrSetsReadsNothing() {
    ReplicatedCounter here = clients.here.open("thing", ReplicatedCounter.type());
    ReplicatedCounter there = clients.there.open("thing", ReplicatedCounter.type());
    assertHolds(here::increment, there::increment);
    assertIsAborted(here::incrementAndGet, there::increment);
    assertIsAborted(here::get, there::increment);
    assertThat(here.get()).isEqualTo(4);

    var type = ReplicatedRegister.of(String.class);
    ReplicatedRegister<String> mine = clients.here.open("register", type);
    ReplicatedRegister<String> theirs = clients.there.open("register", type);
    assertHolds(() -> mine.set("a"), () -> theirs.set("b"));
    assertThat(theirs.get()).contains("a");
  }
}
