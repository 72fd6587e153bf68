package corfu.protocol.wire;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The number of each message on the wire. The high byte names the role: 1 the server itself, 2 log
 * unit, 3 sequencer, 4 layout server, 5 failures, 6 host of views. Replies have the top bit set. A
 * number is never reused for another message.
 */
enum MessageType {
  HELLO(0x0101),
  ASK_STATUS(0x0102),
  ASK_NAMES(0x0103),
  INTRODUCE(0x0104, 3),
  SETTLE(0x0105, 3),
  SETTLE_STREAMS(0x0106, 3),
  ASK_ACCESS(0x0107, 3),
  ASK_TOKEN_KEY(0x0108, 3),
  ASK_QUOTAS(0x0109, 3),

  WRITE(0x0201),
  READ(0x0202),
  TRIM(0x0203),
  PREFIX_TRIM(0x0204),
  INSPECT(0x0205),
  ASK_UNIT_TAIL(0x0206),
  COPY_RANGE(0x0207),
  SEAL_UNIT(0x0208),
  INSTALL(0x0209),
  ASK_USAGE(0x020a),
  RESET(0x020b),
  FIND_IN_STREAMS(0x020c),
  LIST_STREAMS(0x020d),
  TRIM_STREAM(0x020e),
  READ_STREAM(0x020f),
  COMPLETE(0x0210),
  FOLLOW(0x0211),
  LISTEN(0x0212),
  REPAIR(0x0213),
  ASK_SCRUB(0x0214),
  READ_BLOCKS(0x0215, 2),
  COMPRESS(0x0216, 2),
  ASK_COMPRESSION(0x0217, 2),
  SEALED_WRITE(0x0218, 3),

  NEXT(0x0301),
  ASK_SEQUENCER_TAIL(0x0302),
  START(0x0303),
  SEAL_SEQUENCER(0x0304),
  NEXT_IN_STREAMS(0x0305),
  ASK_STREAMS(0x0306),
  ADOPT(0x0307),
  HAND_OVER(0x0308, 2),
  CONTINUE(0x0309, 2),

  FETCH(0x0401),
  PREPARE(0x0402),
  ACCEPT(0x0403),
  LEARN(0x0404),
  RENEW(0x0405),
  OBSERVE(0x0406),
  REMEMBER(0x0407),
  REPORT(0x0408, 2),
  ASK_REPORTS(0x0409, 2),

  CALL_VIEW(0x0601),

  DONE(0x8100),
  WELCOME(0x8101),
  STATUS(0x8102),
  NAMES(0x8103),
  ACCESS(0x8107, 3),
  TOKEN_KEY(0x8108, 3),
  QUOTAS(0x8109, 3),

  WRITES(0x8201),
  READS(0x8202),
  STATES(0x8205),
  UNIT_TAIL(0x8206),
  COPIED(0x8207),
  UNIT_SEALED(0x8208),
  USAGE(0x820a),
  BLANK(0x820b),
  FOUND_IN_STREAMS(0x820c),
  STREAMS(0x820d),
  STREAM_ENTRIES(0x820f),
  FOLLOWING(0x8211),
  HEARD(0x8212),
  SCRUBBED(0x8214),
  FOUND_BLOCKS(0x8215, 2),
  COMPRESSED(0x8216, 2),

  TOKENS(0x8301),
  SEQUENCER_TAIL(0x8302),
  SEQUENCER_SEALED(0x8303),
  STREAM_TOKENS(0x8304),
  STREAM_ENDS(0x8305),
  UNKNOWN_STREAMS(0x8306),
  HANDED_OVER(0x8308, 2),
  SEALED_TOKENS(0x8309, 3),
  SEALED_STREAM_TOKENS(0x830a, 3),

  CURRENT(0x8401),
  PROMISED(0x8402),
  ACCEPTED(0x8403),
  OUTBID(0x8404),
  DECIDED(0x8405),
  GRANTED(0x8406),
  OBSERVATIONS(0x8407),
  REMEMBERED(0x8408),
  REPORTS(0x8409, 2),

  SEALED(0x8501),
  BEHIND(0x8502),
  NOT_BOOTSTRAPPED(0x8503),
  WRONG_CLUSTER(0x8504),
  NOT_SERVING(0x8505),
  REFUSED(0x8506),
  OVERLOADED(0x8507),
  BROKEN(0x8508),
  FORBIDDEN(0x8509, 3),
  OVER_QUOTA(0x850a, 3),

  VIEW_ANSWER(0x8601);

  private static final MessageType[] BY_CODE = new MessageType[1 << 12];

  static {
    Arrays.stream(values()).forEach(type -> BY_CODE[slot(type.code)] = type);
  }

  private final int code;
  private final int since;

  MessageType(int code) {
    this(code, FrameCodec.OLDEST_VERSION);
  }

  MessageType(int code, int since) {
    this.code = code;
    this.since = since;
  }

  int code() {
    return code;
  }

  /** Returns the first schema version that has this message. */
  int since() {
    return since;
  }

  /** Returns the type of a number, or null if this schema version has none. */
  static @Nullable MessageType ofCode(int code, int version) {
    MessageType type = BY_CODE[slot(code)];
    return type != null && type.code == code && type.since <= version ? type : null;
  }

  /** Returns the table slot: the reply bit, three bits of the role, and the low byte. */
  private static int slot(int code) {
    return ((code >>> 15) << 11) | ((code >>> 8 & 7) << 8) | (code & 0xff);
  }
}
