package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedQueue;
import corfu.objects.history.HistoryEntry;
import corfu.objects.internal.client.TypeCatalogue;
import corfu.objects.internal.invoker.ObjectInvoker;
import corfu.objects.record.CallId;
import corfu.objects.record.RecordCodec;
import corfu.objects.record.Update;
import corfu.objects.record.Updates;
import corfu.objects.serial.StandardSerializer;
import corfu.objects.serial.ValueOutput;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.stream.Streams;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Changes of another type than the object's, and other changes that a view cannot carry out. */
@Timeout(180)
class WrongTypesTest {

  private static final ObjectType<ReplicatedMap<String, Integer>> MAP =
      ReplicatedMap.of(String.class, Integer.class);
  private static final ObjectType<ReplicatedList<String>> LIST = ReplicatedList.of(String.class);
  private static final StreamId ACCOUNTS = StreamId.named("accounts");

  private final TwoClients clients = new TwoClients();
  private final ReplicatedMap<String, Integer> map = clients.here.open("accounts", MAP);
  private final ReplicatedMap<String, Integer> mapThere = clients.there.open("accounts", MAP);

  @AfterEach
  void stop() {
    clients.close();
  }

  private ReplicatedObjects newClient() {
    return ReplicatedObjects.over(clients.corfu);
  }

  private Address tail() {
    return clients.corfu.log().tail();
  }

  private static Update update(StreamId object, String operation, Object... arguments) {
    ValueOutput out = new ValueOutput();
    StandardSerializer.create().write(arguments, out);
    return new Update(object, operation, 0, out.toBuffer());
  }

  /** Appends changes like earlier versions, or like a client of another program. */
  private Address appendUnchecked(Update... updates) {
    List<StreamId> objects = List.of(updates).stream().map(Update::object).distinct().toList();
    Updates record = new Updates(new CallId(7, 1), 0, List.of(updates));
    return Streams.over(clients.corfu).append(objects, RecordCodec.encode(record)).address();
  }

  private void assertAppendsNothing(ThrowingCallable call) {
    Address before = tail();
    assertThatThrownBy(call).isInstanceOf(UndecodableEntryException.class);
    assertThat(tail()).isEqualTo(before);
  }

  // ----------------------------------------------------------------------------- before an append

  @Test
  void aChangeOfAnotherTypeIsNotAppended() {
    map.put("alice", 5);
    ReplicatedList<String> list = clients.here.open("accounts", LIST);
    ReplicatedList<String> listThere = clients.there.open("accounts", LIST);

    assertAppendsNothing(() -> list.add("x"));
    assertAppendsNothing(() -> listThere.fastAdd("x")); // its client has played nothing
    assertAppendsNothing(listThere::clear); // maps have an operation with this name
    assertAppendsNothing(() -> clients.there.transact(() -> listThere.fastAdd("x")));
    assertAppendsNothing(() -> clients.there.rollBack(Address.ZERO, listThere));
    assertAppendsNothing(() -> clients.there.remote().open("accounts", LIST).fastAdd("x"));
    assertAppendsNothing(() -> clients.there.checkpoint(listThere));

    assertThatThrownBy(() -> list.add("x"))
        .hasMessageContaining("the entry at address 0 of object accounts calls put(Object,Object)")
        .hasMessageContaining("which ReplicatedList does not have");
    assertThat(mapThere).isEqualTo(Map.of("alice", 5));
    assertThat(clients.here.list())
        .hasSize(1)
        .first()
        .extracting("types")
        .asString()
        .doesNotContain("List");
  }

  @Test
  void whoHasReadAnObjectBeforeItsFirstChangeChecksIt() {
    ReplicatedList<String> list = clients.there.open("accounts", LIST);
    assertThat(list).isEmpty();
    map.fastPut("alice", 5);

    assertAppendsNothing(() -> list.fastAdd("x"));
  }

