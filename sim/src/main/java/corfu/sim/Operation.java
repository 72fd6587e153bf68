package corfu.sim;

import java.util.List;

/** One call of a client on the log, and what came of it. */
final class Operation {

  /** Of a call that has not returned. */
  static final long NEVER = Long.MAX_VALUE;

  final String client;
  final Call call;
  final long invoked;
  final long invokedNanos;
  long returned = NEVER;
  Outcome outcome = new Outcome.Pending();

  Operation(String client, Call call, long invoked, long invokedNanos) {
    this.client = client;
    this.call = call;
    this.invoked = invoked;
    this.invokedNanos = invokedNanos;
  }

  /** What was asked for. */
  sealed interface Call {
    record Append(String payload) implements Call {}

    /** Any number of addresses, in whatever way. */
    record Read(List<Long> addresses) implements Call {}

    record Tail() implements Call {}

    record Fill(long address) implements Call {}

    /** Plays the log to its tail for a register's value. */
    record ReadRegister(int register) implements Call {}

    /** From an address up to, not including, another. */
    record Trim(long from, long to) implements Call {}
  }

  /** What the client was told. */
  sealed interface Outcome {
    /** Nothing yet; or for ever, if the client died. */
    record Pending() implements Outcome {}

    record Appended(long address) implements Outcome {}

    /** It happened at this address, or will, or not at all. */
    record Unknown(long address) implements Outcome {}

    /** It did not happen, if it was an append; otherwise there is no answer. */
    record Failed(String reason) implements Outcome {}

    record Saw(List<Content> contents) implements Outcome {}

    record TailAt(long address) implements Outcome {}

    record Trimmed() implements Outcome {}

    /** What a register holds. */
    record Value(String value) implements Outcome {}
  }

  /** What an address holds. */
  record Content(long address, Kind kind, String payload) {

    enum Kind {
      DATA,
      HOLE,
      TRIMMED,
      UNWRITTEN
    }

    boolean isDecided() {
      return kind == Kind.DATA || kind == Kind.HOLE;
    }

    @Override
    public String toString() {
      return address + "=" + (kind == Kind.DATA ? payload : kind.name());
    }
  }

  boolean isPending() {
    return returned == NEVER;
  }

  @Override
  public String toString() {
    return client
        + " "
        + call
        + " -> "
        + outcome
        + " ("
        + invoked
        + ".."
        + (isPending() ? "" : returned)
        + ")";
  }
}
