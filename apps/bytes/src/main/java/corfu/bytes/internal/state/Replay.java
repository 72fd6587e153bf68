package corfu.bytes.internal.state;

import corfu.bytes.VersionForgottenException;
import corfu.bytes.internal.record.RecordCodec;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import java.util.Map;
import java.util.TreeMap;

/** Plays the stream of an array from its beginning up to a version. For one thread. */
public final class Replay {

  private final BytesState.Versions others;
  private final TreeMap<Long, BytesState> passed; // the states on the way, by their versions

  /**
   * @param beginning the array's first state
   * @param others the states of other arrays
   */
  public Replay(BytesState beginning, BytesState.Versions others) {
    this.others = others;
    this.passed = new TreeMap<>(Map.of(beginning.before(), beginning));
  }

  /**
   * Returns the state that includes all entries below a log address.
   *
   * @param reader a synced reader that is at the beginning
   */
  public BytesState upTo(long before, StreamReader reader) {
    while (true) {
      BytesState state = passed.lastEntry().getValue();
      switch (reader.readNext()) {
        case StreamRead.Entry entry when entry.address().value() < before -> {
          BytesState next = after(state, entry);
          passed.put(next.before(), next);
        }
        case StreamRead.Trimmed(StreamAddress end) ->
            throw new VersionForgottenException(
                reader.stream(), new Address(before), "the stream before place " + end);
        case StreamRead.Entry later -> {
          return state;
        }
        case StreamRead.Absent end -> {
          return state;
        }
      }
    }
  }

  private BytesState after(BytesState state, StreamRead.Entry entry) {
    Address address = entry.address();
    RecordCodec.Decoded record = RecordCodec.decode(address, entry.payload());
    return state.after(address.value(), record, this::version);
  }

  /** An array's own past is on the way. To play it again for each clone would take for ever. */
  private BytesState version(StreamId source, long before) {
    BytesState last = passed.lastEntry().getValue();
    return source.equals(last.stream())
        ? passed.floorEntry(before).getValue()
        : others.at(source, before);
  }
}
