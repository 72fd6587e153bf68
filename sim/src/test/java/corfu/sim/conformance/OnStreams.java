package corfu.sim.conformance;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;

/** The clients and streams of a conformance test. */
interface OnStreams {

  Corfu corfu();

  /** Returns the streams of that client. */
  Streams streams();

  /** Returns a stream. */
  LogStream a();

  /** Returns another stream. */
  LogStream b();

  /** Returns another client. */
  Corfu connect();

  /**
   * Returns another client, which fills no address of a slow writer on a busy machine. So every
   * entry has the stream address that it would have without readers.
   */
  Corfu connectPatiently();

  /** Gets tokens, and abandons them as a writer does that dies. */
  void abandonTokens(int count, StreamId... of);

  void beginNextEpoch();

  static ByteBuffer bytes(String text) {
    return ByteBuffer.wrap(text.getBytes(UTF_8));
  }

  static StreamAddress at(long streamAddress) {
    return new StreamAddress(streamAddress);
  }

  static List<String> played(LogStream stream) {
    StreamReader reader = stream.reader();
    reader.sync();
    return texts(reader);
  }

  static List<String> texts(StreamReader reader) {
    return reader.readRest().stream()
        .map(entry -> entry.streamAddress() + " " + entry.text())
        .toList();
  }
}
