package corfu.fuse.protocol;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;
import static java.lang.foreign.ValueLayout.JAVA_INT_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static java.lang.foreign.ValueLayout.JAVA_SHORT_UNALIGNED;

import corfu.fuse.linux.Errno;
import java.lang.foreign.MemorySegment;

/**
 * Writes replies into one buffer: 16 bytes of header, and the body behind it. A method of this
 * class writes a reply's body and returns its length; {@link #finish} writes the header. Not
 * thread-safe.
 */
public final class ReplyEncoder {

  /** The bytes of a reply's header. */
  public static final int HEADER_BYTES = 16;

  /** The bytes of {@code fuse_entry_out}. */
  public static final int ENTRY_BYTES = 128;

  private static final int ATTRIBUTES_BYTES = 88;
  private static final long NANOS_OF_SECOND = 1_000_000_000L;

  private final MemorySegment buffer;
  private final MemorySegment body;

  /**
   * Returns an encoder.
   *
   * @param buffer the buffer, at least 512 bytes
   */
  public ReplyEncoder(MemorySegment buffer) {
    this.buffer = buffer;
    this.body = buffer.asSlice(HEADER_BYTES);
  }

  /** Returns the room behind the header. */
  public MemorySegment body() {
    return body;
  }

  /**
   * Writes the header of a reply.
   *
   * @param unique the id of the request
   * @param bodyBytes the bytes of the body
   * @return the bytes of the whole reply
   */
  public int finish(long unique, int bodyBytes) {
    return header(unique, bodyBytes, 0);
  }

  /** Writes a reply that fails the request. Returns its bytes. */
  public int fail(long unique, Errno errno) {
    return header(unique, 0, -errno.code());
  }

  private int header(long unique, int bodyBytes, int error) {
    int length = HEADER_BYTES + bodyBytes;
    buffer.set(JAVA_INT_UNALIGNED, 0, length);
    buffer.set(JAVA_INT_UNALIGNED, 4, error);
    buffer.set(JAVA_LONG_UNALIGNED, 8, unique);
    return length;
  }

  /** Writes {@code fuse_entry_out}. */
  public int entry(Entry entry) {
    return entry(body, 0, entry);
  }

  static int entry(MemorySegment to, long at, Entry entry) {
    to.set(JAVA_LONG_UNALIGNED, at, entry.node());
    to.set(JAVA_LONG_UNALIGNED, at + 8, entry.generation());
    to.set(JAVA_LONG_UNALIGNED, at + 16, entry.entryValidNanos() / NANOS_OF_SECOND);
    to.set(JAVA_LONG_UNALIGNED, at + 24, entry.attributesValidNanos() / NANOS_OF_SECOND);
    to.set(JAVA_INT_UNALIGNED, at + 32, (int) (entry.entryValidNanos() % NANOS_OF_SECOND));
    to.set(JAVA_INT_UNALIGNED, at + 36, (int) (entry.attributesValidNanos() % NANOS_OF_SECOND));
    attributes(to, at + 40, entry.attributes());
    return ENTRY_BYTES;
  }

  private static void attributes(MemorySegment to, long at, Attributes attributes) {
    to.set(JAVA_LONG_UNALIGNED, at, attributes.inode());
    to.set(JAVA_LONG_UNALIGNED, at + 8, attributes.size());
    to.set(JAVA_LONG_UNALIGNED, at + 16, attributes.blocks());
    to.set(JAVA_LONG_UNALIGNED, at + 24, attributes.accessTime().seconds());
    to.set(JAVA_LONG_UNALIGNED, at + 32, attributes.modificationTime().seconds());
    to.set(JAVA_LONG_UNALIGNED, at + 40, attributes.changeTime().seconds());
    to.set(JAVA_INT_UNALIGNED, at + 48, attributes.accessTime().nanos());
    to.set(JAVA_INT_UNALIGNED, at + 52, attributes.modificationTime().nanos());
    to.set(JAVA_INT_UNALIGNED, at + 56, attributes.changeTime().nanos());
    to.set(JAVA_INT_UNALIGNED, at + 60, attributes.mode());
    to.set(JAVA_INT_UNALIGNED, at + 64, attributes.links());
    to.set(JAVA_INT_UNALIGNED, at + 68, attributes.uid());
    to.set(JAVA_INT_UNALIGNED, at + 72, attributes.gid());
    to.set(JAVA_INT_UNALIGNED, at + 76, attributes.device());
    to.set(JAVA_INT_UNALIGNED, at + 80, attributes.blockSize());
    to.set(JAVA_INT_UNALIGNED, at + 84, 0);
  }

