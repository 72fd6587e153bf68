package corfu.sim.check;

import corfu.sim.history.RecordedCall;
import corfu.sim.history.RecordedCall.Call;
import corfu.sim.history.RecordedCall.Outcome;
import corfu.sim.linearizability.Linearizability;
import corfu.sim.linearizability.Linearizability.Event;
import corfu.sim.linearizability.OrderSearch;
import corfu.sim.workload.Registers;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Checks the history of each register on the log separately (I7). */
public final class RegisterChecker {

  private static final int SHOWN = 40;

  private final Violations findings;
  private final List<RecordedCall> operations;

  public RegisterChecker(Violations findings, List<RecordedCall> operations) {
    this.findings = findings;
    this.operations = operations;
  }

  public void check() {
    for (int register = 0; register < Registers.COUNT; register++) {
      List<Event> history = historyOf(register);
      if (Linearizability.of(history) == OrderSearch.Answer.NO) {
        findings.broken(
            "I7, registers",
            "register %s is not linearizable: %s",
            register,
            history.subList(0, Math.min(history.size(), SHOWN)));
      }
    }
  }

  private List<Event> historyOf(int register) {
    List<Event> history = new ArrayList<>();
    for (RecordedCall operation : operations) {
      if (operation.call instanceof Call.Append append
          && Registers.registerOf(append.payload()).equals(Optional.of(register))
          && !(operation.outcome instanceof Outcome.Failed)) {
        boolean isKnown = operation.outcome instanceof Outcome.Appended;
        long returned = isKnown ? operation.returned : Linearizability.NEVER;
        history.add(Event.write(append.payload(), operation.invoked, returned));
      }
      if (operation.call instanceof Call.ReadRegister(int read)
          && read == register
          && operation.outcome instanceof Outcome.Value(String value)) {
        history.add(Event.read(value, operation.invoked, operation.returned));
      }
    }
    return history;
  }
}
