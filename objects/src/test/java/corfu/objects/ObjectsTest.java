package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.generated.ObjectTypeException;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Replicated objects as their users see them, and the errors that are reported to them. */
@Timeout(180)
class ObjectsTest {

  private final List<String> failures = new CopyOnWriteArrayList<>();
  private final TwoClients clients =
      new TwoClients(
          ObjectOptions.DEFAULT.withOnFailure(
              (object, operation, address, failure) ->
                  failures.add(object + "." + operation + ": " + failure.getMessage())));

  @AfterEach
  void stop() {
    clients.close();
  }

  static class Account {
    private long balance;
    private final transient Object unsaved = new Object();

    @Mutator
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor
    public long withdraw(long amount) {
      balance -= amount; // half done when it throws
      if (balance < 0) {
        throw new IllegalStateException("there is too little");
      }
      return balance;
    }

    @Mutator
    public void charge(long amount) {
      withdraw(amount);
    }

    @Accessor
    public long balance() {
      return balance;
    }
  }

  @Test
  void aReadSeesWhatWasCompleteWhenItBegan() {
    Account here = clients.here.open("account", Account.class);
    Account there = clients.there.open("account", Account.class);

    for (int i = 1; i <= 100; i++) {
      (i % 2 == 0 ? here : there).deposit(1);
      assertThat((i % 3 == 0 ? here : there).balance()).isEqualTo(i);
    }
  }

  @Test
  void aChangeThatThrowsIsToldToItsCallerAndLeavesTheObjectAsItWas() {
    Account here = clients.here.open("account", Account.class);
    Account there = clients.there.open("account", Account.class);
    here.deposit(10);

    assertThatThrownBy(() -> there.withdraw(11))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("there is too little");

    assertThat(here.balance()).isEqualTo(10);
    assertThat(there.balance()).isEqualTo(10);
    assertThat(there.withdraw(4)).isEqualTo(6);
    assertThatThrownBy(() -> here.withdraw(7)).hasMessage("there is too little");
    assertThat(here.balance()).isEqualTo(6);
  }

  @Test
  void aFailureThatNobodyWaitsForIsToldToTheListenerOfWhoeverCausedIt() {
    Account here = clients.here.open("account", Account.class);
    Account there = clients.there.open("account", Account.class);

    here.charge(1);

    assertThat(there.balance()).isZero();
    assertThat(failures).isEmpty();
    assertThat(here.balance()).isZero();
    assertThat(failures).containsExactly("account.charge(long): there is too little");
  }

  @Test
  void anObjectCanBeReadAsItWas() {
    Account account = clients.here.open("account", Account.class);
    List<Address> addresses = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      addresses.add(clients.corfu.log().tail());
      account.deposit(1);
    }

