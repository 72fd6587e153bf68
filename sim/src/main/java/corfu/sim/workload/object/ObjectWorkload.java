package corfu.sim.workload.object;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ResultUnknownException;
import corfu.protocol.Address;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.sim.ListStore;
import corfu.sim.history.ObjectCalls;
import corfu.sim.history.TransactionAttempt;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.linearizability.Linearizability;
import corfu.sim.linearizability.Linearizability.Event;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.LongFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** One thread of an application that uses replicated objects in all ways, repeatedly. */
public final class ObjectWorkload {

  private static final int REGISTERS = 3;
  private static final int PADDING_MAX = 500;
  private static final int LOST_AT_ONCE = 6;
  private static final long THINK_NANOS_MAX = 200_000_000L;

  private final Simulator simulator;
  private final ObjectCalls history;
  private final SimWorld world;
  private final SimRandom chance;
  private final Corfu corfu;
  private final ObjectWorkloadProfile habits;
  private final String name;
  private final ObjectTransactions transactions;
  private final ObjectAccesses accesses;
  private final BooleanSupplier over;
  private ObjectViews views;

  /**
   * @param views the views of its process
   */
  public ObjectWorkload(
      Simulator simulator,
      ObjectCalls history,
      SimWorld world,
      Corfu corfu,
      ObjectViews views,
      ObjectWorkloadProfile habits,
      String name,
      BooleanSupplier over) {
    this.simulator = simulator;
    this.history = history;
    this.world = world;
    this.chance = world.chance().split();
    this.corfu = corfu;
    this.views = views;
    this.habits = habits;
    this.name = name;
    this.over = over;
    this.accesses = new ObjectAccesses(history, chance, habits, name);
    this.transactions =
        new ObjectTransactions(simulator, history, world, chance.split(), habits, name);
  }

  public void run() {
    while (!over.getAsBoolean()) {
      if (chance.below(100) < habits.transactionPercent()) {
        transactions.doSomething(views);
      } else if (chance.below(100) < habits.checkpointPercent()) {
        checkpoint();
      } else {
        doSomething();
      }
      world.pause(Duration.ofNanos(chance.mostlyNear(0, THINK_NANOS_MAX)));
    }
  }

  private void doSomething() {
    int dice = chance.below(100);
    if (dice < 40) {
      accessList();
      if (chance.oneIn(3)) {
        lookElsewhere();
      }
    } else if (dice < 75) {
      accessAlone();
    } else if (dice < 85) {
      lookBack();
    } else if (dice < 90) {
      noteTail();
    } else if (dice < 94) {
      views =
          new ObjectViews(
              corfu,
              habits,
              () -> chance.below(100) < habits.remotePercent(),
              () -> history.count("failure told of"),
              history::parted);
    } else if (dice < 97) {
      appendOther();
    } else {
      fillTooSoon();
    }
  }

  /** Makes a call whose result is not waited for, or whose failure has no consequences. */
  private void attempt(String what, Runnable deed) {
    attempt(what, deed, failure -> {});
  }

  private void attempt(String what, Runnable deed, Consumer<CorfuException> onFailure) {
    try {
      deed.run();
      history.count(what);
    } catch (AppendOutcomeUnknownException unknown) {
      history.count(what + ", outcome unknown");
      onFailure.accept(unknown);
    } catch (CorfuException failure) {
      history.count(what + ", failed");
      onFailure.accept(failure);
    } catch (HistoryTrimmedException forgotten) {
      history.count(what + ", forgotten");
      if (history.isUpToDate()) {
        simulator.findings.unexpected(name + ", " + what, forgotten);
      }
    } catch (RuntimeException | Error failure) {
      simulator.findings.unexpected(name + ", " + what, failure);
    }
  }

  // ---------------------------------------------------------------------------------- single calls

  private void accessList() {
    callOnList("call on a list", attempt -> accesses.accessList(views, attempt));
  }

  /**
   * Reads another object right after a change: earlier changes of other objects must be visible,
   * too.
   */
  private void lookElsewhere() {
    callOnList("look elsewhere", attempt -> accesses.readList(views, attempt));
  }

  private void callOnList(String what, Consumer<TransactionAttempt> call) {
    TransactionAttempt attempt = history.begin(name, Promise.STRICT);
    attempt(
        what,
        () -> {
          try {
            call.accept(attempt);
          } catch (ResultUnknownException made) {
            history.count("result unknown");
          }
          history.end(attempt, Fate.COMMITTED);
        },
        failure -> history.end(attempt, fate(failure)));
  }

  private static Fate fate(CorfuException failure) {
    return failure instanceof AppendOutcomeUnknownException ? Fate.UNKNOWN : Fate.ABORTED;
  }

  private void accessAlone() {
    SoleMap map = views.sole(chance.below(4), history);
    long register = chance.below(REGISTERS);
    switch (chance.below(6)) {
      case 0, 1 -> {
        long invoked = history.now();
        attempt(
            "get",
            () -> {
              Long value = map.get(register);
              event(map, register, Optional.of(text(value)), Optional.empty(), invoked);
            });
      }
      case 2 -> swap(map, register);
      case 3 ->
          write(
              map,
              register,
              "fast put",
              value -> {
                map.fastPut(register, value);
                return Optional.empty();
              });
      case 4 -> writeTwo(map, register, (register + 1) % REGISTERS);
      default -> {
        if (chance.oneIn(2)) {
          removing(map, register);
        } else {
          swap(map, register);
        }
      }
    }
  }

