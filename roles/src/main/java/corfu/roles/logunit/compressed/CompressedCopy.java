package corfu.roles.logunit.compressed;

import corfu.roles.logunit.compressed.CompressedFormat.Header;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/**
 * The compressed copy of a finished log file, made in steps under a temporary name. At the end it
 * replaces the log file by one renaming, so a crash leaves either of the two. Each block is
 * decompressed again before it is written: the copy has what the log file has, damaged records
 * included.
 *
 * <p>For one thread at a time.
 */
public final class CompressedCopy {

  /** The number of a file's bytes that one step compresses: 20 to 50 ms of work. */
  private static final int STEP_BLOCKS = 32;

  private static final int LEVEL = 6;

  private final Disk disk;
  private final String name;
  private final String temporaryName;
  private final DiskFile from;
  private final DiskFile to;
  private final Header header;
  private final int[] offsets;
  private final Deflater deflater = new Deflater(LEVEL, true);
  private final Inflater inflater = new Inflater(true);
  private final byte[] plain = new byte[CompressedFormat.BLOCK_BYTES];
  private final byte[] deflated = new byte[CompressedFormat.BLOCK_BYTES];
  private final byte[] proof = new byte[CompressedFormat.BLOCK_BYTES];
  private int next; // the number of the next block
  private long end = CompressedFormat.HEADER_BYTES;
  private boolean closed;

  private CompressedCopy(
      Disk disk, String temporaryName, DiskFile from, DiskFile to, Header header) {
    this.disk = disk;
    this.name = from.name();
    this.temporaryName = temporaryName;
    this.from = from;
    this.to = to;
    this.header = header;
    this.offsets = new int[header.blocks()];
  }

  /** Returns whether a log file of this size can be compressed. */
  public static boolean isPossible(long contentBytes) {
    return CompressedFormat.mostBytes(contentBytes) <= Integer.MAX_VALUE;
  }

  /** Returns the largest size that the copy of a log file can have, in bytes. */
  public static long mostBytes(long contentBytes) {
    return CompressedFormat.mostBytes(contentBytes);
  }

  /**
   * Begins a copy.
   *
   * @param disk the unit's directory
   * @param name the name of a finished log file that is not compressed
   * @param temporaryName the name of the copy until it replaces the log file
   * @param sequence the log file's sequence number
   * @param recordsEnd the offset at which the log file's records end
   * @param nonce a random number
   * @throws DiskException if the disk fails
   */
  public static CompressedCopy begin(
      Disk disk, String name, String temporaryName, long sequence, long recordsEnd, long nonce) {
    disk.delete(temporaryName); // of an attempt that failed
    DiskFile from = disk.open(name);
    try {
      int content = Math.toIntExact(from.size());
      int records = (int) Math.min(recordsEnd, content);
      DiskFile to = disk.create(temporaryName);
      Header header = new Header(sequence, nonce, content, records);
      return new CompressedCopy(disk, temporaryName, from, to, header);
    } catch (RuntimeException | Error failure) {
      from.close();
      throw failure;
    }
  }

  /**
   * Compresses the next blocks.
   *
   * @throws DiskException if the disk fails
   */
  public void step() {
    int last = Math.min(header.blocks(), next + STEP_BLOCKS);
    ByteBuffer out =
        CompressedFormat.buffer(
            (last - next) * (CompressedFormat.BLOCK_HEADER_BYTES + CompressedFormat.BLOCK_BYTES));
    long at = end;
    for (int number = next; number < last; number++) {
      offsets[number] = (int) at;
      at += putBlock(number, out);
    }
    to.write(out.flip(), end);
    end = at;
    next = last;
  }

  /** Returns whether all blocks are in the copy. */
  public boolean isWhole() {
    return next == header.blocks();
  }

  /** Returns how many of the log file's bytes are in the copy. */
  public long doneBytes() {
    return isWhole() ? header.contentBytes() : header.startOf(next);
  }

  private int putBlock(int number, ByteBuffer out) {
    int length = header.plainBytes(number);
    ByteBuffer content = ByteBuffer.wrap(plain, 0, length);
    if (from.read(content, header.startOf(number)) < length) {
      throw new DiskException("%s is shorter than it was".formatted(name));
    }
    int stored = deflate(length);
    boolean isSmaller = stored < length;
    int size = CompressedFormat.BLOCK_HEADER_BYTES + stored;
    ByteBuffer block = out.slice(out.position(), size).order(ByteOrder.LITTLE_ENDIAN);
    block.put(CompressedFormat.BLOCK_HEADER_BYTES, isSmaller ? deflated : plain, 0, stored);
    CompressedFormat.putBlockHeader(block, header, number, length);
    out.position(out.position() + size);
    return size;
  }

  /** Compresses the block. Returns its new size, or the old one if it does not become smaller. */
  private int deflate(int length) {
    deflater.reset();
    deflater.setInput(plain, 0, length);
    deflater.finish();
    int stored = deflater.deflate(deflated, 0, length - 1);
    boolean isWhole =
        deflater.finished()
            && BlockCache.inflates(inflater, ByteBuffer.wrap(deflated, 0, stored), proof, length)
            && Arrays.equals(plain, 0, length, proof, 0, length);
    return isWhole ? stored : length;
  }

  /**
   * Makes the copy durable, and gives it the log file's name. Afterwards the log file's old content
   * is gone.
   *
   * @return the size of the copy in bytes
   * @throws DiskException if the disk fails; then either content may have the name
   * @throws IllegalStateException if blocks are missing
   */
  public long replace() {
    if (!isWhole()) {
      throw new IllegalStateException(
          "%d blocks of %s are missing".formatted(header.blocks() - next, name));
    }
    ByteBuffer tail = CompressedFormat.buffer(header.tableBytes() + CompressedFormat.HEADER_BYTES);
    for (int offset : offsets) {
      tail.putInt(offset);
    }
    tail.putInt(CompressedFormat.checksum(tail, 0, tail.position()));
    tail.put(CompressedFormat.encode(header)).flip();
    long bytes = end + tail.limit();
    to.write(tail, end);
    to.write(CompressedFormat.encode(header), 0);
    to.sync();
    close();
    disk.rename(temporaryName, name);
    disk.syncNames();
    return bytes;
  }

  /**
   * Deletes the copy. The log file stays.
   *
   * @throws DiskException if the disk fails; then a start deletes the copy
   */
  public void discard() {
    close();
    disk.delete(temporaryName);
  }

  /** Frees the copy's memory outside the heap, and closes the files. May be repeated. */
  public void close() {
    if (!closed) {
      closed = true;
      deflater.end();
      inflater.end();
      from.close();
      to.close();
    }
  }
}
