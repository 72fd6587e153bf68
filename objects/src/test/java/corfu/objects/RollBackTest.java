package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.annotation.MutatorAccessor;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.protocol.Address;
import corfu.runtime.EntryTooLargeException;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Objects that are rolled back together. */
@Timeout(180)
class RollBackTest {

  private static final ObjectType<ReplicatedMap<String, Long>> MAP =
      ReplicatedMap.of(String.class, Long.class);

  private final TwoClients clients = new TwoClients();
  private final ReplicatedMap<String, Long> map = clients.here.open("map", MAP);
  private final Stock stock = clients.here.open("stock", Stock.class);
  private final ReplicatedMap<String, Long> mapThere = clients.there.open("map", MAP);
  private final Stock stockThere = clients.there.open("stock", Stock.class);

  @AfterEach
  void stop() {
    clients.close();
  }

  static class Stock {
    private long pieces;

    @Mutator
    public void add(long more) {
      pieces += more;
    }

    @MutatorAccessor
    public long take(long some) {
      pieces -= some;
      if (pieces < 0) {
        throw new IllegalStateException("there are too few");
      }
      return pieces;
    }

    @Accessor
    public long pieces() {
      return pieces;
    }
  }

  private Address now() {
    return clients.corfu.log().tail();
  }

  @Test
  void objectsAreAgainWhatTheyWereAtOneAddressForEverybodyAndChangeOnFromThere() {
    map.put("a", 1L);
    stock.add(5);
    Address then = now();
    map.put("a", 2L);
    mapThere.put("b", 3L);
    stockThere.take(4);

    Address before = now();
    clients.there.rollBack(then, mapThere, stockThere);

    assertThat(now().value() - before.value()).isEqualTo(1); // one entry
    assertThat(map).isEqualTo(Map.of("a", 1L)).isEqualTo(mapThere);
    assertThat(stock.pieces()).isEqualTo(stockThere.pieces()).isEqualTo(5);
    assertThat(stock.take(2)).isEqualTo(3);
    map.put("c", 4L);
    assertThat(mapThere).isEqualTo(Map.of("a", 1L, "c", 4L));
    assertThat(stockThere.pieces()).isEqualTo(3);
    assertThat(clients.there.at(before).open("stock", Stock.class).pieces()).isEqualTo(1);
    assertThat(ReplicatedObjects.over(clients.corfu).open("map", MAP)).isEqualTo(map);
  }

  @Test
  void whatFollowsMayThrowAndIsUndone() {
    stock.add(5);
    Address then = now();
    assertThatThrownBy(() -> stock.take(6)).hasMessage("there are too few"); // guarded from now on
    stock.add(1);
    clients.here.rollBack(then, stock);

    assertThatThrownBy(() -> stock.take(6)).hasMessage("there are too few");
    assertThat(stock.pieces()).isEqualTo(5);
    assertThatThrownBy(() -> stockThere.take(6)).hasMessage("there are too few");
    assertThat(stockThere.take(5)).isZero();
    assertThat(stock.pieces()).isZero();
  }

  @Test
  void itIsAPartOfItsTransaction() {
    stock.add(5);
    Address then = now();
    stock.add(10);

    clients.here.transact(
        () -> {
          clients.here.rollBack(then, stock);
          assertThat(stock.pieces()).isEqualTo(5);
          assertThat(stockThere.pieces()).isEqualTo(15);
          stock.add(2);
          map.put("pieces", stock.pieces());
        });

    assertThat(stockThere.pieces()).isEqualTo(7);
    assertThat(mapThere).isEqualTo(Map.of("pieces", 7L));
    assertThatThrownBy(
            () ->
                clients.here.transact(
                    TransactionOptions.READ_ONLY, () -> clients.here.rollBack(then, stock)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("read-only");
  }

  @Test
  void whoeverReadOneOfTheObjectsBeforeLoses() {
    map.put("a", 1L);
    Address then = now();
    clients.there.txBegin();
    long read = mapThere.get("a");
    clients.here.rollBack(then, map);
    stockThere.add(read);

    assertThatThrownBy(clients.there::txEnd).isInstanceOf(TransactionAbortedException.class);
  }

  static class Takings {
    private long changes;

    @Mutator
    public void add(long more) {
      changes++;
    }

    @MutatorAccessor
    public long take(long some) {
      return ++changes;
    }

    @Accessor
    public long changes() {
      return changes;
    }
  }

  @Test
  void viewsOfAnotherTypeAreRolledBackToo() {
    Takings takings = clients.there.open("stock", Takings.class);
    stock.add(1);
    Address then = now();
    stock.add(2);
    stock.add(3);
    assertThat(takings.changes()).isEqualTo(3);

    clients.here.rollBack(then, stock);

    assertThat(takings.changes()).isEqualTo(1);
    stock.add(4);
    assertThat(takings.changes()).isEqualTo(2);
    assertThat(stock.pieces()).isEqualTo(5);
  }

  @Test
  void theHistoryThatItWasMadeOfMayBeForgotten() {
    stock.add(5);
    Address then = now();
    stock.add(1);
    Address checkpoint = clients.here.checkpoint(stock);
    clients.here.rollBack(then, stock);

    assertThat(clients.here.forget(stock, now())).contains(checkpoint);

    assertThat(ReplicatedObjects.over(clients.corfu).open("stock", Stock.class).pieces())
        .isEqualTo(5);
    assertThatThrownBy(() -> clients.there.rollBack(then, stockThere, mapThere))
        .isInstanceOf(HistoryTrimmedException.class)
        .hasMessageContaining("stock");
    assertThat(stockThere.pieces()).isEqualTo(5);
  }

  @Test
  void statesThatDoNotFitIntoAnEntryAreRefused() {
    ObjectType<ReplicatedMap<String, byte[]>> blobs = ReplicatedMap.of(String.class, byte[].class);
    ReplicatedMap<String, byte[]> large = clients.here.open("large", blobs);
    for (int i = 0; i < 18; i++) {
      large.fastPut("key " + i, new byte[1 << 20]);
    }
    Address then = now();

    assertThatThrownBy(() -> clients.here.rollBack(then, large, stock))
        .isInstanceOf(EntryTooLargeException.class)
        .hasMessageContaining("max-entry");
    assertThat(now()).isEqualTo(then);
  }
}
