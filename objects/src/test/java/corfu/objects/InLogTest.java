package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.internal.value.LogValue;
import corfu.objects.serial.InLog;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.EntryTooLargeException;
import corfu.runtime.LogEntry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values that stay in the log, of which views have the locations. */
@Timeout(60)
class InLogTest {

  /** More than the part of a checkpoint that fits into one entry. */
  private static final int LARGE = 600 << 10;

  private static final ObjectType<ReplicatedMap<String, InLog<String>>> PAGES =
      ReplicatedMap.inLog(String.class, String.class);

  private final List<Address> filling = new ArrayList<>();
  private final List<DivergenceListener.Divergence> divergences = new CopyOnWriteArrayList<>();
  private final TwoClients clients =
      new TwoClients(
          ObjectOptions.DEFAULT
              .withCheckpoints(CheckpointPolicy.MANUAL)
              .withOnDivergence(divergences::add));
  private final ReplicatedMap<String, InLog<String>> pages = clients.here.open("pages", PAGES);
  private final ReplicatedMap<String, InLog<String>> others = clients.there.open("pages", PAGES);

  @AfterEach
  void stop() {
    clients.close();
  }

  private static InLog<String> of(String text) {
    return InLog.of(text);
  }

  private static String text(ReplicatedMap<String, InLog<String>> map, String key) {
    InLog<String> value = map.get(key);
    return value == null ? "nothing" : value.get();
  }

  // ---------------------------------------------------------------------------------------- a map

  @Test
  void aViewKnowsWhereAValueIsAndReadsItWhenItIsWanted() {
    pages.put("a", of("one"));
    pages.fastPut("b", of("two"));

    for (var map : List.of(pages, others)) {
      assertThat(map.get("a")).isInstanceOf(LogValue.InUpdate.class);
      assertThat(text(map, "a")).isEqualTo("one");
      assertThat(text(map, "b")).isEqualTo("two");
      assertThat(map.get("c")).isNull();
    }
  }

  @Test
  void whatWasThereBeforeIsReadOnlyByWhoWantsIt() {
    assertThat(pages.put("a", of("one"))).isNull();
    InLog<String> before = pages.put("a", of("two"));

    assertThat(before).isNotNull();
    assertThat(before.get()).isEqualTo("one");
    assertThat(others.remove("a")).isEqualTo(of("two"));
  }

  @Test
  void severalValuesMayBeInOneEntry() {
    pages.putAll(Map.of("a", of("one"), "b", of("two")));
    clients.here.transact(
        () -> {
          pages.put("c", of("three"));
          pages.putAll(Map.of("d", of("four"), "e", of("five")));
        });

    List<InLog<String>> all = new ArrayList<>();
    for (String key : List.of("e", "d", "c", "b", "a")) {
      all.add(others.get(key));
    }
    assertThat(InLog.getAll(all)).containsExactly("five", "four", "three", "two", "one");
    assertThat(all.get(0)).isInstanceOf(LogValue.InUpdate.class);
  }

  @Test
  void valuesAreEqualIfTheyWereWrittenAlike() {
    pages.put("a", of("one"));
    others.put("b", of("one"));

    assertThat(pages.get("a")).isEqualTo(others.get("b")).isNotEqualTo(of("two"));
    assertThat(pages.containsValue(of("one"))).isTrue();
    assertThat(pages.containsValue(of("two"))).isFalse();
    assertThat(pages.replace("a", of("two"), of("three"))).isFalse();
    assertThat(pages.replace("a", of("one"), of("two"))).isTrue();
    assertThat(others.remove("a", of("two"))).isTrue();
    assertThat(pages).isEqualTo(others).hasSize(1);
  }

  @Test
  void aTransactionSeesItsOwnValuesAndThoseOfItsSnapshot() {
    pages.put("a", of("one"));

    clients.here.transact(
        () -> {
          pages.put("b", of(text(pages, "a") + " and more"));
          assertThat(text(pages, "b")).isEqualTo("one and more");
          assertThat(pages.containsValue(of("one and more"))).isTrue();
        });

    assertThat(text(others, "b")).isEqualTo("one and more");
  }

  @Test
  void oneValueMayBeWrittenOnceMoreElsewhere() {
    pages.put("a", of("one"));

    others.put("b", others.get("a"));

    assertThat(text(pages, "b")).isEqualTo("one");
    assertThat(pages.get("b")).isEqualTo(pages.get("a"));
  }

  @Test
  void thePastHasTheValuesOfThen() {
    pages.put("a", of("one"));
    Address then = clients.corfu.log().tail();
    pages.put("a", of("two"));

    assertThat(text(clients.there.at(then).open("pages", PAGES), "a")).isEqualTo("one");
  }

