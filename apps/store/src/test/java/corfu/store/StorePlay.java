package corfu.store;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.Address;
import corfu.runtime.CorfuException;
import corfu.sim.application.Application;
import corfu.sim.application.ApplicationClient;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.ApplicationRun;
import corfu.sim.history.CollectionHistory;
import corfu.sim.history.CollectionHistory.Done;
import corfu.sim.isolation.IsolationChecker;
import corfu.sim.isolation.IsolationChecker.Clock;
import corfu.sim.isolation.ObservedTransaction;
import corfu.sim.isolation.ObservedTransaction.Access;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.smr.CommandOutcomeUnknownException;
import corfu.smr.HistoryForgottenException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/**
 * Clients of one store who do with it all that can be done. Each key is a register; what touches
 * several is a transaction; and all of it is one value that is linearizable.
 */
final class StorePlay implements ApplicationRun {

  private static final List<String> KEYS = List.of("a", "b", "c", "d", "e");
  private static final String NAME = "simulated";
  private static final long THINK_NANOS_MAX = 300_000_000L;

  private final ApplicationContext stage;
  private final boolean isRollingBack;
  private final CollectionHistory<Map<String, Long>> all;
  private final Map<String, ObservedTransaction> transactions = new LinkedHashMap<>();
  private final Map<Address, Map<String, Long>> past = new TreeMap<>();

  private StorePlay(ApplicationContext stage, boolean isRollingBack) {
    this.stage = stage;
    this.isRollingBack = isRollingBack;
    this.all = new CollectionHistory<>("store", Map.of(), stage);
  }

  /** Writes are conditional now and then. */
  static Application withConditions() {
    return stage -> new StorePlay(stage, false);
  }

  /** The store is rolled back now and then: values come back, so they don't tell their writers. */
  static Application withRollBacks() {
    return stage -> new StorePlay(stage, true);
  }

  @Override
  public Consumer<ApplicationClient> enter(ApplicationClient process) {
    RandomGenerator chance = process.chance();
    StoreOptions options =
        StoreOptions.DEFAULT
            .withInlineBytes(chance.nextBoolean() ? 0 : StoreOptions.DEFAULT.inlineBytes())
            .withCacheBytes(chance.nextBoolean() ? 0 : StoreOptions.DEFAULT.cacheBytes())
            .withCheckpointEvery(chance.nextInt(12));
    KeyValueStore store = KeyValueStore.open(process.corfu(), NAME, options);
    return seat -> new Client(seat, store).run();
  }

  private static Map<String, Long> values(Map<String, Versioned> found) {
    Map<String, Long> values = new TreeMap<>();
    found.forEach((key, value) -> values.put(key, Long.valueOf(value.text())));
    return values;
  }

  private static List<Access> seen(Set<String> keys, Map<String, Long> values) {
    List<Access> seen = new ArrayList<>();
    keys.forEach(
        key ->
            seen.add(new Access.Saw(key, values.getOrDefault(key, ObservedTransaction.NOTHING))));
    return seen;
  }

  /** Every reader of an address sees the same. */
  private void sawAt(String who, Address at, Map<String, Long> values) {
    Map<String, Long> before = past.putIfAbsent(at, values);
    if (before != null && !before.equals(values)) {
      stage.broken("Store", "%s saw at %s %s, but it was %s".formatted(who, at, values, before));
    }
  }

  /** One thread. */
  private final class Client {

    private final ApplicationClient seat;
    private final RandomGenerator chance;
    private final KeyValueStore store;
    private final String process;
    private int calls;

    Client(ApplicationClient seat, KeyValueStore store) {
      this.seat = seat;
      this.chance = seat.chance();
      this.store = store;
      this.process = seat.name().substring(0, seat.name().lastIndexOf('.'));
    }

    void run() {
      while (!seat.isOver().getAsBoolean()) {
        try {
          doSomething();
        } catch (HistoryForgottenException | ValueForgottenException compacted) {
          stage.count("call, overtaken by a compaction");
        } catch (RuntimeException failure) {
          stage.unexpected(seat.name(), failure);
        }
        pause();
      }
    }

    private void pause() {
      long most = chance.nextLong(1, THINK_NANOS_MAX);
      seat.world().pause(Duration.ofNanos(chance.nextLong(most)));
    }

    private void doSomething() {
      switch (chance.nextInt(20)) {
        case 0, 1, 2, 3 -> put(1);
        case 4, 5, 6, 7, 8 -> put(2 + chance.nextInt(KEYS.size() - 1));
        case 9 -> putIf();
        case 10, 11, 12 -> get();
        case 13, 14 -> scan();
        case 15, 16 -> snapshot();
        case 17 -> lookBack();
        case 18 -> attempt("checkpoint", store::checkpoint);
        default -> {
          if (isRollingBack && chance.nextInt(2) == 0) {
            rollBack();
          } else if (chance.nextInt(4) == 0) {
            attempt("compaction", store::compact);
          }
        }
      }
    }

