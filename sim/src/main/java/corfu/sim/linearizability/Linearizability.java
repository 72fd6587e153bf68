package corfu.sim.linearizability;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Decides whether a register's history is linearizable. It is if some order of its writes and reads
 * agrees with real time, and every read in it returns the last written value.
 */
public final class Linearizability {

  /** The value of a register that was never written. */
  public static final String NOTHING = "";

  /** The return moment of a call that has not returned. */
  public static final long NEVER = Long.MAX_VALUE;

  /**
   * One operation on the register.
   *
   * @param saw the value that it read, or empty if it did not read or got no result
   * @param wrote the value that it wrote, or empty if it did not write
   * @param returned {@link Linearizability#NEVER} for a write with an unknown outcome: it may have
   *     happened at any time after its invocation, or never
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
