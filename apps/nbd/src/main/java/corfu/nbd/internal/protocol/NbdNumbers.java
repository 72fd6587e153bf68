package corfu.nbd.internal.protocol;

/** The protocol's numbers, under the names of its document. */
public final class NbdNumbers {

  // The handshake's magic numbers.
  public static final long INIT_PASSWD = 0x4e42444d41474943L;
  public static final long IHAVEOPT = 0x49484156454F5054L;
  public static final long OPTION_REPLY_MAGIC = 0x3e889045565a9L;

  // Flags of the handshake; the client's have the same bits.
  public static final int FLAG_FIXED_NEWSTYLE = 1;
  public static final int FLAG_NO_ZEROES = 1 << 1;

  // Options.
  public static final int OPT_EXPORT_NAME = 1;
  public static final int OPT_ABORT = 2;
  public static final int OPT_LIST = 3;
  public static final int OPT_STARTTLS = 5;
  public static final int OPT_INFO = 6;
  public static final int OPT_GO = 7;
  public static final int OPT_STRUCTURED_REPLY = 8;
  public static final int OPT_LIST_META_CONTEXT = 9;
  public static final int OPT_SET_META_CONTEXT = 10;
  public static final int OPT_EXTENDED_HEADERS = 11;

  // Replies to options.
  public static final int REP_ACK = 1;
  public static final int REP_SERVER = 2;
  public static final int REP_INFO = 3;
  public static final int REP_META_CONTEXT = 4;
  public static final int REP_ERR_UNSUP = 0x80000001;
  public static final int REP_ERR_POLICY = 0x80000002;
  public static final int REP_ERR_INVALID = 0x80000003;
  public static final int REP_ERR_TLS_REQD = 0x80000005;
  public static final int REP_ERR_UNKNOWN = 0x80000006;
  public static final int REP_ERR_SHUTDOWN = 0x80000007;
  public static final int REP_ERR_TOO_BIG = 0x80000009;
  public static final int REP_ERR_EXT_HEADER_REQD = 0x8000000a;

  // Information about an export.
  public static final int INFO_EXPORT = 0;
  public static final int INFO_NAME = 1;
  public static final int INFO_DESCRIPTION = 2;
  public static final int INFO_BLOCK_SIZE = 3;

  // Flags of the transmission.
  public static final int FLAG_HAS_FLAGS = 1;
  public static final int FLAG_READ_ONLY = 1 << 1;
  public static final int FLAG_SEND_FLUSH = 1 << 2;
  public static final int FLAG_SEND_FUA = 1 << 3;
  public static final int FLAG_SEND_TRIM = 1 << 5;
  public static final int FLAG_SEND_WRITE_ZEROES = 1 << 6;
  public static final int FLAG_SEND_DF = 1 << 7;
  public static final int FLAG_CAN_MULTI_CONN = 1 << 8;
  public static final int FLAG_SEND_RESIZE = 1 << 9;
  public static final int FLAG_SEND_CACHE = 1 << 10;
  public static final int FLAG_SEND_FAST_ZERO = 1 << 11;
  public static final int FLAG_BLOCK_STATUS_PAYLOAD = 1 << 12;

  // The magic numbers of requests and replies.
  public static final int REQUEST_MAGIC = 0x25609513;
  public static final int SIMPLE_REPLY_MAGIC = 0x67446698;
  public static final int STRUCTURED_REPLY_MAGIC = 0x668e33ef;
  public static final int EXTENDED_REQUEST_MAGIC = 0x21e41c71;
  public static final int EXTENDED_REPLY_MAGIC = 0x6e8a278c;

  // Flags of requests.
  public static final int CMD_FLAG_FUA = 1;
  public static final int CMD_FLAG_NO_HOLE = 1 << 1;
  public static final int CMD_FLAG_DF = 1 << 2;
  public static final int CMD_FLAG_REQ_ONE = 1 << 3;
  public static final int CMD_FLAG_FAST_ZERO = 1 << 4;
  public static final int CMD_FLAG_PAYLOAD_LEN = 1 << 5;

  // Flags and types of chunks.
  public static final int REPLY_FLAG_DONE = 1;
  public static final int REPLY_TYPE_NONE = 0;
  public static final int REPLY_TYPE_OFFSET_DATA = 1;
  public static final int REPLY_TYPE_OFFSET_HOLE = 2;
  public static final int REPLY_TYPE_BLOCK_STATUS = 5;
  public static final int REPLY_TYPE_BLOCK_STATUS_EXT = 6;
  public static final int REPLY_TYPE_ERROR = 0x8001;

  /** The longest string in bytes. */
  public static final int MAX_STRING_BYTES = 4096;

  /** The largest payload of a request or a chunk in bytes. */
  public static final int MAX_PAYLOAD_BYTES = 1 << 25;

  /** The largest minimum block size in bytes. */
  public static final int MAX_MIN_BLOCK_BYTES = 1 << 16;

  private NbdNumbers() {}
}
