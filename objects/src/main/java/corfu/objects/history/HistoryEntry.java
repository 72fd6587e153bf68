package corfu.objects.history;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import java.time.Instant;
import java.util.List;

/** What a place in an object's stream tells. */
public sealed interface HistoryEntry {

  /**
   * A change, or those of a transaction that were of this object.
   *
   * @param address its place in the log: the object is so from the next address on
   * @param when as the clock of whoever made it said
   * @param client who made it: a number that each client draws at random
   * @param calls what was called, in this order
   * @param otherObjects how many other objects were changed with it
   */
  record Changed(Address address, Instant when, long client, List<Call> calls, int otherObjects)
      implements HistoryEntry {

    public Changed {
      calls = List.copyOf(calls);
    }
  }

  /** What was before this place in the object's stream has been forgotten. */
  record Forgotten(StreamAddress before) implements HistoryEntry {}

  /** An entry that no object has written, or a newer version of one. */
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
