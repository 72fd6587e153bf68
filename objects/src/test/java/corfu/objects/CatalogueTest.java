package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.collection.ReplicatedCounter;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.collection.ReplicatedRangeMap;
import corfu.objects.history.HistoryEntry;
import corfu.objects.history.HistoryEntry.Changed;
import corfu.objects.internal.client.TypeCatalogue;
import corfu.objects.internal.state.Outcome;
import corfu.objects.internal.state.State;
import corfu.objects.internal.view.Catalogue;
import corfu.objects.internal.view.PlaybackListener;
import corfu.objects.record.CallId;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The catalogue: which objects exist, and what was done to them. */
@Timeout(180)
class CatalogueTest {

  private final TwoClients clients = new TwoClients();

  @AfterEach
  void stop() {
    clients.close();
  }

  private static ReplicatedMap<String, Integer> map(ReplicatedObjects objects, String name) {
    return objects.open(name, ReplicatedMap.of(String.class, Integer.class));
  }

  private static ReplicatedCounter counter(ReplicatedObjects objects, String name) {
    return objects.open(name, ReplicatedCounter.type());
  }

  @Test
  void anObjectIsListedOnceItHasBeenChanged() {
    ReplicatedMap<String, Integer> stock = map(clients.here, "stock");
    assertThat(stock.size()).isZero();
    assertThat(clients.there.list()).isEmpty();

    stock.fastPut("apples", 1);
    counter(clients.there, "visits").increment();

    List<CatalogueEntry> listed =
        List.of(
            new CatalogueEntry(StreamId.named("stock"), "stock", Set.of("ReplicatedMap")),
            new CatalogueEntry(StreamId.named("visits"), "visits", Set.of("ReplicatedCounter")));
    assertThat(clients.here.list()).isEqualTo(listed);
    assertThat(clients.there.list()).isEqualTo(listed);
  }

  @Test
  void itIsEnteredOnceWhoeverChangesIt() {
    for (int i = 0; i < 3; i++) {
      map(clients.here, "stock").fastPut("apples", i);
      map(clients.there, "stock").fastPut("pears", i);
    }
    long catalogued = Streams.over(clients.corfu).open(TypeCatalogue.id()).tail().value();

    assertThat(catalogued).isEqualTo(1);
  }

  @Test
  void whatATransactionChangesIsListedToo() {
    clients.here.transact(
        () -> {
          map(clients.here, "stock").fastPut("apples", 1);
          counter(clients.here, "visits").increment();
        });

    assertThat(clients.there.list())
        .extracting(CatalogueEntry::name)
        .containsExactly("stock", "visits");
  }

  @Test
  void whatATransactionThatIsAbortedWouldHaveChangedIsNot() {
    clients.here.txBegin();
    counter(clients.here, "visits").increment();
    clients.here.txAbort();

    assertThat(clients.here.list()).isEmpty();
  }

  @Test
  void anObjectMayBeOfSeveralTypesAndWithoutAName() {
    StreamId id = new StreamId(1, 2);
    clients.here.open(id, ReplicatedRangeMap.of(String.class, Integer.class)).fastPut("a", 1);
    clients.there.open(id, ReplicatedMap.of(String.class, Integer.class)).fastPut("a", 1);

    assertThat(clients.here.list())
        .containsExactly(
            new CatalogueEntry(id, id.toString(), Set.of("ReplicatedMap", "ReplicatedRangeMap")));
  }

  /** Counts the costs of reading the catalogue. */
  private static final class Count implements PlaybackListener {
    long entries;
    long parts;

    @Override
    public void fetched() {
      parts++;
    }

    @Override
    public void meets(State<?> state, int payloadBytes) {
      entries++;
    }

    @Override
    public void carriedOut(CallId call, Address address, Outcome outcome) {}
  }

