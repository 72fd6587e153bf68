package corfu.bench.baseline;

import corfu.protocol.AddressSet;
import corfu.protocol.AppendId;
import corfu.protocol.Backpointers;
import corfu.protocol.Entry;
import corfu.protocol.Epoch;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
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
import java.util.stream.IntStream;

/** The sizes of our messages, for an echo of the same sizes. */
public final class FrameSizes {

  private static final Epoch EPOCH = new Epoch(1);

  private FrameSizes() {}

  /** Returns the frames of a write of one entry to one replica. */
  public static Echo.Frames append(int payloadBytes) {
    return append(payloadBytes, 0);
  }

  /** Returns the frames of a write of one entry, of this many streams, to one replica. */
  public static Echo.Frames append(int payloadBytes, int streams) {
    return new Echo.Frames(
        bytes(new LogUnitRequest.Write(EPOCH, List.of(entry(payloadBytes, streams)))),
        bytes(new LogUnitReply.Writes(List.of(LogUnitReply.WriteOutcome.Written.WRITTEN))),
        1);
  }

  /** Returns the frames of a read of {@code count} entries at a time. */
  public static Echo.Frames read(int payloadBytes, int count) {
    var found = new LogUnitReply.ReadOutcome.Found(entry(payloadBytes));
    return new Echo.Frames(
        bytes(new LogUnitRequest.Read(EPOCH, new AddressSet.Strided(0, 1, count), 1 << 20)),
        bytes(new LogUnitReply.Reads(Collections.nCopies(count, found))),
        count);
  }

  /** Returns the frames of a read of {@code count} entries of one stream at a time. */
  public static Echo.Frames readStream(int payloadBytes, int count) {
    var entries = Collections.nCopies(count, entry(payloadBytes, 1));
    return new Echo.Frames(
        bytes(new LogUnitRequest.ReadStream(EPOCH, stream(1), 0, 0, 1, 1 << 20)),
        bytes(new LogUnitReply.StreamEntries(0, 1, entries)),
        count);
  }

  /** Returns the frames of a request for tokens, each of which counts as an operation. */
  public static Echo.Frames tokens(int count) {
    return new Echo.Frames(
        bytes(new SequencerRequest.Next(EPOCH, count)),
        bytes(new SequencerReply.Tokens(0, count)),
        count);
  }

  /** Returns the size of a stored entry, in bytes. */
  public static int stored(int payloadBytes) {
    return Entry.HEADER_BYTES + payloadBytes;
  }

  private static Entry entry(int payloadBytes) {
    return entry(payloadBytes, 0);
  }

  private static Entry entry(int payloadBytes, int streams) {
    List<StreamHeader> headers =
        IntStream.rangeClosed(1, streams)
            .mapToObj(i -> new StreamHeader(stream(i), 0, Backpointers.NONE))
            .toList();
    return Entry.data(0, new AppendId(0, 0), headers, ByteBuffer.allocate(payloadBytes));
  }

  private static StreamId stream(int number) {
    return new StreamId(0, number);
  }

  private static int bytes(Message message) {
    var writer = new HeapWriter();
    FrameCodec.encode(message, 1, writer);
    return writer.finish().remaining();
  }
}
