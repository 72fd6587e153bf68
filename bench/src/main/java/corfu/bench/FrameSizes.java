package corfu.bench;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.wire.FrameCodec;
import corfu.protocol.wire.HeapWriter;
import java.nio.ByteBuffer;
import java.util.Collections;
import java.util.List;

/** How large our messages are, so that the echo's can be as large. */
final class FrameSizes {

  private static final Epoch EPOCH = new Epoch(1);

  private FrameSizes() {}

  /** The write of one entry to one replica. */
  static Echo.Frames append(int payloadBytes) {
    return new Echo.Frames(
        bytes(new LogUnitRequest.Write(EPOCH, List.of(entry(payloadBytes)))),
        bytes(new LogUnitReply.Writes(List.of(LogUnitReply.WriteOutcome.Written.WRITTEN))),
        1);
  }

  /** A read of {@code count} entries at a time. */
  static Echo.Frames read(int payloadBytes, int count) {
    var found = new LogUnitReply.ReadOutcome.Found(entry(payloadBytes));
    return new Echo.Frames(
        bytes(new LogUnitRequest.Read(EPOCH, new AddressSet.Strided(0, 1, count), 1 << 20)),
        bytes(new LogUnitReply.Reads(Collections.nCopies(count, found))),
        count);
  }

  /** A request for tokens, each of which counts. */
  static Echo.Frames tokens(int count) {
    return new Echo.Frames(
        bytes(new SequencerRequest.Next(EPOCH, count)),
        bytes(new SequencerReply.Tokens(0, count)),
        count);
  }

  /** What an entry measures where it is stored. */
  static int stored(int payloadBytes) {
    return Entry.HEADER_BYTES + payloadBytes;
  }

  private static Entry entry(int payloadBytes) {
    return Entry.data(0, new AppendId(0, 0), ByteBuffer.allocate(payloadBytes));
  }

  private static int bytes(Message message) {
    var writer = new HeapWriter();
    FrameCodec.encode(message, 1, writer);
    return writer.finish().remaining();
  }
}