    private void attempt(String what, Runnable deed) {
      try {
        deed.run();
        stage.count(what);
      } catch (CorfuException | CommandOutcomeUnknownException failed) {
        stage.count(what + ", failed");
      }
    }

    private Set<String> keys(int count) {
      Set<String> keys = new TreeSet<>();
      while (keys.size() < count) {
        keys.add(KEYS.get(chance.nextInt(KEYS.size())));
      }
      return keys;
    }

    // ------------------------------------------------------------------------------------ writes

    /** Keys that get a value of their own, or lose theirs. */
    private Map<String, Long> changes(int count) {
      Map<String, Long> changes = new TreeMap<>();
      for (String key : keys(count)) {
        changes.put(key, chance.nextInt(5) == 0 ? ObservedTransaction.NOTHING : stage.newValue());
      }
      return changes;
    }

    private static Changes asChanges(Map<String, Long> values) {
      Changes changes = new Changes();
      values.forEach(
          (key, value) -> {
            if (value == ObservedTransaction.NOTHING) {
              changes.remove(key);
            } else {
              changes.put(key, Long.toString(value).getBytes(UTF_8));
            }
          });
      return changes;
    }

    private void put(int count) {
      Map<String, Long> values = changes(count);
      write(count == 1 ? "put" : "multi-put", asChanges(values), values, Map.of());
    }

    /** Only if nobody has changed what was read before. */
    private void putIf() {
      if (isRollingBack) {
        return; // an old value may be there again, with another version
      }
      try {
        Set<String> expected = keys(1 + chance.nextInt(2));
        Map<String, Versioned> found = store.getAll(expected);
        Map<String, Long> values = changes(1 + chance.nextInt(3));
        Changes changes = asChanges(values);
        Map<String, Long> saw = new TreeMap<>();
        for (String key : expected) {
          Optional<Versioned> now = Optional.ofNullable(found.get(key));
          now.ifPresentOrElse(
              one -> changes.expect(key, one.version()), () -> changes.expectAbsent(key));
          saw.put(
              key, now.map(one -> Long.valueOf(one.text())).orElse(ObservedTransaction.NOTHING));
        }
        pause();
        write("conditional put", changes, values, saw);
      } catch (CorfuException failed) {
        stage.count("conditional put, failed");
      }
    }

    private void write(
        String what, Changes changes, Map<String, Long> values, Map<String, Long> saw) {
      String name = seat.name() + "#" + calls++;
      long invoked = stage.now();
      List<Access> accesses = new ArrayList<>();
      saw.forEach((key, value) -> accesses.add(new Access.Saw(key, value)));
      values.forEach((key, value) -> accesses.add(new Access.Wrote(key, value)));
      Fate[] fate = {Fate.UNKNOWN};
      note(name, invoked, ObservedTransaction.NEVER, Fate.UNKNOWN, Promise.STRICT, accesses);
      try {
        all.change(
            what + " " + values,
            () -> {
              fate[0] = outcome(changes);
              return fate[0] == Fate.COMMITTED;
            },
            before -> applied(before, values, saw));
      } catch (CommandOutcomeUnknownException unknown) {
        stage.count(what + ", outcome unknown");
        return; // it may yet happen
      }
      if (fate[0] == Fate.ABORTED) {
        accesses.removeIf(access -> access instanceof Access.Saw); // it was something else
      }
      note(name, invoked, stage.now(), fate[0], Promise.STRICT, accesses);
    }

    private Fate outcome(Changes changes) {
      return switch (store.write(changes)) {
        case WriteOutcome.Written written -> Fate.COMMITTED;
        case WriteOutcome.Conflict conflict -> Fate.ABORTED;
      };
    }

    private static Done<Map<String, Long>> applied(
        Map<String, Long> before, Map<String, Long> values, Map<String, Long> saw) {
      boolean holds =
          saw.entrySet().stream()
              .allMatch(
                  one ->
                      before
                          .getOrDefault(one.getKey(), ObservedTransaction.NOTHING)
                          .equals(one.getValue()));
      if (!holds) {
        return new Done<>(false, before);
      }
      Map<String, Long> after = new HashMap<>(before);
      after.putAll(values);
      after.values().removeIf(value -> value == ObservedTransaction.NOTHING);
      return new Done<>(true, Map.copyOf(after));
    }

