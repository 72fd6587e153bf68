package corfu.sim.linearizability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a register's history is linearizable: whether there is an order of its writes and reads
 * that agrees with real time, and in which every read returns what was written last.
 */
public final class Linearizability {

  /** What a register holds that nobody has written. */
  public static final String NOTHING = "";

  /** When a call returned that has not returned. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * One operation on the register.
   *
   * @param saw what it found there; empty: it did not look, or was not told
   * @param wrote what it left there; empty: what was there
   * @param returned {@link Linearizability#NEVER} for a write of which nobody knows whether it
   *     happened: it may have, at any time after its invocation, or never
   */
  public record Event(Optional<String> saw, Optional<String> wrote, long invoked, long returned) {

    public static Event read(String value, long invoked, long returned) {
      return new Event(Optional.of(value), Optional.empty(), invoked, returned);
    }

    public static Event write(String value, long invoked, long returned) {
      return new Event(Optional.empty(), Optional.of(value), invoked, returned);
    }

    static Event swap(String before, String after, long invoked, long returned) {
      return new Event(Optional.of(before), Optional.of(after), invoked, returned);
    }

    private Optional<String> on(String value) {
      return saw.isEmpty() || saw.get().equals(value)
          ? Optional.of(wrote.orElse(value))
          : Optional.empty();
    }
  }

  private Linearizability() {}

  public static OrderSearch.Answer of(List<Event> history) {
    List<OrderSearch.Step<String>> steps = new ArrayList<>();
    history.forEach(
        event -> steps.add(new OrderSearch.Step<>(event::on, event.invoked, event.returned)));
    return OrderSearch.of(NOTHING, steps);
  }
}