  @Test
  void theFirstChangeIsRememberedThoughManyFollowAndTheObjectIsSavedAndForgotten() {
    map.clear(); // a list has it, too
    map.put("alice", 5);
    for (int i = 0; i < 20; i++) {
      map.fastPut("bob", i);
    }
    assertAppendsNothing(() -> clients.there.open("accounts", LIST).fastAdd("x"));
    clients.here.checkpoint(map);
    assertThat(clients.here.forget(map, tail())).isPresent();
    map.remove("alice"); // a list has it, too
    Address before = tail();

    assertThatThrownBy(() -> clients.there.open("accounts", LIST).fastAdd("x"))
        .isInstanceOf(HistoryTrimmedException.class)
        .hasMessageContaining("no checkpoint of a ReplicatedList is left");
    mapThere.fastPut("carol", 1);

    assertThat(tail().value()).isEqualTo(before.value() + 1);
    assertThat(map).isEqualTo(Map.of("bob", 19, "carol", 1));
  }

  @Test
  void typesOfOneStreamUnderstandEachOtherAsEver() {
    clients.here.open("jobs", LIST).add("wash");
    ReplicatedQueue<String> queue = clients.there.open("jobs", ReplicatedQueue.of(String.class));

    queue.fastAdd("cut");

    assertThat(queue.poll()).isEqualTo("wash");
    assertThat(clients.here.open("jobs", LIST)).containsExactly("cut");
  }

  static class Account {
    private long balance;

    @Mutator
    public void deposit(long amount) {
      balance += amount;
    }

    @MutatorAccessor
    public long withdraw(long amount) {
      balance -= amount;
      return balance;
    }

    @Accessor
    public long balance() {
      return balance;
    }
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
  void aChangeOfAnotherClassIsNotAppended() {
    clients.here.open("alice", Account.class).deposit(5);

    assertAppendsNothing(() -> clients.there.open("alice", Tally.class).count());
    assertAppendsNothing(() -> clients.there.open("alice", LIST).fastAdd("x"));

    assertThat(clients.there.open("alice", Account.class).balance()).isEqualTo(5);
  }

  @Test
  void theCatalogueCanNotBeChangedAsAnObject() {
    map.put("alice", 5);

    assertAppendsNothing(
        () -> clients.there.open(TypeCatalogue.id(), ReplicatedCounter.type()).increment());
    appendUnchecked(update(TypeCatalogue.id(), "increment()"));
    clients.here.open("other", MAP).put("a", 1);

    assertThat(clients.there.list())
        .extracting(CatalogueEntry::name)
        .containsExactly("accounts", "other");
  }

  // ------------------------------------------------------------------------- already in the log

  @Test
  void anUpdateThatTheTypeCanNotHaveIsRefusedByEveryViewAlike() {
    map.put("alice", 5);
    Address refused = appendUnchecked(update(ACCOUNTS, "add(Object)", "x"));
    assertThat(map.put("bob", 7)).isNull();
    appendUnchecked(update(ACCOUNTS, "deposit(long)", 5L));

    Map<String, Integer> all = Map.of("alice", 5, "bob", 7);
    assertThat(map).isEqualTo(all);
    assertThat(mapThere).isEqualTo(all);
    assertThat(clients.there.at(new Address(refused.value() + 1)).open("accounts", MAP))
        .isEqualTo(Map.of("alice", 5));
    Address checkpoint = clients.there.checkpoint(mapThere);
    assertThat(newClient().open("accounts", MAP)).isEqualTo(all);
    assertThat(clients.here.forget(map, checkpoint)).isPresent();
    assertThat(newClient().open("accounts", MAP)).isEqualTo(all);
    assertThat(map.put("bob", 8)).isEqualTo(7);
    assertThat(mapThere.get("bob")).isEqualTo(8);
  }

  @Test
  void aRefusedUpdateIsInTheHistoryAndCanBeRolledBackOver() {
    map.put("alice", 5);
    Address then = tail();
    appendUnchecked(update(ACCOUNTS, "add(Object)", "x"));
    map.put("alice", 6);

    clients.there.rollBack(then, mapThere);

    assertThat(map).isEqualTo(Map.of("alice", 5));
    List<String> calls = new ArrayList<>();
    clients
        .here
        .history(ACCOUNTS)
        .forEachRemaining(entry -> calls.add(((HistoryEntry.Changed) entry).calls().toString()));
    assertThat(calls).hasSize(4).contains("[add(\"x\")]");
  }