  /** Writes {@code fuse_attr_out}. */
  public int attributes(TimedAttributes timed) {
    body.set(JAVA_LONG_UNALIGNED, 0, timed.validNanos() / NANOS_OF_SECOND);
    body.set(JAVA_INT_UNALIGNED, 8, (int) (timed.validNanos() % NANOS_OF_SECOND));
    body.set(JAVA_INT_UNALIGNED, 12, 0);
    attributes(body, 16, timed.attributes());
    return 16 + ATTRIBUTES_BYTES;
  }

  /** Writes {@code fuse_open_out}. */
  public int open(OpenFile file) {
    return open(file, 0);
  }

  private int open(OpenFile file, int at) {
    body.set(JAVA_LONG_UNALIGNED, at, file.handle());
    body.set(JAVA_INT_UNALIGNED, at + 8L, file.flags());
    body.set(JAVA_INT_UNALIGNED, at + 12L, 0);
    return 16;
  }

  /** Writes {@code fuse_entry_out} and {@code fuse_open_out}. */
  public int created(Created created) {
    return entry(created.entry()) + open(created.file(), ENTRY_BYTES);
  }

  /** Writes bytes as they are: the target of a link, an attribute, a list of names. */
  public int bytes(byte[] bytes) {
    MemorySegment.copy(bytes, 0, body, JAVA_BYTE, 0, bytes.length);
    return bytes.length;
  }

  /** Writes a number of 32 bits and 4 bytes of padding: the reply to WRITE, sizes of attributes. */
  public int size(int size) {
    body.set(JAVA_INT_UNALIGNED, 0, size);
    body.set(JAVA_INT_UNALIGNED, 4, 0);
    return 8;
  }

  /** Writes a number of 64 bits: the reply to LSEEK, BMAP and COPY_FILE_RANGE_64. */
  public int offset(long offset) {
    body.set(JAVA_LONG_UNALIGNED, 0, offset);
    return 8;
  }

  /** Writes {@code fuse_lk_out}. */
  public int lock(FileLock lock) {
    body.set(JAVA_LONG_UNALIGNED, 0, lock.start());
    body.set(JAVA_LONG_UNALIGNED, 8, lock.end());
    body.set(JAVA_INT_UNALIGNED, 16, lock.type().code());
    body.set(JAVA_INT_UNALIGNED, 20, lock.pid());
    return 24;
  }

  /** Writes {@code fuse_ioctl_out} and the bytes for the caller. */
  public int ioctl(IoctlResult result) {
    body.asSlice(0, 16).fill((byte) 0);
    body.set(JAVA_INT_UNALIGNED, 0, result.result());
    byte[] output = result.output();
    MemorySegment.copy(output, 0, body, JAVA_BYTE, 16, output.length);
    return 16 + output.length;
  }

