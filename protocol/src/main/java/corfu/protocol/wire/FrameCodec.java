package corfu.protocol.wire;

import static corfu.protocol.wire.WireReader.malformed;

import corfu.protocol.Epoch;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.NodeRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.SequencerReply;
import corfu.protocol.message.SequencerRequest;
import corfu.protocol.message.ViewReply;
import corfu.protocol.message.ViewRequest;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/**
 * Messages to frames and back. A frame starts with
 *
 * <pre>
 *   0        4      6        8                16               24
 *   +--------+------+--------+----------------+----------------+------- - -
 *   | length | type | version| epoch          | request id     | body
 *   +--------+------+--------+----------------+----------------+------- - -
 * </pre>
 *
 * {@code length} counts the whole frame; {@code epoch} is the request's, 0 in replies; entries come
 * last in a body, as they are stored. Stateless and thread-safe.
 */
public final class FrameCodec {

  public static final int HEADER_BYTES = 24;

  /** The newest version of the schema that this code speaks. */
  public static final int NEWEST_VERSION = 1;

  /** The oldest version of the schema that this code speaks. */
  public static final int OLDEST_VERSION = 1;

  private FrameCodec() {}

  /** Writes one frame. */
  public static void encode(Message message, long requestId, WireWriter out) {
    int start = out.position();
    out.putInt(0);
    out.putInt(0);
    out.putLong(message instanceof Request request ? request.epoch().value() : 0);
    out.putLong(requestId);
    MessageType type = encodeBody(message, out);
    out.setInt(start + 4, type.code() | NEWEST_VERSION << 16);
    out.setInt(start, out.position() - start);
  }

  private static MessageType encodeBody(Message message, WireWriter out) {
    return switch (message) {
      case LogUnitRequest request -> LogUnitCodec.encode(request, out);
      case SequencerRequest request -> SequencerCodec.encode(request, out);
      case LayoutRequest request -> LayoutCodec.encode(request, out);
      case NodeRequest request -> NodeCodec.encode(request, out);
      case ViewRequest request -> ViewCodec.encode(request, out);
      case LogUnitReply reply -> LogUnitCodec.encode(reply, out);
      case SequencerReply reply -> SequencerCodec.encode(reply, out);
      case LayoutReply reply -> LayoutCodec.encode(reply, out);
      case NodeReply reply -> NodeCodec.encode(reply, out);
      case ViewReply reply -> ViewCodec.encode(reply, out);
      case Failure failure -> FailureCodec.encode(failure, out);
      case Reply.Done done -> MessageType.DONE;
    };
  }

  /** The length that the frame at the buffer's position claims; needs four bytes there. */
  public static int claimedLength(ByteBuffer buffer) {
    int length = buffer.getInt(buffer.position());
    return buffer.order() == ByteOrder.LITTLE_ENDIAN ? length : Integer.reverseBytes(length);
  }

  /**
   * The request id of a frame that may otherwise be unreadable, so that its sender can be told; 0
   * where there is none.
   */
  public static long requestId(ByteBuffer frame) {
    return frame.remaining() < HEADER_BYTES
        ? 0
        : frame.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(frame.position() + 16);
  }

  /**
   * Reads the one frame that the buffer holds, whose entries then share the buffer's bytes.
   *
   * @throws MalformedFrameException if it is not a frame of this schema
   */
  public static Frame decode(ByteBuffer frame) {
    return decode(new WireReader(frame, false));
  }

  /**
   * The same, but the message's entries have memory of their own, each by itself: the frame's may
   * be used for something else, and whoever keeps one entry does not keep all that came with it.
   */
  public static Frame decodeCopying(ByteBuffer frame) {
    return decode(new WireReader(frame, true));
  }

  /** The same reply, whose entries have memory of their own; by way of its bytes. */
  public static Reply copyOf(Reply reply) {
    HeapWriter bytes = new HeapWriter();
    encode(reply, 0, bytes);
    return (Reply) decode(bytes.finish()).message();
  }

  private static Frame decode(WireReader in) {
    int available = in.remaining();
    int length = in.getInt();
    if (length != available) {
      throw malformed("claims " + length + " bytes, but has " + available);
    }
    int code = in.getShort();
    int version = in.getShort();
    Epoch epoch = in.getEpoch();
    long requestId = in.getLong();
    if (version < OLDEST_VERSION || version > NEWEST_VERSION) {
      throw new MalformedFrameException(
          Failure.Cause.UNSUPPORTED_VERSION,
          "frame of schema version "
              + version
              + "; this side speaks "
              + OLDEST_VERSION
              + " to "
              + NEWEST_VERSION);
    }
    MessageType type = MessageType.ofCode(code);
    if (type == null) {
      throw new MalformedFrameException(
          Failure.Cause.UNKNOWN_TYPE,
          "frame of unknown message type 0x" + Integer.toHexString(code));
    }
    Message message;
    try {
      message = decodeBody(type, epoch, in);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw malformed("holds " + e.getMessage());
    }
    in.expectEnd();
    return new Frame(requestId, version, message);
  }

  private static Message decodeBody(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case HELLO, ASK_STATUS, ASK_NAMES, WELCOME, STATUS, NAMES -> NodeCodec.decode(type, in);
      case WRITE,
          READ,
          TRIM,
          PREFIX_TRIM,
          INSPECT,
          ASK_UNIT_TAIL,
          COPY_RANGE,
          SEAL_UNIT,
          INSTALL,
          ASK_USAGE,
          RESET,
          FIND_IN_STREAMS,
          LIST_STREAMS,
          TRIM_STREAM,
          READ_STREAM,
          COMPLETE,
          FOLLOW,
          LISTEN,
          REPAIR,
          ASK_SCRUB ->
          LogUnitCodec.decodeRequest(type, epoch, in);
      case WRITES,
          READS,
          STATES,
          UNIT_TAIL,
          COPIED,
          UNIT_SEALED,
          USAGE,
          BLANK,
          FOUND_IN_STREAMS,
          STREAMS,
          STREAM_ENTRIES,
          FOLLOWING,
          HEARD,
          SCRUBBED ->
          LogUnitCodec.decodeReply(type, in);
      case NEXT,
          ASK_SEQUENCER_TAIL,
          START,
          SEAL_SEQUENCER,
          NEXT_IN_STREAMS,
          ASK_STREAMS,
          ADOPT,
          TOKENS,
          SEQUENCER_TAIL,
          SEQUENCER_SEALED,
          STREAM_TOKENS,
          STREAM_ENDS,
          UNKNOWN_STREAMS ->
          SequencerCodec.decode(type, epoch, in);
      case FETCH,
          PREPARE,
          ACCEPT,
          LEARN,
          RENEW,
          OBSERVE,
          REMEMBER,
          CURRENT,
          PROMISED,
          ACCEPTED,
          OUTBID,
          DECIDED,
          GRANTED,
          OBSERVATIONS,
          REMEMBERED ->
          LayoutCodec.decode(type, epoch, in);
      case SEALED,
          BEHIND,
          NOT_BOOTSTRAPPED,
          WRONG_CLUSTER,
          NOT_SERVING,
          REFUSED,
          OVERLOADED,
          BROKEN ->
          FailureCodec.decode(type, in);
      case CALL_VIEW, VIEW_ANSWER -> ViewCodec.decode(type, in);
      case DONE -> Reply.Done.DONE;
    };
  }

  static IllegalStateException notMine(MessageType type) {
    return new IllegalStateException("a message of type " + type + " reached the wrong codec");
  }
}