  @Test
  void aNewClientBeginsAtItsCheckpointAndWhatIsBeforeIsForgotten() {
    TypeCatalogue catalogue = clients.here.client().catalogue();
    LogStream stream = Streams.over(clients.corfu).open(TypeCatalogue.id());
    int entered = 0;
    while (!(stream.read(StreamAddress.ZERO) instanceof StreamRead.Trimmed)) {
      assertThat(entered).as("names without a checkpoint").isLessThan(20_000);
      String name = "object " + entered++;
      catalogue.enter(StreamId.named(name), name, "ReplicatedMap");
    }
    StreamAddress kept = ((StreamRead.Trimmed) stream.read(StreamAddress.ZERO)).before();

    Count count = new Count();
    ((Catalogue) clients.there.client().catalogue()).view().listen(count);
    List<CatalogueEntry> listed = clients.there.list();

    assertThat(listed).hasSize(entered).isEqualTo(clients.here.list());
    assertThat(kept.value()).as("entries that are forgotten").isGreaterThanOrEqualTo(1_000);
    assertThat(count.entries).isLessThanOrEqualTo(stream.tail().value() - kept.value());
    assertThat(count.parts).isBetween(1L, 4L);
    map(clients.there, "object 0").fastPut("apples", 1);
    map(clients.there, "a new one").fastPut("apples", 1);
    assertThat(clients.here.list()).hasSize(entered + 1);
  }

  @Test
  void whatIsNotOursIsPassedOver() {
    var unused =
        Streams.over(clients.corfu)
            .open(TypeCatalogue.id())
            .append("hello".getBytes(StandardCharsets.UTF_8));
    counter(clients.here, "visits").increment();

    assertThat(clients.there.list()).extracting(CatalogueEntry::name).containsExactly("visits");
  }

  private static List<HistoryEntry> history(ReplicatedObjects objects, String name) {
    List<HistoryEntry> entries = new ArrayList<>();
    objects.history(StreamId.named(name)).forEachRemaining(entries::add);
    return entries;
  }

  @Test
  void historySaysWhoDidWhat() {
    map(clients.here, "stock").fastPut("apples", 1);
    clients.there.transact(
        () -> {
          map(clients.there, "stock").fastPut("pears", 2);
          map(clients.there, "stock").fastRemove("apples");
          counter(clients.there, "visits").increment();
        });
    map(clients.here, "stock").clear();

    List<HistoryEntry> stock = history(clients.here, "stock");

    assertThat(stock)
        .extracting(entry -> ((Changed) entry).calls().toString())
        .containsExactly(
            "[fastPut(\"apples\", 1)]",
            "[fastPut(\"pears\", 2), fastRemove(\"apples\")]",
            "[clear()]");
    assertThat(stock)
        .extracting(entry -> ((Changed) entry).otherObjects())
        .containsExactly(0, 1, 0);
    List<Long> who = stock.stream().map(entry -> ((Changed) entry).client()).toList();
    assertThat(who.get(0)).isEqualTo(who.get(2)).isNotEqualTo(who.get(1));
    assertThat(stock)
        .extracting(entry -> ((Changed) entry).address())
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void theAddressOfAChangeIsWhereItBeginsToShow() {
    map(clients.here, "stock").fastPut("apples", 1);
    map(clients.here, "stock").fastPut("apples", 2);
    Address second = ((Changed) history(clients.here, "stock").getLast()).address();

    var type = ReplicatedMap.of(String.class, Integer.class);
    assertThat(clients.there.at(second).open("stock", type)).containsEntry("apples", 1);
    assertThat(clients.there.at(new Address(second.value() + 1)).open("stock", type))
        .containsEntry("apples", 2);
  }

  @Test
  void historyTellsWhatWasForgottenAndWhatIsNoObjects() {
    ReplicatedMap<String, Integer> stock = map(clients.here, "stock");
    stock.fastPut("apples", 1);
    Address checkpoint = clients.here.checkpoint(stock);
    assertThat(clients.here.forget(stock, checkpoint)).isPresent();
    stock.fastPut("apples", 2);
    var unused =
        Streams.over(clients.corfu).open("stock").append("hello".getBytes(StandardCharsets.UTF_8));

    assertThat(history(clients.there, "stock"))
        .satisfiesExactly(
            first -> assertThat(first).isInstanceOf(HistoryEntry.Forgotten.class),
            second ->
                assertThat(((Changed) second).calls()).hasToString("[fastPut(\"apples\", 2)]"),
            third ->
                assertThat(((HistoryEntry.Unreadable) third).problem())
                    .contains("not written by an object"));
  }

  @Test
  void theCatalogueItselfIsNoObject() {
    counter(clients.here, "visits").increment();

    ReplicatedCounter catalogue = clients.here.open(TypeCatalogue.id(), ReplicatedCounter.type());

    assertThatThrownBy(catalogue::get)
        .isInstanceOf(UndecodableEntryException.class)
        .hasMessageContaining("catalogue");
  }
}