  /** Writes {@code fuse_statfs_out}. */
  public int statistics(FileSystemStatistics statistics) {
    body.asSlice(0, 80).fill((byte) 0);
    body.set(JAVA_LONG_UNALIGNED, 0, statistics.blocks());
    body.set(JAVA_LONG_UNALIGNED, 8, statistics.freeBlocks());
    body.set(JAVA_LONG_UNALIGNED, 16, statistics.availableBlocks());
    body.set(JAVA_LONG_UNALIGNED, 24, statistics.files());
    body.set(JAVA_LONG_UNALIGNED, 32, statistics.freeFiles());
    body.set(JAVA_INT_UNALIGNED, 40, statistics.blockSize());
    body.set(JAVA_INT_UNALIGNED, 44, statistics.nameLength());
    body.set(JAVA_INT_UNALIGNED, 48, statistics.fragmentSize());
    return 80;
  }

  /** Writes {@code fuse_statx_out}. */
  public int extendedStatus(ExtendedStatus status) {
    body.asSlice(0, 288).fill((byte) 0);
    body.set(JAVA_LONG_UNALIGNED, 0, status.validNanos() / NANOS_OF_SECOND);
    body.set(JAVA_INT_UNALIGNED, 8, (int) (status.validNanos() % NANOS_OF_SECOND));
    MemorySegment statx = body.asSlice(32);
    Attributes attributes = status.attributes();
    statx.set(JAVA_INT_UNALIGNED, 0, status.mask());
    statx.set(JAVA_INT_UNALIGNED, 4, attributes.blockSize());
    statx.set(JAVA_INT_UNALIGNED, 16, attributes.links());
    statx.set(JAVA_INT_UNALIGNED, 20, attributes.uid());
    statx.set(JAVA_INT_UNALIGNED, 24, attributes.gid());
    statx.set(JAVA_SHORT_UNALIGNED, 28, (short) attributes.mode());
    statx.set(JAVA_LONG_UNALIGNED, 32, attributes.inode());
    statx.set(JAVA_LONG_UNALIGNED, 40, attributes.size());
    statx.set(JAVA_LONG_UNALIGNED, 48, attributes.blocks());
    timestamp(statx, 64, attributes.accessTime());
    timestamp(statx, 80, status.birthTime());
    timestamp(statx, 96, attributes.changeTime());
    timestamp(statx, 112, attributes.modificationTime());
    statx.set(JAVA_INT_UNALIGNED, 128, deviceMajor(attributes.device()));
    statx.set(JAVA_INT_UNALIGNED, 132, deviceMinor(attributes.device()));
    return 288;
  }

  private static void timestamp(MemorySegment to, long at, Timestamp time) {
    to.set(JAVA_LONG_UNALIGNED, at, time.seconds());
    to.set(JAVA_INT_UNALIGNED, at + 8, time.nanos());
  }

  private static int deviceMajor(int device) {
    return (device >>> 8) & 0xFFF;
  }

  private static int deviceMinor(int device) {
    return (device & 0xFF) | ((device >>> 12) & 0xFFF00);
  }

  /** Writes {@code fuse_init_out}. */
  public int init(InitReply reply) {
    body.asSlice(0, 64).fill((byte) 0);
    long flags = InitFlag.bitsOf(reply.flags());
    body.set(JAVA_INT_UNALIGNED, 0, InitReply.MAJOR);
    body.set(JAVA_INT_UNALIGNED, 4, reply.minor());
    body.set(JAVA_INT_UNALIGNED, 8, reply.maxReadAhead());
    body.set(JAVA_INT_UNALIGNED, 12, (int) flags);
    body.set(JAVA_SHORT_UNALIGNED, 16, (short) reply.maxBackground());
    body.set(JAVA_SHORT_UNALIGNED, 18, (short) reply.congestionThreshold());
    body.set(JAVA_INT_UNALIGNED, 20, reply.maxWrite());
    body.set(JAVA_INT_UNALIGNED, 24, reply.timeGranularityNanos());
    body.set(JAVA_SHORT_UNALIGNED, 28, (short) reply.maxPages());
    body.set(JAVA_INT_UNALIGNED, 32, (int) (flags >>> Integer.SIZE));
    return 64;
  }
}
