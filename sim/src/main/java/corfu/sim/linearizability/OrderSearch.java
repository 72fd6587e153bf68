package corfu.sim.linearizability;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether there is an order of calls that agrees with real time, and in which each of them does
 * what it was seen to do (Wing and Gong's search, which remembers where it has been: Lowe). Knows
 * nothing of logs.
 *
 * @param <S> what the calls are on: values with an {@code equals}, which are never changed
 */
public final class OrderSearch<S> {

  /** More than any history here needs; beyond it the answer is not known. */
  private static final int STATES_MAX = 500_000;

  private final List<Step<S>> steps;
  private final Set<State<S>> seen = new HashSet<>();

  /** What a call does. */
  @FunctionalInterface
  public interface Effect<S> {
    /** What it leaves; empty: in this state it would have returned something else. */
    Optional<S> on(S state);
  }

  /**
   * A call.
   *
   * @param returned {@link Linearizability#NEVER} if nobody knows whether it happened: it may have,
   *     at any time after its invocation, or never
   */
  public record Step<S>(Effect<S> effect, long invoked, long returned) {
    private boolean mayNotHaveHappened() {
      return returned == Linearizability.NEVER;
    }
  }

  /** Which calls have been put in order, and what there is then. */
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

  /** What may not have happened need not be put anywhere. */
  private boolean isComplete(State<S> state) {
    for (int i = state.done().nextClearBit(0); i < steps.size(); ) {
      if (!steps.get(i).mayNotHaveHappened()) {
        return false;
      }
      i = state.done().nextClearBit(i + 1);
    }
    return true;
  }

  /** Next comes something that was invoked before anything else that is left had returned. */
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
