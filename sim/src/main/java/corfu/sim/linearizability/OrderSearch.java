package corfu.sim.linearizability;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Decides whether some order of calls agrees with real time, and gives each call its observed
 * result. It uses the search of Wing and Gong with the memory of visited states by Lowe. It is
 * independent of logs.
 *
 * @param <S> the state that the calls act on: values with an {@code equals}, which are never
 *     changed
 */
public final class OrderSearch<S> {

  /** More states than any history here needs; beyond this number the answer is unknown. */
  private static final int STATES_MAX = 500_000;

  private final List<Step<S>> steps;
  private final Set<State<S>> seen = new HashSet<>();

  /** The effect of a call. */
  @FunctionalInterface
  public interface Effect<S> {
    /**
     * Returns the next state, or empty if the call would have returned another result in this
     * state.
     */
    Optional<S> on(S state);
  }

  /**
   * A call.
   *
   * @param returned {@link Linearizability#NEVER} if its outcome is unknown: it may have happened
   *     at any time after its invocation, or never
   */
  public record Step<S>(Effect<S> effect, long invoked, long returned) {
    private boolean mayNotHaveHappened() {
      return returned == Linearizability.NEVER;
    }
  }

  /** The calls that are already in the order, and the resulting state. */
  private record State<S>(BitSet done, S value) {}

  public enum Answer {
    YES,
    NO,
    UNKNOWN
  }

  private OrderSearch(List<Step<S>> steps) {
    this.steps = steps;
  }

  public static <S> Answer of(S initial, List<Step<S>> history) {
    List<Step<S>> byInvocation = new ArrayList<>(history);
    byInvocation.sort(Comparator.comparingLong(Step::invoked));
    return new OrderSearch<>(byInvocation).search(initial);
  }

  private Answer search(S initial) {
    List<State<S>> open = new ArrayList<>();
    add(open, new State<>(new BitSet(), initial));
    while (!open.isEmpty()) {
      State<S> state = open.removeLast();
      if (isComplete(state)) {
        return Answer.YES;
      }
      if (seen.size() > STATES_MAX) {
        return Answer.UNKNOWN;
      }
      expand(state, open);
    }
    return Answer.NO;
  }

  private void add(List<State<S>> open, State<S> state) {
    if (seen.add(state)) {
      open.add(state);
    }
  }

  /** Returns whether only calls with an unknown outcome are left; they need no position. */
  private boolean isComplete(State<S> state) {
    for (int i = state.done().nextClearBit(0); i < steps.size(); ) {
      if (!steps.get(i).mayNotHaveHappened()) {
        return false;
      }
      i = state.done().nextClearBit(i + 1);
    }
    return true;
  }

  /**
   * Adds each call that can be next: it was invoked before any other remaining call had returned.
   */
  private void expand(State<S> state, List<State<S>> open) {
    long firstReturn = Linearizability.NEVER;
    for (int i = state.done().nextClearBit(0); i < steps.size(); ) {
      Step<S> step = steps.get(i);
      if (step.invoked() > firstReturn) {
        break;
      }
      firstReturn = Math.min(firstReturn, step.returned());
      i = state.done().nextClearBit(i + 1);
    }
    for (int i = state.done().nextClearBit(0); i < steps.size(); ) {
      Step<S> step = steps.get(i);
      if (step.invoked() > firstReturn) {
        break;
      }
      Optional<S> left = step.effect().on(state.value());
      if (left.isPresent()) {
        BitSet done = (BitSet) state.done().clone();
        done.set(i);
        add(open, new State<>(done, left.get()));
      }
      i = state.done().nextClearBit(i + 1);
    }
  }
}