  private void swap(SoleMap map, long register) {
    write(map, register, "put", value -> result(() -> map.put(register, value)));
  }

  /** Returns the result of a change, or empty if the result is unknown. */
  private Optional<String> result(Supplier<@Nullable Long> change) {
    try {
      return Optional.of(text(change.get()));
    } catch (ResultUnknownException made) {
      history.count("result unknown");
    } catch (SoleMap.UnreadException replaced) {
      history.count("result not read");
    }
    return Optional.empty();
  }

  private void write(SoleMap map, long register, String what, LongFunction<Optional<String>> put) {
    long value = history.newValue();
    change(map, register, what, Long.toString(value), () -> put.apply(value));
  }

  private void removing(SoleMap map, long register) {
    change(
        map, register, "remove", Linearizability.NOTHING, () -> result(() -> map.remove(register)));
  }

  private void change(
      SoleMap map, long register, String what, String value, Supplier<Optional<String>> deed) {
    long invoked = begun(map, register, value);
    attempt(
        what,
        () -> event(map, register, deed.get(), Optional.of(value), invoked),
        failure -> {
          if (fate(failure) == Fate.ABORTED) {
            history.notAtAll(invoked);
          }
        });
  }

  /** Writes both values in one entry. */
  private void writeTwo(SoleMap map, long one, long other) {
    long first = history.newValue();
    long second = history.newValue();
    long firstInvoked = begun(map, one, Long.toString(first));
    long secondInvoked = begun(map, other, Long.toString(second));
    attempt(
        "put two",
        () -> {
          map.putAll(inOrder(one, first, other, second));
          event(map, one, Optional.empty(), Optional.of(Long.toString(first)), firstInvoked);
          event(map, other, Optional.empty(), Optional.of(Long.toString(second)), secondInvoked);
        },
        failure -> {
          if (fate(failure) == Fate.ABORTED) {
            history.notAtAll(firstInvoked);
            history.notAtAll(secondInvoked);
          }
        });
  }

  /** The order of {@code Map.of} differs between virtual machines. */
  private static Map<Long, Long> inOrder(long one, long first, long other, long second) {
    Map<Long, Long> both = new LinkedHashMap<>();
    both.put(one, first);
    both.put(other, second);
    return both;
  }

  private long begun(SoleMap map, long register, String value) {
    long invoked = history.now();
    history.alone(map.name() + "/" + register, Event.write(value, invoked, Linearizability.NEVER));
    return invoked;
  }

  private static String text(@Nullable Long value) {
    return value == null ? Linearizability.NOTHING : Long.toString(value);
  }

  private void event(
      SoleMap map, long register, Optional<String> saw, Optional<String> wrote, long invoked) {
    history.alone(map.name() + "/" + register, new Event(saw, wrote, invoked, history.now()));
  }

  // --------------------------------------------------------------------------------------- history

  private void noteTail() {
    attempt("tail", () -> history.noteAddress(corfu.log().tail().value()));
  }

  /** Reads an object at an address that other clients have looked at, or will. */
  private void lookBack() {
    Address at = new Address(transactions.someAddress());
    int store = chance.below(habits.stores());
    String object = ObjectViews.store(store);
    String what = "look at the past";
    try {
      ListStore then =
          chance.below(100) < habits.remotePercent()
              ? views.remote.at(at).open(object, ObjectViews.typeOf(store))
              : views.objects.at(at).open(object, ObjectViews.typeOf(store));
      history.saw(name, new ObjectCalls.Cut(object, at.value()), then.all().toString());
      history.count(what);
    } catch (HistoryTrimmedException forgotten) {
      history.count(what + " that is forgotten");
    } catch (IllegalArgumentException beyondTheEnd) {
      history.count(what + " that is to come");
    } catch (CorfuException failure) {
      history.count(what + ", failed");
    } catch (RuntimeException | Error failure) {
      simulator.findings.unexpected(name + ", " + what, failure);
    }
  }

  private void checkpoint() {
    Object object =
        switch (chance.below(7)) {
          case 0 -> views.registers;
          case 1 -> views.left;
          case 2 -> views.pages;
          case 3 -> views.shelf;
          default -> chance.pick(chance.oneIn(4) ? views.others : views.stores);
        };
    if (habits.isForgetting() && chance.oneIn(3)) {
      Address before = new Address(transactions.someAddress());
      attempt("forget", () -> views.objects.forget(object, before));
    } else {
      attempt("checkpoint", () -> history.noteAddress(views.objects.checkpoint(object).value()));
    }
  }

  // ------------------------------------------------------------------------------------- log calls

  private void appendOther() {
    attempt("other append", () -> corfu.log().append(new byte[chance.below(PADDING_MAX)]));
  }

  /**
   * Fills the newest addresses: a client whose token is one of them, and who has not written yet,
   * loses the token.
   */
  private void fillTooSoon() {
    attempt(
        "fill",
        () -> {
          long tail = corfu.log().tail().value();
          for (int back = 1; back <= Math.min(tail, LOST_AT_ONCE); back++) {
            var unused = corfu.log().fill(new Address(tail - back));
          }
        });
  }
}
