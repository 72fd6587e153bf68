package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.runtime.EntryTooLargeException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An error is reported to the client that caused it or meets it; all other clients continue. */
@Timeout(180)
class BadInputTest {

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final TwoClients clients = new TwoClients();
  private final ReplicatedObjects waiting =
      ReplicatedObjects.over(
          clients.corfu,
          ObjectOptions.DEFAULT
              .withMutatorCall(MutatorCall.RETURNS_WHEN_CARRIED_OUT)
              .withOnFailure((object, operation, address, failure) -> failures.add(operation)));

  @AfterEach
  void stop() {
    clients.close();
  }

  static class Shelf {
    private List<String> books = new ArrayList<>();
    private long weight;

    @Mutator
    public void put(String book, int grams) {
      books.add(book); // half done when it throws
      if (weight + grams > 1_000) {
        throw new IllegalArgumentException("too heavy: " + book);
      }
      weight += grams;
    }

    @Accessor
    public List<String> books() {
      return books;
    }
  }

  @Test
  void whoCallsAMutatorAndWaitsIsToldThatItThrew() {
    Shelf here = waiting.open("shelf", Shelf.class);
    Shelf there = clients.there.open("shelf", Shelf.class);
    here.put("a", 600);

    assertThatThrownBy(() -> here.put("b", 600))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("too heavy: b");

    assertThat(here.books()).containsExactly("a");
    assertThat(there.books()).containsExactly("a");
    here.put("c", 400);
    assertThat(there.books()).containsExactly("a", "c");
    assertThat(failures).isEmpty(); // nobody is told twice
  }

  @Test
  void inATransactionToo() {
    Shelf here = waiting.open("shelf", Shelf.class);
    waiting.transact(
        () -> {
          here.put("a", 600);
          assertThatThrownBy(() -> here.put("b", 600)).hasMessage("too heavy: b");
          here.put("c", 400);
        });

    assertThat(clients.there.open("shelf", Shelf.class).books()).containsExactly("a", "c");
    assertThatThrownBy(() -> waiting.transact(() -> here.put("d", 1))).hasMessage("too heavy: d");
    assertThat(here.books()).containsExactly("a", "c");
  }

  @Test
  void anUpdateThatIsLargerThanTheLimitIsRefusedBeforeAnythingHappens() {
    Shelf shelf = clients.here.open("shelf", Shelf.class);
    Address tail = clients.corfu.log().tail();
    String large = "x".repeat(17 << 20);

    assertThatThrownBy(() -> shelf.put(large, 1))
        .isInstanceOf(EntryTooLargeException.class)
        .hasMessageContaining("max-entry");
    assertThatThrownBy(
            () ->
                clients.here.transact(
                    () -> {
                      for (int i = 0; i < 17; i++) {
                        shelf.put("x".repeat(1 << 20), 1);
                      }
                    }))
        .isInstanceOf(EntryTooLargeException.class);

    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
    shelf.put("small", 1);
    assertThat(shelf.books()).containsExactly("small");
  }

  static class Opaque {
    private long count;
    private Object thread = Thread.currentThread();

    @Mutator
    public void count() {
      count += thread == null ? 0 : 1;
    }

    @Accessor
    public long counted() {
      return count;
    }
  }

  @Test
  void aStateThatCantBeSavedHasNoCheckpointsAndSaysSoAndWorksWithout() {
    ReplicatedObjects objects =
        ReplicatedObjects.over(
            clients.corfu,
            ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL.withEveryUpdates(10)));
    Opaque here = objects.open("opaque", Opaque.class);
    for (int i = 1; i <= 100; i++) {
      here.count();
      assertThat(here.counted()).isEqualTo(i);
    }

    assertThatThrownBy(() -> objects.checkpoint(here))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("state of object opaque can't be saved")
        .hasMessageContaining("Thread");
    here.count();
    assertThat(clients.there.open("opaque", Opaque.class).counted()).isEqualTo(101);
  }

  static class Box {
    private Object content = "";

    @Mutator
    public void put(Object value) {
      content = value;
    }

    @Accessor
    public Object content() {
      return content;
    }
  }

  record Secret(String text) {}

  @Test
  void aReaderThatLacksAClassOfACheckpointSaysWhichAndWhere() {
    ReplicatedObjects knowing =
        ReplicatedObjects.over(clients.corfu, ObjectOptions.DEFAULT.withTypes(Secret.class));
    Box box = knowing.open("box", Box.class);
    box.put(new Secret("x"));
    knowing.checkpoint(box);
    Address behind = clients.corfu.log().tail();

    assertThatThrownBy(() -> clients.there.open("box", Box.class).content())
        .isInstanceOfSatisfying(
            UndecodableEntryException.class,
            wrong -> assertThat(wrong.address()).isEqualTo(new Address(behind.value() - 1)))
        .hasMessageContaining("checkpoint of object box")
        .hasMessageContaining(Secret.class.getName());
    assertThat(box.content()).isEqualTo(new Secret("x"));
  }

  static class Tally {
    private long count;

    @Mutator
    public void count() {
      count++;
    }

    @Accessor
    public long counted() {
      return count;
    }
  }

  @Test
  void aReaderMayBeAHundredThousandUpdatesBehind() throws Exception {
    ReplicatedObjects writers =
        ReplicatedObjects.over(
            clients.corfu, ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL));
    Tally here = writers.open("tally", Tally.class);
    Tally behind = clients.there.open("tally", Tally.class);
    assertThat(behind.counted()).isZero();
    List<Future<?>> writing = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < 100; i++) {
        writing.add(
            threads.submit(
                () -> {
                  for (int n = 0; n < 1_000; n++) {
                    here.count();
                  }
                }));
      }
      for (Future<?> one : writing) {
        one.get();
      }
    }

    assertThat(behind.counted()).isEqualTo(100_000);
    assertThat(ReplicatedObjects.over(clients.corfu).open("tally", Tally.class).counted())
        .isEqualTo(100_000);
  }
}