    for (int i = 0; i < 5; i++) {
      Account past = clients.there.at(addresses.get(i)).open("account", Account.class);
      assertThat(past.balance()).isEqualTo(i);
      assertThatThrownBy(() -> past.deposit(1))
          .isInstanceOf(UnsupportedOperationException.class)
          .hasMessageContaining("deposit(long) would change account");
    }
    Address future = clients.corfu.log().tail().plus(1);
    assertThatThrownBy(() -> clients.here.at(future).open("account", Account.class))
        .hasMessageContaining("can't be read at address " + future);
  }

  @Test
  void aNewClientBeginsAtTheNewestCheckpointAndWhatIsOlderMayBeForgotten() {
    Account account = clients.here.open("account", Account.class);
    account.deposit(3);
    Address before = clients.corfu.log().tail();
    assertThat(clients.here.forget(account, before)).isEmpty();
    account.deposit(4);
    Address at = clients.here.checkpoint(account);
    account.deposit(5);

    assertThat(clients.here.forget(account, clients.corfu.log().tail())).contains(at);

    Account there = clients.there.open("account", Account.class);
    assertThat(there.balance()).isEqualTo(12);
    assertThat(account.balance()).isEqualTo(12);
    assertThat(clients.there.at(at).open("account", Account.class).balance()).isEqualTo(7);
    assertThatThrownBy(() -> clients.there.at(before).open("account", Account.class))
        .isInstanceOf(HistoryTrimmedException.class)
        .hasMessageContaining("account")
        .hasMessageContaining("forgotten");
  }

  @Test
  void aViewThatFellBehindATrimGoesOnFromTheCheckpoint() {
    Account here = clients.here.open("account", Account.class);
    Account there = clients.there.open("account", Account.class);
    here.deposit(1);
    assertThat(there.balance()).isEqualTo(1);
    here.deposit(2);
    clients.here.checkpoint(here);
    clients.here.forget(here, clients.corfu.log().tail());
    here.deposit(4);

    assertThat(there.balance()).isEqualTo(7);
  }

  static class Counter {
    private long count;

    @MutatorAccessor
    public long increment() {
      return ++count;
    }

    @Accessor
    public long count() {
      return count;
    }
  }

  @Test
  void anObjectOfAnotherTypeIsToldFromOneOfOurs() {
    clients.here.open("thing", Account.class).deposit(1);

    Counter counter = clients.there.open("thing", Counter.class);

    assertThatThrownBy(counter::count)
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("address 0 of object thing calls deposit(long), which Counter")
        .hasMessageContaining("another type");
  }

  @Test
  void aStreamThatIsNoObjectsIsToldFromOne() {
    Streams.over(clients.corfu).open(StreamId.named("raw")).append(new byte[] {1, 2, 3});

    assertThatThrownBy(() -> clients.here.open("raw", Counter.class).count())
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("not written by an object");
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
  void anArgumentThatCantBeWrittenIsRefusedBeforeAnythingHappens() {
    Box box = clients.here.open("box", Box.class);
    Address tail = clients.corfu.log().tail();

    assertThatThrownBy(() -> box.put(new Secret("x")))
        .isInstanceOf(SerializationException.class)
        .hasMessageContaining("put(Object) of box")
        .hasMessageContaining(Secret.class.getName());

    assertThat(clients.corfu.log().tail()).isEqualTo(tail);
  }

  @Test
  void aReaderThatDoesNotKnowAClassSaysWhichAndWhere() {
    ObjectOptions knowing = ObjectOptions.DEFAULT.withTypes(Secret.class);
    ReplicatedObjects.over(clients.corfu, knowing).open("box", Box.class).put(new Secret("x"));

    Box box = clients.there.open("box", Box.class);

    assertThatThrownBy(box::content)
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("put(Object) at address 0 of object box")
        .hasMessageContaining(Secret.class.getName());
  }

  @Test
  void oneStreamCanBeViewedAsSeveralTypes() {
    var total = ObjectTypes.of(Total.class);
    clients.here.open("account", Account.class).deposit(5);
    clients.here.open("account", Account.class).deposit(7);

    assertThat(clients.here.open("account", total).deposits()).isEqualTo(2);
    assertThat(clients.here.open("account", Account.class).balance()).isEqualTo(12);
  }

  static class Total {
    private int deposits;

    @Mutator
    public void deposit(long amount) {
      deposits++;
    }

    @Accessor
    public int deposits() {
      return deposits;
    }
  }

  static final class Final {
    @Accessor
    public int one() {
      return 1;
    }
  }

  static class Silent {
    @Accessor
    public int one() {
      return 1;
    }

    public int two() {
      return 2;
    }
  }

  static class Talkative {
    @Mutator
    public int change() {
      return 1;
    }
  }

  @Test
  void aClassThatDoesNotFitIsRefusedWithWhatToChange() {
    assertThatThrownBy(() -> clients.here.open("x", Final.class))
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("is final");
    assertThatThrownBy(() -> clients.here.open("x", Silent.class))
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("Silent.two()")
        .hasMessageContaining("@Accessor");
    assertThatThrownBy(() -> clients.here.open("x", Talkative.class))
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("@MutatorAccessor");
    assertThatThrownBy(() -> ObjectTypes.of(Silent.class, "three"))
        .isInstanceOf(ObjectTypeException.class)
        .hasMessageContaining("no public method three");
  }
}
