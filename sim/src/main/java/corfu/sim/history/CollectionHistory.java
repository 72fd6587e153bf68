package corfu.sim.history;

import corfu.objects.HistoryTrimmedException;
import corfu.objects.ResultUnknownException;
import corfu.objects.TransactionAbortedException;
import corfu.objects.tango.TransactionUndecidedException;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CorfuException;
import corfu.sim.application.ApplicationContext;
import corfu.sim.application.HistoryClock;
import corfu.sim.linearizability.Linearizability;
import corfu.sim.linearizability.OrderSearch;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Calls on one collection that all clients share, with their results and a sequential model.
 *
 * @param <S> the model's state: values of the JDK, which are never changed
 */
public final class CollectionHistory<S> {

  private static final int SHOWN = 60;

  private final String name;
  private final S initial;
  private final HistoryClock clock;
  private final Map<Long, Call<S>> calls = new LinkedHashMap<>(); // by invocation

  /** A model's result, and its next state. */
  public record Done<S>(@Nullable Object returned, S left) {}

  private record Call<S>(String what, String outcome, OrderSearch.Step<S> step) {
    @Override
    public String toString() {
      return "%d-%s %s: %s"
          .formatted(
              step.invoked(),
              step.returned() == Linearizability.NEVER ? "" : step.returned(),
              what,
              outcome);
    }
  }

  /**
   * @param name the collection's name
   * @param initial the state before the first change
   * @param clock the run's clock
   */
  public CollectionHistory(String name, S initial, HistoryClock clock) {
    this.name = name;
    this.initial = initial;
    this.clock = clock;
  }

  /** Makes a call that changes nothing. */
  public void read(
      String what, Supplier<@Nullable Object> call, Function<S, @Nullable Object> model) {
    long invoked = clock.now();
    try {
      @Nullable Object returned = call.get();
      note(what, invoked, clock.now(), Optional.of(given(returned)), on(model));
      clock.count(name + " " + what);
    } catch (CorfuException | TransactionAbortedException | HistoryTrimmedException failure) {
      clock.count(name + " " + what + ", failed");
    }
  }

  private Function<S, Done<S>> on(Function<S, @Nullable Object> model) {
    return state -> new Done<>(model.apply(state), state);
  }

  /**
   * Makes a call that may change the collection. The change may happen although the call throws.
   */
  public void change(String what, Supplier<@Nullable Object> call, Function<S, Done<S>> model) {
    long invoked = clock.now();
    note(what, invoked, Linearizability.NEVER, Optional.empty(), model);
    try {
      @Nullable Object returned = call.get();
      note(what, invoked, clock.now(), Optional.of(given(returned)), model);
      clock.count(name + " " + what);
    } catch (ResultUnknownException made) {
      note(what, invoked, clock.now(), Optional.empty(), model);
      clock.count(name + " " + what + ", result unknown");
    } catch (AppendOutcomeUnknownException | TransactionUndecidedException unknown) {
      clock.count(name + " " + what + ", outcome unknown");
    } catch (CorfuException | TransactionAbortedException | HistoryTrimmedException failure) {
      calls.remove(invoked); // it has not happened, and never will
      clock.count(name + " " + what + ", failed");
    }
  }

  private static Object given(@Nullable Object returned) {
    return returned == null ? "null" : returned;
  }

  private void note(
      String what,
      long invoked,
      long returned,
      Optional<Object> outcome,
      Function<S, Done<S>> model) {
    OrderSearch.Effect<S> effect =
        state -> {
          Done<S> done = model.apply(state);
          boolean fits = outcome.isEmpty() || outcome.get().equals(given(done.returned));
          return fits ? Optional.of(done.left) : Optional.empty();
        };
    String text = outcome.map(Objects::toString).orElse("?");
    calls.put(invoked, new Call<>(what, text, new OrderSearch.Step<>(effect, invoked, returned)));
  }

  /** Reports a violation if no order of the calls has the same results in the model. */
  public void check(ApplicationContext stage) {
    check(stage::broken);
  }

  public void check(Violations findings) {
    check((promise, how) -> findings.broken(promise, "%s", how));
  }

  private void check(BiConsumer<String, String> broken) {
    List<OrderSearch.Step<S>> steps = new ArrayList<>();
    calls.values().forEach(call -> steps.add(call.step));
    OrderSearch.Answer answer = OrderSearch.of(initial, steps);
    clock.count(name + " histories");
    if (answer == OrderSearch.Answer.UNKNOWN) {
      clock.count(name + " histories, too many orders to look at");
    } else if (answer == OrderSearch.Answer.NO) {
      broken.accept(
          "Collections",
          "the history of the %s is not linearizable: %s"
              .formatted(
                  name, calls.values().stream().limit(SHOWN).map(call -> "\n  " + call).toList()));
    }
  }
}