  @Test
  void eachUpdateOfATransactionIsRefusedByItself() {
    ReplicatedMap<String, Integer> stock = clients.here.open("stock", MAP);
    map.put("alice", 5);
    stock.put("pens", 1);

    appendUnchecked(
        update(ACCOUNTS, "put(Object,Object)", "bob", 1),
        update(ACCOUNTS, "add(Object)", "x"),
        update(StreamId.named("stock"), "fastPut(Object,Object)", "pens", 2),
        update(ACCOUNTS, "fastPut(Object,Object)", "alice", 6));

    assertThat(map).isEqualTo(Map.of("alice", 6, "bob", 1)).isEqualTo(mapThere);
    assertThat(stock).isEqualTo(Map.of("pens", 2));
  }

  @Test
  void aCollectionsUpdateOfAClassIsRefusedIfTheCatalogueTellsOfTheCollection() {
    Account alice = clients.here.open("alice", Account.class);
    StreamId id = StreamId.named("alice");
    alice.deposit(5);
    appendUnchecked(update(id, "add(Object)", "x"));
    alice.deposit(6);
    assertThatThrownBy(alice::balance) // a later version of the class may have it
        .isInstanceOf(UndecodableEntryException.class);

    clients.here.client().catalogue().enter(id, "alice", LIST.name());

    assertThat(alice.balance()).isEqualTo(11);
    assertThat(clients.there.open("alice", Account.class).balance()).isEqualTo(11);
  }

  @Test
  void whatNoObjectHasWrittenIsPassedOver() {
    map.put("alice", 5);
    var unused =
        Streams.over(clients.corfu).open(ACCOUNTS).append("x".getBytes(StandardCharsets.UTF_8));
    map.put("bob", 7);

    assertThat(mapThere).isEqualTo(Map.of("alice", 5, "bob", 7));
  }

  @Test
  void whoseChangeIsInTheLogAndRefusedIsToldSoWithItsAddress() {
    ReplicatedList<String> list = clients.there.open("accounts", LIST);
    ObjectInvoker.viewOf(list).typeCheck().isPart(); // the view believes that it has looked
    map.put("alice", 5);
    Address before = tail();

    assertThatThrownBy(() -> list.add("x"))
        .isInstanceOfSatisfying(
            UpdateRefusedException.class,
            refused -> assertThat(refused.address()).isEqualTo(before))
        .hasMessageContaining("add(Object) at address " + before + " of object accounts is refused")
        .hasMessageContaining("no ReplicatedList");
    assertThat(mapThere).isEqualTo(Map.of("alice", 5));
  }

  // --------------------------------------------------------------------------- not understood

  /** The next version. */
  static class Later {
    static class Account extends WrongTypesTest.Account {
      @Mutator
      public void close() {
        withdraw(balance());
      }
    }
  }

  private static ReplicatedObjects waiting(TwoClients clients) {
    return ReplicatedObjects.over(
        clients.corfu, ObjectOptions.DEFAULT.withMutatorCall(MutatorCall.RETURNS_WHEN_CARRIED_OUT));
  }

  @Test
  void aMethodThatALaterVersionHasStopsAnEarlierOneWhichMayStillWrite() {
    Account alice = clients.here.open("alice", Account.class);
    Later.Account later = clients.there.open("alice", Later.Account.class);
    alice.deposit(5);
    assertThat(alice.balance()).isEqualTo(5);
    Address close = tail();
    later.close();

    assertThatThrownBy(alice::balance)
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("the entry at address " + close);
    newClient().open("alice", Account.class).deposit(3);

    assertThat(later.balance()).isEqualTo(3);
  }

  @Test
  void whoseChangeIsInTheLogAndCanNotBeSeenIsToldSoWithItsAddress() {
    Account alice = waiting(clients).open("alice", Account.class);
    alice.deposit(5);
    appendUnchecked(update(StreamId.named("alice"), "close()"));
    Address before = tail();

    for (ThrowingCallable call :
        List.<ThrowingCallable>of(() -> alice.withdraw(1), () -> alice.deposit(1))) {
      Address here = tail();
      assertThatThrownBy(call)
          .isInstanceOfSatisfying(
              ResultUnknownException.class,
              unknown -> assertThat(unknown.address()).isEqualTo(here))
          .hasMessageContaining("calls close()");
    }
    assertThat(tail().value()).isEqualTo(before.value() + 2);
  }

