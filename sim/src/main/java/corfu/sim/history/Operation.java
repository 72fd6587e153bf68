package corfu.sim.history;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.StreamAppend;
import corfu.sim.linearizability.Linearizability;
import java.util.List;
import java.util.Map;

/** One call of a client on the log or on streams, and what came of it. */
public final class Operation {

  public final String client;
  public final Call call;
  public final long invoked;
  final long invokedNanos;
  public long returned = Linearizability.NEVER;
  public Outcome outcome = new Outcome.Pending();

  public Operation(String client, Call call, long invoked, long invokedNanos) {
    this.client = client;
    this.call = call;
    this.invoked = invoked;
    this.invokedNanos = invokedNanos;
  }

  /** What was asked for. */
  public sealed interface Call {
    /** In whatever streams, and under whatever condition. */
    record Append(String payload, TokenWish wish) implements Call {
      public Append(String payload) {
        this(payload, TokenWish.PLAIN);
      }
    }

    /** Any number of addresses, in whatever way. */
    record Read(List<Long> addresses) implements Call {}

    record Tail() implements Call {}

    record Fill(long address) implements Call {}

    /** Plays the log to its tail for a register's value. */
    record ReadRegister(int register) implements Call {}

    /** From an address up to, not including, another. */
    record Trim(long from, long to) implements Call {}

    /**
     * A reader finds out where its stream ends, and goes on from where it was.
     *
     * @param reader its name, which no other reader has
     * @param from where it once began
     */
    record Play(String reader, StreamId stream, long from) implements Call {}

    /** A range of a stream's addresses, or one of them. */
    record ReadStream(StreamId stream, long from, long to) implements Call {}

    /**
     * Follows a stream; each time that it is given something is another operation.
     *
     * @param subscriber its name, which no other one has
     * @param from where it began
     */
    record Follow(String subscriber, StreamId stream, long from) implements Call {}

    record AskStreamTail(StreamId stream) implements Call {}

    record TrimStream(StreamId stream, long before) implements Call {}

    record ListStreams() implements Call {}
  }

  /** What the client was told. */
  public sealed interface Outcome {
    /** Nothing yet; or for ever, if the client died. */
    record Pending() implements Outcome {}

    record Appended(long address, List<StreamAppend.Place> places) implements Outcome {
      public Appended(long address) {
        this(address, List.of());
      }
    }

    /** It did not happen: its condition did not hold any more. */
    record Conflict(StreamAppend.Conflict reason) implements Outcome {}

    /** It happened at this address, or will, or not at all. */
    record Unknown(long address) implements Outcome {}

    /** It did not happen, if it was an append; otherwise there is no answer. */
    record Failed(String reason) implements Outcome {}

    record Saw(List<Content> contents) implements Outcome {}

    record TailAt(long address) implements Outcome {}

    record Trimmed() implements Outcome {}

    /** What a register holds. */
    record Value(String value) implements Outcome {}

    /**
     * What a reader was given, in its order.
     *
     * @param end the stream's, as it was found
     */
    record Played(long end, List<Given> given, Stop stop) implements Outcome {}

    /** What was read of a stream, or given to who follows it, in its order. */
    record Gave(List<Given> given) implements Outcome {}

    record StreamTailAt(long streamAddress) implements Outcome {}

    record Streams(Map<StreamId, StreamAddress> tails) implements Outcome {}
  }

  /** Why a reader stopped. */
  public enum Stop {
    /** It had read everything up to the end. */
    AT_END,
    /** It had enough. */
    SATED,
    /** The next entry could not be read; it may be some time later. */
    BROKEN
  }

  /** What a stream gives to those who read it. */
  public sealed interface Given {

    record Entry(long at, long address, String payload) implements Given {}

    /** Entries before this place have been trimmed. */
    record Lost(long before) implements Given {}
  }

  /** What an address holds. */
  public record Content(long address, Kind kind, String payload) {

    public enum Kind {
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

  public boolean isPending() {
    return returned == Linearizability.NEVER;
  }

  /** One life of a client: its name without that of the thread. */
  public String process() {
    int thread = client.lastIndexOf('.');
    return thread < 0 ? client : client.substring(0, thread);
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
