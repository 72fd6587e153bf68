package corfu.sim.workload;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.sim.history.Operation.Call;
import corfu.sim.history.Operation.Outcome;
import corfu.sim.history.Payloads;
import corfu.sim.linearizability.Linearizability;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Registers over the log, the smallest of replicated objects: a write appends, a read plays
 * everything up to the tail, and finds the newest entry of its register. One client thread's view
 * of them.
 */
public final class Registers {

  public static final int COUNT = 3;

  private static final String MARK = "@r";
  private static final int PIECE = 50;

  private final Log log;
  private final Map<Integer, String> values = new HashMap<>();
  private long played;

  private boolean isAnythingMissing;

  public Registers(Log log) {
    this.log = log;
  }

  /** What is appended to write a register; {@code payload} is unique. */
  public static String written(String payload, int register) {
    return payload + MARK + register;
  }

  /** Which register a payload writes. */
  public static Optional<Integer> registerOf(String payload) {
    int at = payload.indexOf(MARK);
    return at < 0
        ? Optional.empty()
        : Optional.of(Integer.parseInt(payload.substring(at + MARK.length())));
  }

  /** Plays to the tail; what was trimmed before it was played is not known any more. */
  public Outcome read(Call.ReadRegister call) {
    long tail = log.tail().value();
    boolean isMore = true;
    while (isMore && played < tail) {
      long to = Math.min(tail, played + PIECE);
      for (LogEntry entry : log.read(new Address(played), new Address(to))) {
        isMore = isMore && play(entry);
      }
    }
    String value = values.get(call.register());
    if (value == null && isAnythingMissing) {
      return new Outcome.Trimmed(); // perhaps with its last value
    }
    return new Outcome.Value(value == null ? Linearizability.NOTHING : value);
  }

  /** Whether there may be more: a token below the tail may have died with its epoch, unused. */
  private boolean play(LogEntry entry) {
    switch (entry) {
      case LogEntry.Data data -> {
        String payload = Payloads.nameOf(data.text());
        registerOf(payload).ifPresent(register -> values.put(register, payload));
      }
      case LogEntry.Trimmed trimmed -> {
        values.clear(); // any of them may have been written there
        isAnythingMissing = true;
      }
      case LogEntry.Hole hole -> {}
      case LogEntry.Unwritten unwritten -> {
        return false;
      }
    }
    played = entry.address().value() + 1;
    return true;
  }
}