    /** All of it becomes what it was, unless others are faster. */
    private void rollBack() {
      Tried tried = new Tried();
      try {
        StoreSnapshot then = store.snapshot();
        Map<String, Long> content = values(then.scan("", KEYS.size()));
        pause();
        all.change(
            "roll back to " + content,
            () -> {
              boolean holds = store.rollBack(then.address()) instanceof WriteOutcome.Written;
              tried.holds = Optional.of(holds);
              return holds;
            },
            before ->
                tried.holds.orElse(true)
                    ? new Done<>(true, Map.copyOf(content))
                    : new Done<>(false, before));
      } catch (CommandOutcomeUnknownException unknown) {
        stage.count("roll-back, outcome unknown");
      } catch (CorfuException failed) {
        stage.count("roll-back, failed");
      }
    }

    // ------------------------------------------------------------------------------------- reads

    private void get() {
      Set<String> keys = keys(1 + chance.nextInt(3));
      String name = seat.name() + "#" + calls++;
      long invoked = stage.now();
      all.read(
          "get " + keys,
          () -> {
            Map<String, Long> found = values(store.getAll(keys));
            note(name, invoked, stage.now(), Fate.COMMITTED, Promise.STRICT, seen(keys, found));
            return found;
          },
          model -> only(keys, model));
    }

    private static Map<String, Long> only(Set<String> keys, Map<String, Long> model) {
      Map<String, Long> some = new TreeMap<>(model);
      some.keySet().retainAll(keys);
      return some;
    }

    private void scan() {
      all.read("scan", () -> values(store.scan("", KEYS.size())), TreeMap::new);
    }

    /** It does not change, however late it is read. */
    private void snapshot() {
      try {
        String name = seat.name() + "#" + calls++;
        long invoked = stage.now();
        StoreSnapshot now = store.snapshot();
        long returned = stage.now();
        Map<String, Long> found = new TreeMap<>();
        for (String key : KEYS) {
          now.get(key).ifPresent(value -> found.put(key, Long.valueOf(value.text())));
          if (chance.nextInt(3) == 0) {
            pause();
          }
        }
        List<Access> accesses = seen(Set.copyOf(KEYS), found);
        note(name, invoked, returned, Fate.COMMITTED, Promise.STRICT, accesses);
        sawAt(name, now.address(), found);
        stage.count("snapshot");
      } catch (CorfuException failed) {
        stage.count("snapshot, failed");
      }
    }

    private void lookBack() {
      if (past.isEmpty()) {
        return;
      }
      List<Address> addresses = List.copyOf(past.keySet());
      Address at = addresses.get(chance.nextInt(addresses.size()));
      try {
        sawAt(seat.name(), at, values(store.at(at).scan("", KEYS.size())));
        stage.count("look at the past");
      } catch (IllegalArgumentException beyond) {
        // a client that is behind takes the log to end there
        if (stage.isUpToDate()) {
          stage.unexpected(seat.name(), beyond);
        }
      } catch (CorfuException failed) {
        stage.count("look at the past, failed");
      }
    }

    private void note(
        String name,
        long invoked,
        long returned,
        Fate fate,
        Promise promise,
        List<Access> accesses) {
      transactions.put(
          name, new ObservedTransaction(name, process, invoked, returned, fate, promise, accesses));
    }
  }

  /** Whether a roll-back was not refused, once that is known. */
  private static final class Tried {
    private Optional<Boolean> holds = Optional.empty();
  }

  @Override
  public void audit(ApplicationClient auditor) {
    try (KeyValueStore store = KeyValueStore.open(auditor.corfu(), NAME, StoreOptions.DEFAULT)) {
      long invoked = stage.now();
      Map<String, Long> last = values(store.scan("", KEYS.size()));
      all.read("at last", () -> values(store.scan("", KEYS.size())), TreeMap::new);
      transactions.put(
          auditor.name(),
          new ObservedTransaction(
              auditor.name(),
              auditor.name(),
              invoked,
              stage.now(),
              Fate.COMMITTED,
              Promise.LAST,
              seen(Set.copyOf(KEYS), last)));
      for (Address at : List.copyOf(past.keySet())) {
        try {
          sawAt(auditor.name(), at, values(store.at(at).scan("", KEYS.size())));
        } catch (HistoryForgottenException | ValueForgottenException compacted) {
          stage.count("past, overtaken by a compaction");
        }
      }
    }
  }

  @Override
  public void check() {
    if (!isRollingBack) {
      Clock clock = stage.isUpToDate() ? Clock.SHARED : Clock.ONE_A_PROCESS;
      for (String anomaly : IsolationChecker.anomalies(List.copyOf(transactions.values()), clock)) {
        stage.broken("Store, transactions", anomaly);
      }
    }
    if (stage.isUpToDate()) {
      all.check(stage);
    }
  }
}
