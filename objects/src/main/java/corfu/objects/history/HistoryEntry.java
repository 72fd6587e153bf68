package corfu.objects.history;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.time.Instant;
import java.util.List;

/** An entry of an object's history, from one place in the object's stream. */
public sealed interface HistoryEntry {

  /**
   * A change of this object, or the changes of this object by one transaction.
   *
   * @param address the address of the log entry; the object has the change from the next address on
   * @param when the time of the change, by the clock of the client that made it
   * @param client the client that made it: a number that each client draws at random
   * @param calls the calls of operations, in this order
   * @param otherObjects the number of other objects that the same entry changed
   */
  record Changed(Address address, Instant when, long client, List<Call> calls, int otherObjects)
      implements HistoryEntry {

    public Changed {
      calls = List.copyOf(calls);
    }
  }

  /** The history before this place in the object's stream has been forgotten. */
  record Forgotten(StreamAddress before) implements HistoryEntry {}

  /** An entry that no object wrote, or that a newer version of an object wrote. */
  record Unreadable(Address address, String problem) implements HistoryEntry {}

  /**
   * A call of an operation.
   *
   * @param operation its name, as {@code put(Object,Object)}
   * @param arguments each as text
   */
  record Call(String operation, List<String> arguments) {

    public Call {
      arguments = List.copyOf(arguments);
    }

    /** As a program has it: {@code put("alice", 5)}. */
    @Override
    public String toString() {
      int parameters = operation.indexOf('(');
      String name = parameters < 0 ? operation : operation.substring(0, parameters);
      return name + "(" + String.join(", ", arguments) + ")";
    }
  }
}
