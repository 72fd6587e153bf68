package corfu.sim;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Whether a register's history is linearizable: whether there is an order of its writes and reads
 * that agrees with real time, and in which every read returns what was written last (Wing and
 * Gong's search, which remembers where it has been: Lowe). Knows nothing of logs.
 */
final class Linearizability {

  /** What a register holds that nobody has written. */
  static final String NOTHING = "";

  /** More than any history here needs; beyond it the answer is not known. */
  private static final int STATES_MAX = 500_000;

  private final List<Event> events;
  private final Set<State> seen = new HashSet<>();

  /**
   * One operation on the register.
   *
   * @param saw what it found there; empty: it did not look, or was not told
   * @param wrote what it left there; empty: what was there
   * @param returned {@link Operation#NEVER} for a write of which nobody knows whether it happened:
   *     it may have, at any time after its invocation, or never
   */
  record Event(Optional<String> saw, Optional<String> wrote, long invoked, long returned) {

    static Event read(String value, long invoked, long returned) {
      return new Event(Optional.of(value), Optional.empty(), invoked, returned);
    }

    static Event write(String value, long invoked, long returned) {
      return new Event(Optional.empty(), Optional.of(value), invoked, returned);
    }

    static Event swap(String before, String after, long invoked, long returned) {
      return new Event(Optional.of(before), Optional.of(after), invoked, returned);
    }

    private boolean mayNotHaveHappened() {
      return returned == Operation.NEVER;
    }
  }

  /** Which operations have been put in order, and what the register holds then. */
  private record State(BitSet done, String value) {}

  enum Answer {
    YES,
    NO,
    UNKNOWN
  }

  private Linearizability(List<Event> events) {
    this.events = events;
  }

  static Answer of(List<Event> history) {
    List<Event> byInvocation = new ArrayList<>(history);
    byInvocation.sort((a, b) -> Long.compare(a.invoked(), b.invoked()));
    return new Linearizability(byInvocation).search();
  }

  private Answer search() {
    List<State> open = new ArrayList<>();
    add(open, new State(new BitSet(), NOTHING));
    while (!open.isEmpty()) {
      State state = open.removeLast();
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

  private void add(List<State> open, State state) {
    if (seen.add(state)) {
      open.add(state);
    }
  }

  /** What may not have happened need not be put anywhere. */
  private boolean isComplete(State state) {
    for (int i = state.done().nextClearBit(0); i < events.size(); ) {
      if (!events.get(i).mayNotHaveHappened()) {
        return false;
      }
      i = state.done().nextClearBit(i + 1);
    }
    return true;
  }

  /** Next comes something that was invoked before anything else that is left had returned. */
  private void expand(State state, List<State> open) {
    long firstReturn = Operation.NEVER;
    for (int i = state.done().nextClearBit(0); i < events.size(); ) {
      Event event = events.get(i);
      if (event.invoked() > firstReturn) {
        break;
      }
      firstReturn = Math.min(firstReturn, event.returned());
      i = state.done().nextClearBit(i + 1);
    }
    for (int i = state.done().nextClearBit(0); i < events.size(); ) {
      Event event = events.get(i);
      if (event.invoked() > firstReturn) {
        break;
      }
      if (event.saw().isEmpty() || event.saw().get().equals(state.value())) {
        BitSet done = (BitSet) state.done().clone();
        done.set(i);
        add(open, new State(done, event.wrote().orElse(state.value())));
      }
      i = state.done().nextClearBit(i + 1);
    }
  }
}
