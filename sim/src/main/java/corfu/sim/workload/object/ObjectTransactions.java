package corfu.sim.workload.object;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.Isolation;
import corfu.objects.TransactionAbortedException;
import corfu.objects.TransactionOptions;
import corfu.protocol.Address;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.sim.history.ObjectCalls;
import corfu.sim.history.TransactionAttempt;
import corfu.sim.isolation.ObservedTransaction.Fate;
import corfu.sim.isolation.ObservedTransaction.Promise;
import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import corfu.sim.world.Simulator;
import java.time.Duration;
import java.util.Optional;

/** The transactions of one application thread, of all kinds. */
final class ObjectTransactions {

  private static final long PAUSE_NANOS_MAX = 40_000_000L;
  private static final int NUMBERS = 5;

  private final Simulator simulator;
  private final ObjectCalls history;
  private final SimWorld world;
  private final SimRandom chance;
  private final ObjectWorkloadProfile habits;
  private final String name;
  private final ObjectAccesses accesses;

  /** The attempt in progress. */
  private Optional<TransactionAttempt> current = Optional.empty();

  private int tries;

  ObjectTransactions(
      Simulator simulator,
      ObjectCalls history,
      SimWorld world,
      SimRandom chance,
      ObjectWorkloadProfile habits,
      String name) {
    this.simulator = simulator;
    this.history = history;
    this.world = world;
    this.chance = chance;
    this.habits = habits;
    this.name = name;
    this.accesses = new ObjectAccesses(history, chance, habits, name);
  }

  /** The application gives up its transaction. */
  private static final class ChangedMyMindException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  void doSomething(ObjectViews views) {
    int dice = chance.below(100);
    if (dice < 35) {
      carryOut("transaction", views, options(), Promise.STRICT, () -> body(views));
    } else if (dice < 45) {
      carryOut("blind changes", views, options(), Promise.STRICT, () -> changeUnseen(views));
    } else if (dice < 58) {
      TransactionOptions snapshot = options().with(Isolation.SNAPSHOT);
      carryOut("snapshot isolation", views, snapshot, Promise.SNAPSHOT, () -> body(views));
    } else if (dice < 68) {
      carryOut("read-only", views, TransactionOptions.READ_ONLY, Promise.STRICT, () -> look(views));
    } else if (dice < 75) {
      TransactionOptions past = TransactionOptions.at(new Address(someAddress()));
      carryOut("past snapshot", views, past, Promise.PAST, () -> look(views));
    } else if (dice < 88) {
      carryOut("opacity", views, options(), Promise.STRICT, () -> keepApart(views));
    } else {
      TransactionOptions options =
          chance.oneIn(2)
              ? TransactionOptions.READ_ONLY
              : TransactionOptions.at(new Address(someAddress()));
      Promise promise = options.at().isPresent() ? Promise.PAST : Promise.STRICT;
      carryOut("opacity read-only", views, options, promise, () -> checkApart(views));
    }
  }

  private TransactionOptions options() {
    return chance.oneIn(3)
        ? TransactionOptions.DEFAULT.withAttempts(1 + chance.below(4))
        : TransactionOptions.DEFAULT;
  }

  /** Returns the log's tail as some client knew it, recently or long ago. */
  long someAddress() {
    var known = history.addresses();
    if (known.isEmpty()) {
      return 0;
    }
    long back = chance.mostlyNear(0, known.size() - 1);
    return known.get((int) (known.size() - 1 - back));
  }

  // ------------------------------------------------------------------------------ from end to end

  private void carryOut(
      String what, ObjectViews views, TransactionOptions options, Promise promise, Runnable body) {
    current = Optional.empty();
    tries = 0;
    Fate fate = Fate.ABORTED;
    String end = what;
    try {
      if (chance.oneIn(4)) {
        byHand(views, options, promise, body);
      } else {
        views.objects.transact(options, () -> attempt(promiseOfTry(promise, options), body));
      }
      fate = Fate.COMMITTED;
    } catch (TransactionAbortedException others) {
      end += " aborted";
    } catch (ChangedMyMindException itself) {
      end += " given up";
      current.ifPresent(
          attempt -> attempt.isPromised(promise)); // otherwise it would be tried again
    } catch (HistoryTrimmedException forgotten) {
      end += " of what is forgotten";
      boolean isAllowed = options.isReadOnly() && habits.isForgetting(); // by another client
      if (promise != Promise.PAST && !isAllowed && history.isUpToDate()) {
        simulator.findings.unexpected(name + ", " + what, forgotten);
      }
    } catch (AppendOutcomeUnknownException unknown) {
      fate = Fate.UNKNOWN;
      history.unavailable(name);
      end += ", outcome unknown";
    } catch (CorfuException failed) {
      history.unavailable(name);
      end += ", failed";
    } catch (IllegalArgumentException beyondTheEnd) {
      end += " of what is to come";
      if (promise != Promise.PAST) {
        simulator.findings.unexpected(name + ", " + what, beyondTheEnd);
      }
    } catch (RuntimeException | Error failure) {
      simulator.findings.unexpected(name + ", " + what, failure);
    }
    history.count(end);
    endCurrent(fate);
  }