  @Test
  void otherCollectionsHoldThemToo() {
    ReplicatedList<InLog<String>> list =
        clients.here.open("list", ReplicatedList.ofTypes(InLog.type(String.class)));
    list.addAll(List.of(of("one"), of("two")));

    assertThat(InLog.getAll(list.snapshot())).containsExactly("one", "two");
  }

  // --------------------------------------------------------------------------- checkpoints, space

  private void forget() {
    forget(pages);
  }

  private void forget(Object object) {
    Address of = clients.here.checkpoint(object);
    assertThat(clients.here.forget(object, of)).contains(of);
    forgetWhatIsCached();
  }

  /** Evicts trimmed entries from caches, where they may stay for a while. */
  private void forgetWhatIsCached() {
    if (filling.isEmpty()) {
      for (int i = 0; i < 3; i++) {
        filling.add(clients.corfu.log().append(new byte[12 << 20]));
      }
    }
    for (ReplicatedObjects client : List.of(clients.here, clients.there)) {
      filling.forEach(
          address -> assertThat(client.client().streams().read(List.of(address))).hasSize(1));
    }
  }

  @Test
  void aViewThatBeginsAtACheckpointKnowsWhereValuesAreInThere() {
    pages.put("a", of("x".repeat(LARGE)));
    pages.put("b", of("one"));
    pages.put("c", of("y".repeat(LARGE)));
    forget();

    ReplicatedMap<String, InLog<String>> anew =
        ReplicatedObjects.over(clients.other).open("pages", PAGES);
    assertThat(anew.get("a")).isInstanceOf(LogValue.InCheckpoint.class);
    assertThat(text(anew, "a")).isEqualTo("x".repeat(LARGE));
    assertThat(text(anew, "b")).isEqualTo("one");
    assertThat(text(anew, "c")).isEqualTo("y".repeat(LARGE));
  }

  @Test
  void whatIsForgottenIsReadFromTheCheckpointThatHasIt() {
    pages.put("a", of("one"));
    InLog<String> kept = others.get("a");
    forget();

    assertThat(clients.corfu.log().read(new Address(0))).isInstanceOf(LogEntry.Trimmed.class);
    assertThat(kept.get()).isEqualTo("one");
    assertThat(others.get("a")).isInstanceOf(LogValue.InCheckpoint.class);
    assertThat(text(others, "a")).isEqualTo("one");
    assertThat(text(pages, "a")).isEqualTo("one");
  }

  @Test
  void checkpointsOfCheckpointsCarryValuesOn() {
    pages.putAll(Map.of("a", of("one"), "b", of("x".repeat(LARGE))));
    for (int i = 0; i < 5; i++) {
      forget();
      others.put("c", of("round " + i));
      assertThat(text(others, "a")).isEqualTo("one");
      assertThat(text(pages, "c")).isEqualTo("round " + i);
    }

    ReplicatedMap<String, InLog<String>> anew =
        ReplicatedObjects.over(clients.other).open("pages", PAGES);
    assertThat(text(anew, "b")).isEqualTo("x".repeat(LARGE));
    assertThat(anew).isEqualTo(others);
    assertThat(divergences).isEmpty();
  }

  @Test
  void aValueThatTheObjectNoLongerHasMayBeForgotten() {
    pages.put("a", of("one"));
    InLog<String> kept = others.get("a");
    pages.put("a", of("two"));
    forget();

    assertThatThrownBy(kept::get)
        .isInstanceOf(HistoryTrimmedException.class)
        .hasMessageContaining("object pages")
        .hasMessageContaining("read the object again");
    assertThat(text(others, "a")).isEqualTo("two");
  }

  @Test
  void aTransactionReadsValuesThatOthersForgetMeanwhile() {
    pages.put("a", of("one"));
    assertThat(others).hasSize(1);

    clients.there.transact(
        () -> {
          InLog<String> value = others.get("a");
          forget();
          others.put("b", of(value.get() + " and more"));
        });

    assertThat(text(pages, "b")).isEqualTo("one and more");
  }

  @Test
  void rollingBackBringsValuesBack() {
    pages.put("a", of("one"));
    pages.put("b", of("two"));
    Address then = clients.corfu.log().tail();
    pages.put("a", of("three"));

    clients.here.rollBack(then, pages);

    assertThat(others.get("a")).isInstanceOf(LogValue.Restored.class);
    assertThat(text(others, "a")).isEqualTo("one");
    assertThat(text(pages, "b")).isEqualTo("two");
    forget();
    assertThat(text(others, "a")).isEqualTo("one");
    assertThat(text(pages, "b")).isEqualTo("two");
  }