  @Test
  void aRollBackGoesOnWithoutWhatNobodyUnderstands() {
    Account alice = clients.here.open("alice", Account.class);
    Account there = clients.there.open("alice", Account.class);
    alice.deposit(5);
    assertThat(there.balance()).isEqualTo(5);
    Address then = tail();
    appendUnchecked(update(StreamId.named("alice"), "close()"));
    alice.deposit(6);
    assertThatThrownBy(alice::balance).isInstanceOf(UndecodableEntryException.class);
    assertThatThrownBy(there::balance).isInstanceOf(UndecodableEntryException.class);
    assertThatThrownBy(() -> clients.here.checkpoint(alice))
        .isInstanceOf(UndecodableEntryException.class);
    Address between = tail();

    clients.here.rollBack(then, alice);
    alice.deposit(2);

    assertThat(alice.balance()).isEqualTo(7);
    assertThat(there.balance()).isEqualTo(7);
    assertThat(there.withdraw(1)).isEqualTo(6);
    assertThatThrownBy(() -> clients.there.at(between).open("alice", Account.class))
        .isInstanceOf(UndecodableEntryException.class);
    assertThat(clients.there.at(tail()).open("alice", Account.class).balance()).isEqualTo(6);
    Address checkpoint = clients.there.checkpoint(there);
    assertThat(clients.here.forget(alice, checkpoint)).isPresent();
    assertThat(newClient().open("alice", Account.class).balance()).isEqualTo(6);
  }

  record Secret(String text) {}

  static class Box {
    private Object content = "";

    @Mutator
    public void put(Object value) {
      content = value;
    }

    @Mutator
    public void fail() {
      throw new AssertionError("not the object's doing");
    }

    @Accessor
    public Object content() {
      return content;
    }
  }

  @Test
  void aRollBackGoesOnWithoutAClassThatAReaderLacks() {
    ObjectOptions knowing = ObjectOptions.DEFAULT.withTypes(Secret.class);
    Box box = ReplicatedObjects.over(clients.corfu, knowing).open("box", Box.class);
    Box lacking = clients.there.open("box", Box.class);
    box.put("a");
    Address then = tail();
    box.put(new Secret("x"));
    assertThatThrownBy(lacking::content).isInstanceOf(UndecodableEntryException.class);

    clients.there.rollBack(then, lacking);

    assertThat(lacking.content()).isEqualTo("a");
    assertThat(box.content()).isEqualTo("a");
  }

  @Test
  void aCheckpointGoesOnWithoutAClassThatAReaderLacks() {
    ObjectOptions knowing = ObjectOptions.DEFAULT.withTypes(Secret.class);
    ReplicatedObjects owner = ReplicatedObjects.over(clients.corfu, knowing);
    Box box = owner.open("box", Box.class);
    Box lacking = clients.there.open("box", Box.class);
    box.put("a");
    assertThat(lacking.content()).isEqualTo("a");
    box.put(new Secret("x"));
    assertThatThrownBy(lacking::content).isInstanceOf(UndecodableEntryException.class);
    box.put("b");

    owner.checkpoint(box);

    assertThat(lacking.content()).isEqualTo("b");
  }

  @Test
  void aRollBackGoesOnWithoutWhatBrokeTheView() {
    Box box = clients.here.open("box", Box.class);
    box.put("a");
    Address then = tail();
    box.fail();
    assertThatThrownBy(box::content).isInstanceOf(ViewBrokenException.class);
    assertThatThrownBy(box::content)
        .isInstanceOf(ViewBrokenException.class)
        .hasMessageContaining("roll it back");

    clients.here.rollBack(then, box);

    assertThat(box.content()).isEqualTo("a");
    assertThat(clients.there.open("box", Box.class).content()).isEqualTo("a");
  }
}
