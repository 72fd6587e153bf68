package corfu.sim.history;

import corfu.protocol.PayloadRange;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.TokenWish;
import corfu.runtime.StreamAppend;
import corfu.sim.linearizability.Linearizability;
import java.util.List;
import java.util.Map;

/** A client's call on the log or on streams, and its outcome. */
public final class RecordedCall {

  public final String client;
  public final Call call;
  public final long invoked;
  final long invokedNanos;
  public long returned = Linearizability.NEVER;
  public Outcome outcome = new Outcome.Pending();

  public RecordedCall(String client, Call call, long invoked, long invokedNanos) {
    this.client = client;
    this.call = call;
    this.invoked = invoked;
    this.invokedNanos = invokedNanos;
  }

  /** The call and its arguments. */
  public sealed interface Call {
    /** An append to any streams, under any condition. */
    record Append(String payload, TokenWish wish) implements Call {
      public Append(String payload) {
        this(payload, TokenWish.PLAIN);
      }
    }

    /** A read of any number of addresses, by any method. */
    record Read(List<Long> addresses) implements Call {}

    /** Reads of parts of entries, by any method. */
    record ReadParts(List<PayloadRange> ranges) implements Call {}

    record Tail() implements Call {}

    record Fill(long address) implements Call {}

    /** Plays the log to its tail for a register's value. */
    record ReadRegister(int register) implements Call {}

    /** A trim from an address up to, not including, another. */
    record Trim(long from, long to) implements Call {}

    /**
     * A reader asks for the end of its stream, and continues from its position.
     *
     * @param reader the reader's unique name
     * @param from the stream address at which it once began
     */
    record Play(String reader, StreamId stream, long from) implements Call {}

    /** A read of a range of stream addresses, or of one of them. */
    record ReadStream(StreamId stream, long from, long to) implements Call {}

    /**
     * A subscription; each delivery is another operation.
     *
     * @param subscriber the subscriber's unique name
     * @param from the stream address at which it began
     */
    record Follow(String subscriber, StreamId stream, long from) implements Call {}

    record AskStreamTail(StreamId stream) implements Call {}

    record TrimStream(StreamId stream, long before) implements Call {}

    record ListStreams() implements Call {}
  }

  /** The result that the client got. */
  public sealed interface Outcome {
    /** No result yet; or never, if the client died. */
    record Pending() implements Outcome {}

    record Appended(long address, List<StreamAppend.Place> places) implements Outcome {
      public Appended(long address) {
        this(address, List.of());
      }
    }

    /** The append did not happen: its condition no longer held. */
    record Conflict(StreamAppend.Conflict reason) implements Outcome {}

    /** The append has happened or will happen at this address, or never happens. */
    record Unknown(long address) implements Outcome {}

    /** An append that did not happen, or another call without a result. */
    record Failed(String reason) implements Outcome {}

    record Saw(List<Content> contents) implements Outcome {}

    /** The parts that were read, in the order of their ranges. */
    record SawParts(List<Part> parts) implements Outcome {}

    record TailAt(long address) implements Outcome {}

    record Trimmed() implements Outcome {}

    /** A register's value. */
    record Value(String value) implements Outcome {}

    /**
     * The entries that a reader got, in order.
     *
     * @param end the stream's end as the reader found it
     */
    record Played(long end, List<Given> given, Stop stop) implements Outcome {}

    /** The entries that were read from a stream, or delivered to a subscriber, in order. */
    record Gave(List<Given> given) implements Outcome {}

    record StreamTailAt(long streamAddress) implements Outcome {}

    record Streams(Map<StreamId, StreamAddress> tails) implements Outcome {}
  }

  /** The reason why a reader stopped. */
  public enum Stop {
    /** It had read everything up to the end. */
    AT_END,
    /** It wanted no more entries. */
    SATED,
    /** The next entry could not be read; it may be readable later. */
    BROKEN
  }

  /** A stream's contents as its readers get them. */
  public sealed interface Given {

    record Entry(long at, long address, String payload) implements Given {}

    /** Entries before this stream address were trimmed. */
    record Lost(long before) implements Given {}
  }

  /** The contents of an address. */
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

  /**
   * A part of an address's contents.
   *
   * @param content the contents, with the part instead of the payload's name
   * @param payloadBytes the length of the whole payload; 0 if there is none
   * @param offset the offset of the part
   */
  public record Part(Content content, int payloadBytes, int offset) {
    @Override
    public String toString() {
      return content.kind() == Content.Kind.DATA
          ? "%d=%d bytes from %d of %d"
              .formatted(content.address(), content.payload().length(), offset, payloadBytes)
          : content.toString();
    }
  }

  public boolean isPending() {
    return returned == Linearizability.NEVER;
  }

  /** Returns the name of one life of a client: its name without the thread's. */
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