  @Test
  void whatDoesNotFitIntoAnEntryIsNotRolledBack() {
    ReplicatedMap<String, InLog<byte[]>> large =
        clients.here.open("large", ReplicatedMap.inLog(String.class, byte[].class));
    for (int i = 0; i < 18; i++) {
      large.fastPut("key " + i, InLog.of(new byte[1 << 20]));
    }
    pages.put("a", of("one"));
    Address then = clients.corfu.log().tail();
    pages.put("a", of("two"));
    Address now = clients.corfu.log().tail();

    assertThatThrownBy(() -> clients.here.rollBack(then, pages, large))
        .isInstanceOf(EntryTooLargeException.class)
        .hasMessageStartingWith("the state of object large at address " + then)
        .hasMessageContaining("max-entry");
    assertThat(clients.corfu.log().tail()).isEqualTo(now);
    assertThat(text(others, "a")).isEqualTo("two");
  }

  @Test
  void statesAreComparedWithoutReadingValues() {
    pages.put("a", of("one"));
    assertThat(others).hasSize(1);
    var unused = clients.here.checkpoint(pages);
    assertThat(others).hasSize(1);
    var again = clients.there.checkpoint(others);
    assertThat(pages).hasSize(1);

    assertThat(divergences).isEmpty();
  }

  // ------------------------------------------------------------------------------ one's own class

  static class Archive {
    private Map<String, InLog<byte[]>> documents = new HashMap<>();
    private int checked;

    @Mutator
    public void add(String name, InLog<byte[]> document) {
      documents.put(name, document);
    }

    @Mutator
    public void addAll(Map<String, InLog<byte[]>> all) {
      documents.putAll(all);
    }

    /** Each client reads the document when it plays this change. */
    @MutatorAccessor
    public int check(String name) {
      InLog<byte[]> document = documents.get(name);
      if (document == null) {
        throw new IllegalArgumentException("there is no " + name);
      }
      checked += document.get().length;
      return checked;
    }

    @Accessor
    public byte[] document(String name) {
      InLog<byte[]> document = documents.get(name);
      return document == null ? new byte[0] : document.get();
    }

    @Accessor
    public Map<String, InLog<byte[]>> documents() {
      return documents;
    }
  }

  @Test
  void oneCanWriteSuchAnObjectOneself() {
    Archive archive = clients.here.open("archive", Archive.class);
    Archive other = clients.there.open("archive", Archive.class);
    archive.add("a", InLog.of("one".getBytes()));
    archive.addAll(Map.of("b", InLog.of(new byte[LARGE])));

    assertThat(other.document("a")).isEqualTo("one".getBytes());
    assertThat(other.documents().get("b")).isInstanceOf(LogValue.InUpdate.class);
    assertThat(other.document("b")).hasSize(LARGE);
    assertThat(other.check("a")).isEqualTo(3);
    assertThat(archive.check("b")).isEqualTo(3 + LARGE);
    assertThatThrownBy(() -> other.check("c")).hasMessage("there is no c");
    assertThat(archive.check("a")).isEqualTo(6 + LARGE);
  }

  @Test
  void aMutatorThatReadsAValueReadsItFromACheckpointIfThatIsWhereItIs() {
    Archive archive = clients.here.open("archive", Archive.class);
    Archive other = clients.there.open("archive", Archive.class);
    archive.add("a", InLog.of("one".getBytes()));
    assertThat(other.documents()).hasSize(1);
    forget(archive);

    assertThat(other.check("a")).isEqualTo(3);
    assertThat(archive.check("a")).isEqualTo(6);
    Archive anew = ReplicatedObjects.over(clients.other).open("archive", Archive.class);
    assertThat(Arrays.toString(anew.document("a"))).isEqualTo(Arrays.toString("one".getBytes()));
    assertThat(anew.documents().get("a")).isInstanceOf(LogValue.InCheckpoint.class);
  }

  @Test
  void aViewThatIsFarBehindGoesOnWhereAMutatorCanStillRead() {
    Archive archive = clients.here.open("archive", Archive.class);
    Archive other = clients.there.open("archive", Archive.class);
    archive.add("a", InLog.of("one".getBytes()));
    assertThat(other.documents()).hasSize(1);
    assertThat(archive.check("a")).isEqualTo(3);
    archive.add("a", InLog.of("two and".getBytes()));
    forget(archive);

    assertThat(other.check("a")).isEqualTo(10);
  }
}
