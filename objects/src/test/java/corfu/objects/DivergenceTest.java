package corfu.objects;

import static org.assertj.core.api.Assertions.assertThat;

import corfu.objects.annotation.Accessor;
import corfu.objects.annotation.Mutator;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.generated.ObjectTypes;
import corfu.objects.type.ObjectType;
import corfu.objects.type.Snapshots;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Mutators with different results on different clients are found where replicas meet a checkpoint.
 */
@Timeout(180)
class DivergenceTest {

  private final List<DivergenceListener.Divergence> divergences = new CopyOnWriteArrayList<>();
  private final ObjectOptions options =
      ObjectOptions.DEFAULT
          .withCheckpoints(CheckpointPolicy.MANUAL)
          .withOnDivergence(divergences::add);
  private final TwoClients clients = new TwoClients(options);

  @AfterEach
  void stop() {
    clients.close();
  }

  /** An object whose mutator has another result on every client. */
  static class Dice {
    private static final AtomicLong CHANCE = new AtomicLong();
    private long value;
    private long thrown;

    @Mutator
    public void roll() {
      value = CHANCE.incrementAndGet();
    }

    @Mutator
    public void set(long number) {
      value = number;
      thrown++;
    }

    @Accessor
    public long value() {
      return value;
    }
  }

  @Test
  void aMutatorThatDoesSomethingElseElsewhereIsFoundBetweenTwoCheckpoints() {
    Dice here = clients.here.open("dice", Dice.class);
    Dice there = clients.there.open("dice", Dice.class);
    here.set(1);
    assertThat(there.value()).isEqualTo(here.value());
    Address equal = clients.here.checkpoint(here);
    assertThat(there.value()).isEqualTo(1);
    assertThat(divergences).isEmpty();

    Address first = clients.corfu.log().tail();
    here.roll();
    assertThat(there.value()).isNotEqualTo(here.value());
    Address last = clients.corfu.log().tail();
    Address differ = clients.here.checkpoint(here);
    there.value();

    assertThat(divergences)
        .containsExactly(
            new DivergenceListener.Divergence(StreamId.named("dice"), "dice", equal, differ));
    assertThat(equal).isLessThanOrEqualTo(first);
    assertThat(differ).isGreaterThanOrEqualTo(last);
    assertThat(divergences.getFirst().message())
        .contains("object dice before address " + differ)
        .contains("A change from address " + equal);
  }

  @Test
  void persistentStructuresAreComparedInTheBackground() {
    ObjectType<ReplicatedMap<String, Object>> any = ReplicatedMap.of(String.class, Object.class);
    ReplicatedMap<String, Object> here = clients.here.open("map", any);
    ReplicatedMap<String, Object> there = clients.there.open("map", any);
    for (int i = 0; i < 100; i++) {
      here.put("key " + i % 7, (long) i);
    }
    assertThat(there).hasSize(7);
    for (int i = 0; i < 20; i++) {
      (i % 2 == 0 ? here : there).remove("key " + i % 5);
      (i % 2 == 0 ? clients.here : clients.there).checkpoint(i % 2 == 0 ? here : there);
      assertThat(there.size()).isEqualTo(here.size());
    }

    assertThat(divergences).isEmpty();
  }

  /** The same with a state that is forked at no cost. */
  interface Chance {
    @Mutator
    void roll();

    @Accessor
    long value();
  }

  static class Rolled implements Chance {
    private long value;

    @Override
    public void roll() {
      value = Dice.CHANCE.incrementAndGet();
    }

    @Override
    public long value() {
      return value;
    }
  }

  private static final class Rolls implements Snapshots<Chance> {
    @Override
    public Chance fork(Chance state) {
      Rolled fork = new Rolled();
      fork.value = state.value();
      return fork;
    }

    @Override
    public void save(Chance state, Consumer<@Nullable Object> values) {
      values.accept(state.value());
    }

    @Override
    public Chance load(Iterator<@Nullable Object> values) {
      Rolled loaded = new Rolled();
      loaded.value = (Long) Objects.requireNonNull(values.next());
      return loaded;
    }
  }

  @Test
  void persistentStructuresThatDifferAreFoundInTheBackground() {
    ObjectType<Chance> type =
        ObjectTypes.persistent(Chance.class, Rolled::new, new Rolls(), List.of());
    Chance here = clients.here.open("chance", type);
    Chance there = clients.there.open("chance", type);
    here.roll();
    assertThat(there.value()).isNotEqualTo(here.value());

    Address differ = clients.here.checkpoint(here);
    while (divergences.isEmpty()) { // each look is a request to the cluster
      there.value();
    }

    assertThat(divergences).hasSize(1);
    assertThat(divergences.getFirst().differBefore()).isEqualTo(differ);
  }

  @Test
  void nothingIsComparedWhereNobodyWantsToKnow() {
    ReplicatedObjects uninterested =
        ReplicatedObjects.over(clients.corfu, options.withOnDivergence(DivergenceListener.NONE));
    Dice here = uninterested.open("dice", Dice.class);
    Dice there = clients.there.open("dice", Dice.class);
    here.roll();
    there.value();
    here.value();
    clients.there.checkpoint(there);
    assertThat(here.value()).isNotEqualTo(there.value());

    assertThat(divergences).isEmpty();
  }
}
