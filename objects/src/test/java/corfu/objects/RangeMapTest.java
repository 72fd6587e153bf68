package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Range maps, shared by two clients. */
@Timeout(180)
class RangeMapTest {

  private static final ObjectType<ReplicatedRangeMap<Long, String>> MAP =
      ReplicatedRangeMap.of(Long.class, String.class);
  private static final ObjectType<ReplicatedRangeMap<Long, String>> HUNDREDS =
      ReplicatedRangeMap.partitioned(Long.class, String.class, key -> Math.floorDiv(key, 100L));

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  @Test
  void itIsANavigableMapOfTheJdk() {
    ReplicatedRangeMap<Long, String> here = clients.here.open("map", MAP);
    ReplicatedRangeMap<Long, String> there = clients.there.open("map", MAP);
    here.putAll(Map.of(30L, "c", 10L, "a", 20L, "b"));
    there.put(40L, "d");

    assertThat(here.firstKey()).isEqualTo(10L);
    assertThat(there.floorKey(25L)).isEqualTo(20L);
    assertThat(there.ceilingEntry(25L)).isEqualTo(Map.entry(30L, "c"));
    assertThat(there.ceilingEntry(45L)).isNull();
    assertThat(here.subMap(10L, false, 40L, true).values()).containsExactly("b", "c", "d");
    assertThat(there.descendingMap().keySet()).containsExactly(40L, 30L, 20L, 10L);
    assertThat(there.reversed().firstEntry()).isEqualTo(Map.entry(40L, "d"));
    assertThat(there.sequencedValues()).containsExactly("a", "b", "c", "d");
    assertThat(there.navigableKeySet().headSet(30L)).containsExactly(10L, 20L);
    assertThat(here.pollFirstEntry()).isEqualTo(Map.entry(10L, "a"));
    assertThat(there.merge(20L, "!", String::concat)).isEqualTo("b!");
    here.removeRange(30L, 40L);
    assertThat(there).isEqualTo(Map.of(20L, "b!", 40L, "d")).hasToString("{20=b!, 40=d}");
    assertThatThrownBy(() -> there.putFirst(1L, "x"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void theFirstEntryIsTakenInATransaction() {
    ReplicatedRangeMap<Long, String> map = clients.here.open("map", MAP);
    map.putAll(Map.of(1L, "a", 2L, "b", 3L, "c"));

    clients.here.transact(
        () -> {
          assertThat(map.pollFirstEntry()).isEqualTo(Map.entry(1L, "a"));
          assertThat(map.firstEntry()).isEqualTo(Map.entry(2L, "b"));
          assertThat(map.pollLastEntry()).isEqualTo(Map.entry(3L, "c"));
          assertThat(clients.there.open("map", MAP)).hasSize(3);
        });

    assertThat(clients.there.open("map", MAP)).containsOnlyKeys(2L);
  }

  @Test
  void oneStreamIsAMapAndARangeMap() {
    ReplicatedMap<Long, String> hashed =
        clients.here.open("map", ReplicatedMap.of(Long.class, String.class));
    ReplicatedRangeMap<Long, String> sorted = clients.there.open("map", MAP);
    hashed.put(3L, "c");
    sorted.put(1L, "a");
    hashed.put(2L, "b");
    Address address = clients.corfu.log().tail();
    hashed.remove(2L);

    assertThat(sorted.keySet()).containsExactly(1L, 3L);
    assertThat(hashed.keySet()).containsExactlyInAnyOrder(1L, 3L);
    clients.here.checkpoint(hashed);
    clients.there.checkpoint(sorted); // another order, another checkpoint
    assertThat(clients.there.at(address).open("map", MAP).keySet()).containsExactly(1L, 2L, 3L);

    sorted.pollFirstEntry();
    assertThatThrownBy(hashed::size)
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("calls pollFirstEntry(), which ReplicatedMap does not have");
  }

  @Test
  void keysConflictByThemselvesAndRangesWithAll() {
    ReplicatedRangeMap<Long, String> here = clients.here.open("map", MAP);
    ReplicatedRangeMap<Long, String> there = clients.there.open("map", MAP);
    here.putAll(Map.of(10L, "a", 20L, "b", 30L, "c"));

    assertHolds(() -> here.put(11L, here.get(10L)), () -> there.put(20L, "x"));
    assertHolds(() -> here.replace(10L, "y"), () -> there.fastRemove(30L));
    assertIsAborted(() -> here.put(12L, here.get(10L)), () -> there.put(10L, "x"));
    assertIsAborted(() -> here.put(12L, here.firstEntry().getValue()), () -> there.put(50L, "x"));
    assertIsAborted(
        () -> here.put(12L, "" + here.subMap(1L, 9L).size()), () -> there.put(60L, "x"));
  }

  @Test
  void rangesOfAPartitionedMapConflictWithTheirPartsOnly() {
    ReplicatedRangeMap<Long, String> here = clients.here.open("map", HUNDREDS);
    ReplicatedRangeMap<Long, String> there = clients.there.open("map", HUNDREDS);
    here.putAll(Map.of(110L, "a", 210L, "b", 310L, "c", 320L, "d"));
    Runnable range = () -> here.fastPut(0L, "" + here.subMap(120L, 299L).size());
    Runnable floor = () -> here.fastPut(0L, here.floorEntry(305L).getValue()); // reads 210

    assertHolds(range, () -> there.put(330L, "x"));
    assertHolds(range, () -> there.remove(330L));
    assertHolds(floor, () -> there.put(150L, "x"));
    assertHolds(() -> here.put(311L, "own"), () -> there.put(312L, "x")); // in one part
    assertHolds(
        () -> here.fastPut(300L, here.ceilingEntry(301L).getValue()), () -> there.put(220L, "x"));
    assertHolds(
        () -> {
          here.put(260L, "own");
          assertThat(here.floorKey(270L)).isEqualTo(260L);
        },
        () -> there.put(120L, "x"));
    assertIsAborted(range, () -> there.put(250L, "x"));
    assertIsAborted(range, () -> there.remove(110L)); // in the same part: it might have been inside
    assertIsAborted(range, () -> there.putAll(Map.of(299L, "x")));
    assertIsAborted(range, () -> there.removeRange(500L, 600L));
    assertIsAborted(range, there::pollLastEntry);
    assertIsAborted(floor, () -> there.put(304L, "x"));
    assertIsAborted(floor, () -> there.remove(304L));
    assertIsAborted(() -> here.fastPut(0L, "" + here.lowerKey(-100L)), () -> there.put(999L, "x"));
    assertIsAborted(
        () -> here.fastPut(0L, "" + here.subMap(0L, 1_000_000L).size()),
        () -> there.put(2_000_000L, "x"));
    assertThat(List.copyOf(here.keySet())).isEqualTo(List.copyOf(there.keySet()));
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
        .hasMessageContaining("object map");
  }
}
