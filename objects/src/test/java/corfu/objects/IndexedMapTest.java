package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.Index;
import corfu.objects.collection.ReplicatedIndexedMap;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Maps with indexes, shared by two clients. */
@Timeout(180)
class IndexedMapTest {

  record User(String city, int age) {}

  private static final Index<String, User> BY_CITY = Index.of("city", (name, user) -> user.city());
  private static final Index<String, User> BY_AGE = Index.of("age", (name, user) -> user.age());

  private static final ObjectType<ReplicatedIndexedMap<String, User>> CITIES =
      ReplicatedIndexedMap.of(String.class, User.class, BY_CITY);
  private static final ObjectType<ReplicatedIndexedMap<String, User>> AGES =
      ReplicatedIndexedMap.of(String.class, User.class, BY_AGE);
  private static final ObjectType<ReplicatedIndexedMap<String, User>> EXCLUSIVE =
      ReplicatedIndexedMap.exclusive(String.class, User.class, BY_CITY, BY_AGE);

  private static final User PARIS_30 = new User("Paris", 30);
  private static final User PARIS_40 = new User("Paris", 40);
  private static final User ROME_30 = new User("Rome", 30);

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  @Test
  void twoIndexesOverOneNamespaceAreTwoViewsOfOneStream() {
    ReplicatedIndexedMap<String, User> cities = clients.here.open("users", CITIES);
    ReplicatedIndexedMap<String, User> ages = clients.there.open("users", AGES);
    Map<String, User> plain =
        clients.there.open("users", ReplicatedMap.of(String.class, User.class));

    cities.put("ann", PARIS_30);
    ages.put("bob", ROME_30);
    plain.put("cid", PARIS_40);
    assertThat(cities.byIndex("city", "Paris")).containsOnlyKeys("ann", "cid");
    assertThat(ages.byIndex("age", 30)).containsOnlyKeys("ann", "bob");

    plain.put("ann", new User("Rome", 31));
    assertThat(cities.byIndex("city", "Rome")).containsOnlyKeys("ann", "bob");
    assertThat(ages.byIndex("age", 30)).isEqualTo(Map.of("bob", ROME_30));
    assertThat(ages.indexKeys("age")).containsExactlyInAnyOrder(30, 31, 40);
  }

  @Test
  void anIndexIsOfThePastAndOfATransactionLikeItsMap() {
    ReplicatedIndexedMap<String, User> map = clients.here.open("users", CITIES);
    map.put("ann", PARIS_30);
    Address before = clients.corfu.log().tail();
    clients.here.checkpoint(map);
    map.put("ann", ROME_30);

    assertThat(clients.there.at(before).open("users", AGES).byIndex("age", 30))
        .isEqualTo(Map.of("ann", PARIS_30));
    assertThat(clients.there.at(before).open("users", CITIES).byIndex("city", "Rome")).isEmpty();
    clients.here.transact(
        () -> {
          map.put("bob", PARIS_40);
          assertThat(map.byIndex("city", "Paris")).containsOnlyKeys("bob");
          assertThat(clients.there.open("users", CITIES).byIndex("city", "Paris")).isEmpty();
        });
  }

  @Test
  void aLookupHoldsIfNothingOfTheMapHasChanged() {
    ReplicatedIndexedMap<String, User> here = clients.here.open("users", CITIES);
    Map<String, User> there =
        clients.there.open("users", ReplicatedMap.of(String.class, User.class));

    assertIsAborted(
        () -> here.put("sum", new User("", here.byIndex("city", "Paris").size())),
        () -> there.put("ann", PARIS_30));
    assertIsAborted(
        () -> here.put("sum", new User("", here.byIndex("city", "Paris").size())),
        () -> there.put("bob", ROME_30));
  }

  @Test
  void anExclusiveMapsLookupHoldsIfItWouldFindTheSame() {
    ReplicatedIndexedMap<String, User> here = clients.here.open("users", EXCLUSIVE);
    ReplicatedIndexedMap<String, User> there = clients.there.open("users", EXCLUSIVE);
    here.put("ann", PARIS_30);
    Runnable looksUp =
        () -> here.fastPut("sum", new User("", here.byIndex("city", "Paris").size()));

    assertHolds(looksUp, () -> there.put("bob", ROME_30));
    assertHolds(looksUp, () -> there.remove("bob"));
    assertHolds(looksUp, () -> there.fastPut("bob", ROME_30));
    assertIsAborted(looksUp, () -> there.put("cid", PARIS_40));
    assertIsAborted(looksUp, () -> there.fastPut("bob", PARIS_40));
    assertIsAborted(looksUp, () -> there.putAll(Map.of("dan", PARIS_30)));
    assertIsAborted(looksUp, () -> there.replace("bob", ROME_30)); // leaves
    assertIsAborted(looksUp, () -> there.remove("cid"));
    assertIsAborted(looksUp, () -> there.replace("ann", PARIS_30, PARIS_40));
    assertIsAborted(looksUp, there::clear);
    assertIsAborted(
        () -> {
          looksUp.run();
          assertThat(here.byIndex("age", 17)).isEmpty();
        },
        () -> there.put("eve", new User("Oslo", 17)));
    assertThat(here).containsOnlyKeys("eve");
  }

  private void assertHolds(Runnable inside, Runnable meanwhile) {
    clients.here.txBegin();
    inside.run();
    meanwhile.run();
    clients.here.txEnd();
  }

  private void assertIsAborted(Runnable inside, Runnable meanwhile) {
    assertThatThrownBy(() -> assertHolds(inside, meanwhile))
        .isInstanceOf(TransactionAbortedException.class)
        .hasMessageContaining("object users");
  }
}
