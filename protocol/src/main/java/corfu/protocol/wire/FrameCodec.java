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
 * Encodes messages as frames and decodes frames. A frame starts with
 *
 * <pre>
 *   0        4      6        8                16               24
 *   +--------+------+--------+----------------+----------------+------- - -
 *   | length | type | version| epoch          | request id     | body
 *   +--------+------+--------+----------------+----------------+------- - -
 * </pre>
 *
 * {@code length} counts the whole frame. {@code epoch} is the request's epoch, and 0 in replies.
 * Entries stand last in a body, in their stored form. From version 2 on, two checksums (CRC32C)
 * follow the header:
 *
 * <pre>
 *   24       28       32
 *   +--------+--------+------- - -
 *   | header | body   | body            of the 24 bytes before; of the body without its entries and
 *   +--------+--------+------- - -      their blocks, which have checksums of their own
 * </pre>
 *
 * Stateless and thread-safe.
 */
public final class FrameCodec {

  public static final int HEADER_BYTES = 24;

  /** The newest schema version that this code speaks. */
  public static final int NEWEST_VERSION = 3;

  /** The oldest schema version that this code speaks. */
  public static final int OLDEST_VERSION = 1;

  /** The first version with checksums. */
  private static final int CHECKED_VERSION = 2;

  private static final int CHECKED_HEADER_BYTES = HEADER_BYTES + 2 * Integer.BYTES;
  private static final int HEADER_CHECKSUM_AT = HEADER_BYTES;
  private static final int BODY_CHECKSUM_AT = HEADER_BYTES + Integer.BYTES;

  private FrameCodec() {}

  /** Writes one frame of the oldest version, which handshakes and files on disks use. */
  public static void encode(Message message, long requestId, WireWriter out) {
    encode(message, requestId, OLDEST_VERSION, out);
  }

  /**
   * Writes one frame. A refusal that an earlier version does not know is written in its words, and
   * seals that it does not know are left out.
   *
   * @param version the schema version, from {@link #OLDEST_VERSION} to {@link #NEWEST_VERSION}
   * @throws IllegalArgumentException if that version has no such message
   */
  public static void encode(Message given, long requestId, int version, WireWriter out) {
    Message message = EarlierVersions.inWordsOf(version, given);
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

  /** Returns the oldest schema version that has this message, with all its content. */
  public static int oldestVersionOf(Message message) {
    int since = encodeBody(message, new HeapWriter()).since();
    return EarlierVersions.hidesEntries(message)
        ? Math.max(since, EarlierVersions.ACCESS_VERSION)
        : since;
  }

  private static boolean hasChecksums(int version) {
    return version >= CHECKED_VERSION && version <= NEWEST_VERSION;
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

  /**
   * Returns the length that the frame at the buffer's position claims. The buffer must hold four
   * bytes there.
   */
  public static int claimedLength(ByteBuffer buffer) {
    int length = buffer.getInt(buffer.position());
    return buffer.order() == ByteOrder.LITTLE_ENDIAN ? length : Integer.reverseBytes(length);
  }

  /**
   * Returns the request id of a frame that may otherwise be unreadable, so that its sender can be
   * answered. Returns 0 if the frame is too short to have one.
   */
  public static long requestId(ByteBuffer frame) {
    return frame.remaining() < HEADER_BYTES
        ? 0
        : frame.duplicate().order(ByteOrder.LITTLE_ENDIAN).getLong(frame.position() + 16);
  }

  /**
   * Returns the request id, or 0 if the frame's checksums do not prove it. A refusal under a wrong
   * id would make the client believe that another request had no effect.
   */
  public static long provenRequestId(ByteBuffer frame) {
    ByteBuffer bytes = frame.slice().order(ByteOrder.LITTLE_ENDIAN);
    boolean isProven =
        isHeaderComplete(bytes)
            && hasChecksums(versionOf(bytes))
            && isHeaderSound(bytes)
            && checksum(bytes, CHECKED_HEADER_BYTES, bytes.limit())
                == bytes.getInt(BODY_CHECKSUM_AT);
    return isProven ? requestId(frame) : 0;
  }

  private static boolean isHeaderComplete(ByteBuffer frame) {
    return frame.remaining() >= HEADER_BYTES && frame.remaining() >= headerBytes(frame);
  }

  /**
   * Returns the number of header bytes, checksums included. The buffer holds the first {@link
   * #HEADER_BYTES} of them.
   */
  public static int headerBytes(ByteBuffer frame) {
    return hasChecksums(versionOf(frame)) ? CHECKED_HEADER_BYTES : HEADER_BYTES;
  }

  /**
   * Returns whether a header is as it was sent, above all its length. A version without checksums
   * cannot tell, and counts as sound.
   *
   * @param frame a buffer that begins with all {@link #headerBytes} of the frame
   */
  public static boolean isHeaderSound(ByteBuffer frame) {
    if (!hasChecksums(versionOf(frame))) {
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
   * Decodes the one frame in the buffer. The message's entries share the buffer's bytes.
   *
   * @throws MalformedFrameException if the bytes are no frame of this schema
   */
  public static Frame decode(ByteBuffer frame) {
    return decode(new WireReader(frame, false));
  }

  /**
   * Decodes the one frame in the buffer. Each of the message's entries gets memory of its own. So
   * the frame's memory can be reused, and keeping one entry does not keep the others.
   */
  public static Frame decodeCopying(ByteBuffer frame) {
    return decode(new WireReader(frame, true));
  }

  /** Returns the same reply with entries in memory of their own, by encoding and decoding it. */
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
    boolean isChecked = hasChecksums(version);
    if (isChecked && !in.isSound(HEADER_BYTES)) {
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
    in.isOfVersion(version);
    int checksum = isChecked ? in.beginBody() : 0;
    Message message;
    try {
      message = decodeBody(type, epoch, in);
    } catch (IllegalArgumentException | ArithmeticException e) {
      throw malformed("holds " + e.getMessage());
    }
    in.expectEnd();
    if (isChecked && in.bodyChecksum() != checksum) {
      throw malformed("has a body that is not as it was sent, by its checksum");
    }
    return new Frame(requestId, version, message);
  }

  private static Message decodeBody(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case HELLO,
          ASK_STATUS,
          ASK_NAMES,
          INTRODUCE,
          SETTLE,
          SETTLE_STREAMS,
          ASK_ACCESS,
          ASK_TOKEN_KEY,
          ASK_QUOTAS,
          WELCOME,
          STATUS,
          NAMES,
          ACCESS,
          TOKEN_KEY,
          QUOTAS ->
          NodeCodec.decode(type, in);
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
          ASK_SCRUB,
          READ_BLOCKS,
          COMPRESS,
          ASK_COMPRESSION,
          SEALED_WRITE ->
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
          SCRUBBED,
          FOUND_BLOCKS,
          COMPRESSED ->
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
          HANDED_OVER,
          SEALED_TOKENS,
          SEALED_STREAM_TOKENS ->
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
          BROKEN,
          FORBIDDEN,
          OVER_QUOTA ->
          FailureCodec.decode(type, in);
      case CALL_VIEW, VIEW_ANSWER -> ViewCodec.decode(type, in);
      case DONE -> Reply.Done.DONE;
    };
  }

  static IllegalStateException notMine(MessageType type) {
    return new IllegalStateException("a message of type " + type + " reached the wrong codec");
  }
}
