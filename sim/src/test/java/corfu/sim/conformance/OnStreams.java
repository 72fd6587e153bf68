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

/** What a test of streams has in its hands. */
interface OnStreams {

  Corfu corfu();

  /** Those of that client. */
  Streams streams();

  /** One of them. */
  LogStream a();

  /** Another one. */
  LogStream b();

  /** Another client. */
  Corfu connect();

  /**
   * Another one, which fills no address of a writer whom a busy machine keeps waiting: so that
   * every entry has the place that it would have if nobody read.
   */
  Corfu connectPatiently();

  /** Gets tokens as a writer does who then dies. */
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
