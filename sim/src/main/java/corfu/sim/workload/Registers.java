package corfu.sim.workload;

import corfu.protocol.Address;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.sim.history.Payloads;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.linearizability.Linearizability;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Registers on the log, the smallest replicated objects. A write appends. A read plays the log up
 * to the tail, and finds the newest entry of its register. This is the view of one client thread.
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

  /**
   * Returns the payload of a write to a register.
   *
   * @param payload a unique name
   */
  public static String written(String payload, int register) {
    return payload + MARK + register;
  }

  /** Returns the register that a payload writes, or empty if it writes none. */
  public static Optional<Integer> registerOf(String payload) {
    int at = payload.indexOf(MARK);
    return at < 0
        ? Optional.empty()
        : Optional.of(Integer.parseInt(payload.substring(at + MARK.length())));
  }

  /**
   * Plays to the tail, and reads the register. Values that were trimmed before they were played are
   * unknown.
   */
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
      return new Outcome.Trimmed(); // the last value may be among the trimmed entries
    }
    return new Outcome.Value(value == null ? Linearizability.NOTHING : value);
  }

  /**
   * Plays an entry. Returns whether more entries may follow: a token below the tail may have been
   * lost unused, with its epoch.
   */
  private boolean play(LogEntry entry) {
    switch (entry) {
      case LogEntry.Data data -> {
        String payload = Payloads.nameOf(data.text());
        registerOf(payload).ifPresent(register -> values.put(register, payload));
      }
      case LogEntry.Trimmed trimmed -> {
        values.clear(); // the trimmed entry may have written any of them
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
