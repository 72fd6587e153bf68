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
import java.util.zip.CRC32C;

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
 * last in a body, as they are stored. From version 2 on two checksums (CRC32C) follow the header:
 *
 * <pre>
 *   24       28       32
 *   +--------+--------+------- - -
 *   | header | body   | body            of the 24 bytes before; of the body without its entries,
 *   +--------+--------+------- - -      which have checksums of their own
 * </pre>
 *
 * Stateless and thread-safe.
 */
public final class FrameCodec {

  public static final int HEADER_BYTES = 24;

  /** The newest version of the schema that this code speaks. */
  public static final int NEWEST_VERSION = 2;

  /** The oldest version of the schema that this code speaks. */
  public static final int OLDEST_VERSION = 1;

  private static final int CHECKED_VERSION = 2;
  private static final int CHECKED_HEADER_BYTES = HEADER_BYTES + 2 * Integer.BYTES;
  private static final int HEADER_CHECKSUM_AT = HEADER_BYTES;
  private static final int BODY_CHECKSUM_AT = HEADER_BYTES + Integer.BYTES;

  private FrameCodec() {}

  /**
   * Writes one frame of the oldest version: what a handshake consists of, and what is stored on
   * disks.
   */
  public static void encode(Message message, long requestId, WireWriter out) {
    encode(message, requestId, OLDEST_VERSION, out);
  }

  /**
   * Writes one frame.
   *
   * @param version of the schema, from {@link #OLDEST_VERSION} to {@link #NEWEST_VERSION}
   * @throws IllegalArgumentException if that version has no such message
   */
  public static void encode(Message message, long requestId, int version, WireWriter out) {
    int start = out.position();
    out.putInt(0);
    out.putInt(0);
    out.putLong(message instanceof Request request ? request.epoch().value() : 0);
    out.putLong(requestId);
    if (version < CHECKED_VERSION) {
      putHeader(encodeBody(message, out), version, start, out);
      return;
    }
    out.putLong(0);
    ChecksummingWriter body = new ChecksummingWriter(out);
    putHeader(encodeBody(message, body), version, start, out);
    CRC32C header = new CRC32C();
    out.digest(start, start + HEADER_BYTES, header);
    out.setInt(start + HEADER_CHECKSUM_AT, (int) header.getValue());
    out.setInt(start + BODY_CHECKSUM_AT, body.checksum());
  }

  /** The oldest version of the schema that has this message. */
  public static int oldestVersionOf(Message message) {
    return encodeBody(message, new HeapWriter()).since();
  }

  private static void putHeader(MessageType type, int version, int start, WireWriter out) {
    if (type.since() > version) {
      throw new IllegalArgumentException(
          type + " is a message of version " + type.since() + "; the peer speaks " + version);
    }
    out.setInt(start + 4, type.code() | version << 16);
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
   * The same, or 0 where the frame does not prove that it is as it was sent: whoever is refused
   * under a wrong id would take another request for one that had no effect.
   */
  public static long provenRequestId(ByteBuffer frame) {
    ByteBuffer bytes = frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    boolean isProven =
        isHeaderComplete(bytes)
            && bytes.getShort(6) == CHECKED_VERSION
            && isHeaderSound(bytes)
            && checksum(bytes, CHECKED_HEADER_BYTES, bytes.limit())
                == bytes.getInt(BODY_CHECKSUM_AT);
    return isProven ? requestId(frame) : 0;
  }

  private static boolean isHeaderComplete(ByteBuffer frame) {
    return frame.remaining() >= HEADER_BYTES && frame.remaining() >= headerBytes(frame);
  }

  /**
   * How many bytes the header has, its checksums included, whose first {@link #HEADER_BYTES} the
   * buffer holds.
   */
  public static int headerBytes(ByteBuffer frame) {
    return versionOf(frame) == CHECKED_VERSION ? CHECKED_HEADER_BYTES : HEADER_BYTES;
  }

  /**
   * Whether a header is as it was sent, its length above all, as far as its version can tell.
   *
   * @param frame begins with all {@link #headerBytes} of it
   */
  public static boolean isHeaderSound(ByteBuffer frame) {
    if (versionOf(frame) != CHECKED_VERSION) {
      return true;
    }
    ByteBuffer bytes = frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    return checksum(bytes, 0, HEADER_BYTES) == bytes.getInt(HEADER_CHECKSUM_AT);
  }

  private static int versionOf(ByteBuffer frame) {
    int at = frame.position() + 6;
    return Byte.toUnsignedInt(frame.get(at)) | Byte.toUnsignedInt(frame.get(at + 1)) << 8;
  }

  private static int checksum(ByteBuffer bytes, int from, int to) {
    CRC32C checksum = new CRC32C();
    checksum.update(bytes.slice(from, to - from));
    return (int) checksum.getValue();
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
    encode(reply, 0, NEWEST_VERSION, bytes);
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
    if (version == CHECKED_VERSION && !in.isSound(HEADER_BYTES)) {
      throw malformed("has a header that is not as it was sent, by its checksum");
    }
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
    MessageType type = MessageType.ofCode(code, version);
    if (type == null) {
      throw new MalformedFrameException(
          Failure.Cause.UNKNOWN_TYPE,
          "frame of unknown message type 0x" + Integer.toHexString(code));
    }
    int checksum = version == CHECKED_VERSION ? in.beginBody() : 0;
    Message message;
    try {
      message = decodeBody(type, epoch, in);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw malformed("holds " + e.getMessage());
    }
    in.expectEnd();
    if (version == CHECKED_VERSION && in.bodyChecksum() != checksum) {
      throw malformed("has a body that is not as it was sent, by its checksum");
    }
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
          HAND_OVER,
          CONTINUE,
          TOKENS,
          SEQUENCER_TAIL,
          SEQUENCER_SEALED,
          STREAM_TOKENS,
          STREAM_ENDS,
          UNKNOWN_STREAMS,
          HANDED_OVER ->
          SequencerCodec.decode(type, epoch, in);
      case FETCH,
          PREPARE,
          ACCEPT,
          LEARN,
          RENEW,
          OBSERVE,
          REMEMBER,
          REPORT,
          ASK_REPORTS,
          CURRENT,
          PROMISED,
          ACCEPTED,
          OUTBID,
          DECIDED,
          GRANTED,
          OBSERVATIONS,
          REMEMBERED,
          REPORTS ->
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