  /**
   * Returns the guarantee of an attempt. An attempt that can be repeated may begin with the state
   * that its client knows.
   */
  private Promise promiseOfTry(Promise promise, TransactionOptions options) {
    tries++;
    boolean mayForesee = promise == Promise.STRICT && !options.isReadOnly();
    boolean isFirstOfSeveral = tries == 1 && options.attempts() > 1;
    return mayForesee && isFirstOfSeveral ? Promise.STRICT_IF_DONE : promise;
  }

  private void attempt(Promise promise, Runnable body) {
    endCurrent(Fate.ABORTED); // otherwise it would not be tried again
    current = Optional.of(history.begin(name, promise));
    body.run();
  }

  private void endCurrent(Fate fate) {
    current.filter(TransactionAttempt::isUnderWay).ifPresent(attempt -> history.end(attempt, fate));
  }

  private void byHand(
      ObjectViews views, TransactionOptions options, Promise promise, Runnable body) {
    views.objects.txBegin(options);
    boolean isDone = false;
    try {
      attempt(promise, body);
      isDone = true;
    } finally {
      if (!isDone) {
        views.objects.txAbort();
      }
    }
    if (chance.oneIn(10)) {
      views.objects.txAbort();
      throw new ChangedMyMindException();
    }
    views.objects.txEnd();
  }

  // --------------------------------------------------------------------------------------- bodies

  private void pause() {
    if (chance.oneIn(2)) {
      world.pause(Duration.ofNanos(chance.mostlyNear(0, PAUSE_NANOS_MAX)));
    }
  }

  private void body(ObjectViews views) {
    TransactionAttempt attempt = current.orElseThrow();
    for (int left = 1 + chance.below(habits.longest()); left > 0; left--) {
      if (chance.oneIn(12)) {
        views.objects.transact(() -> accesses.access(views, attempt)); // becomes a part of it
      } else {
        accesses.access(views, attempt);
      }
      pause();
    }
    if (chance.oneIn(25)) {
      throw new ChangedMyMindException();
    }
  }

  /**
   * Changes several objects without reading: the sequencer issues its token whatever other clients
   * do.
   */
  private void changeUnseen(ObjectViews views) {
    TransactionAttempt attempt = current.orElseThrow();
    for (int store = 0; store < habits.stores(); store++) {
      if (!chance.oneIn(3)) {
        accesses.appendUnseen(views, attempt, store);
      }
    }
  }

  private void look(ObjectViews views) {
    TransactionAttempt attempt = current.orElseThrow();
    for (int left = 1 + chance.below(habits.longest()); left > 0; left--) {
      accesses.read(views, attempt);
      pause();
    }
  }

  /**
   * Checks that no transaction ever sees the same number in both cells, even one that will be
   * aborted.
   */
  private void checkApart(ObjectViews views) {
    boolean isLeftFirst = chance.oneIn(2);
    long one = isLeftFirst ? views.left.get() : views.right();
    pause();
    long other = isLeftFirst ? views.right() : views.left.get();
    if (one == other) {
      simulator.findings.broken("Opacity", "%s saw %s twice", current.orElseThrow().name(), one);
    }
  }

  /** Changes one of the numbers, or both; they stay different. */
  private void keepApart(ObjectViews views) {
    if (!chance.oneIn(4)) {
      checkApart(views);
    }
    long number = chance.below(NUMBERS);
    switch (chance.below(3)) {
      case 0 -> {
        views.left.set(number);
        views.right.fastPut(ObjectViews.CELL, number + 1 + chance.below(NUMBERS));
      }
      case 1 -> {
        if (views.right() != number) {
          pause();
          views.left.set(number);
        }
      }
      default -> {
        if (views.left.get() != number) {
          pause();
          var unused = views.right.put(ObjectViews.CELL, number);
        }
      }
    }
    if (chance.oneIn(4)) {
      checkApart(views);
    }
    if (chance.oneIn(10)) {
      throw new ChangedMyMindException();
    }
  }
}
