package corfu.roles.logunit.compressed;

import corfu.roles.logunit.compressed.CompressedFormat.Header;
import corfu.roles.logunit.format.RecordFormat;
import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.util.Optional;

/**
 * A compressed log file that reads like the log file it was made from: the same bytes at the same
 * offsets. It cannot be changed.
 *
 * <p>A block that is damaged, or that the disk cannot read, reads as zeros. The checksums of the
 * records in it tell the reader, and the other records of the file stay readable. For one thread at
 * a time.
 */
public final class CompressedFile implements DiskFile {

  private static final byte[] ZEROS = new byte[CompressedFormat.BLOCK_BYTES];

  /** A block has a header and at least one byte. A file with fewer is none, whatever it claims. */
  private static final int LEAST_BLOCK_BYTES = CompressedFormat.BLOCK_HEADER_BYTES + 1;

  private final DiskFile file;
  private final Header header;
  private final int[] offsets; // of the blocks; -1 if unknown. Then the end of the last block
  private final BlockCache blocks;
  private final String damage;

  private CompressedFile(
      DiskFile file, Header header, int[] offsets, BlockCache blocks, String damage) {
    this.file = file;
    this.header = header;
    this.offsets = offsets;
    this.blocks = blocks;
    this.damage = damage;
    blocks.opened();
  }

  /**
   * Opens a log file to read it, compressed or not.
   *
   * @throws DiskException if there is no such file, or the disk fails
   */
  public static DiskFile open(Disk disk, String name) {
    return open(disk, name, new BlockCache(1));
  }

  /**
   * Opens a log file to read it, compressed or not.
   *
   * @param blocks keeps decompressed blocks
   * @throws DiskException if there is no such file, or the disk fails
   */
  public static DiskFile open(Disk disk, String name, BlockCache blocks) {
    DiskFile file = disk.open(name);
    try {
      return opened(file, blocks).<DiskFile>map(compressed -> compressed).orElse(file);
    } catch (RuntimeException | Error failure) {
      file.close();
      throw failure;
    }
  }

  private static Optional<CompressedFile> opened(DiskFile file, BlockCache blocks) {
    ByteBuffer start = bytesAt(file, 0, CompressedFormat.HEADER_BYTES);
    if (RecordFormat.parseFileHeader(start).isPresent()) {
      return Optional.empty(); // a plain file
    }
    Optional<Header> first = CompressedFormat.parse(start);
    long lastAt = file.size() - CompressedFormat.HEADER_BYTES;
    Optional<Header> last =
        CompressedFormat.parse(bytesAt(file, lastAt, CompressedFormat.HEADER_BYTES));
    return first
        .or(() -> last)
        .filter(header -> (long) header.blocks() * LEAST_BLOCK_BYTES <= file.size())
        .map(
            header -> {
              Optional<int[]> table = table(file, header, lastAt - header.tableBytes());
              boolean isSound = first.equals(last) && table.isPresent();
              return new CompressedFile(
                  file,
                  header,
                  table.orElseGet(() -> walk(file, header)),
                  blocks,
                  isSound ? "" : "one of its headers or its table of blocks is damaged");
            });
  }

  /** Returns these bytes, or fewer if the file ends before or the disk can't read them. */
  private static ByteBuffer bytesAt(DiskFile file, long at, int length) {
    ByteBuffer bytes = CompressedFormat.buffer(length);
    try {
      return bytes.limit(at < 0 ? 0 : file.read(bytes, at));
    } catch (DiskException unreadable) {
      return bytes.limit(0);
    }
  }

  private static Optional<int[]> table(DiskFile file, Header header, long at) {
    int length = header.tableBytes();
    if (at < CompressedFormat.HEADER_BYTES) {
      return Optional.empty();
    }
    ByteBuffer table = bytesAt(file, at, length);
    int end = length - Integer.BYTES;
    if (table.limit() < length || table.getInt(end) != CompressedFormat.checksum(table, 0, end)) {
      return Optional.empty();
    }
    int[] offsets = new int[header.blocks() + 1];
    for (int i = 0; i < header.blocks(); i++) {
      offsets[i] = table.getInt(i * Integer.BYTES);
    }
    offsets[header.blocks()] = (int) at;
    return Optional.of(offsets);
  }

  /** Finds the blocks by their headers. Behind a damaged header, no block is found. */
  private static int[] walk(DiskFile file, Header header) {
    int[] offsets = new int[header.blocks() + 1];
    long at = CompressedFormat.HEADER_BYTES;
    for (int i = 0; i < offsets.length; i++) {
      offsets[i] = (int) at;
      if (at >= 0 && i < header.blocks()) {
        ByteBuffer head = bytesAt(file, at, CompressedFormat.BLOCK_HEADER_BYTES);
        int length =
            head.limit() < CompressedFormat.BLOCK_HEADER_BYTES
                ? -1
                : CompressedFormat.claimedBytes(head, header, i);
        at = length < 0 ? -1 : at + CompressedFormat.BLOCK_HEADER_BYTES + length;
      }
    }
    return offsets;
  }

  /** Returns the damage of the file outside its blocks, for people; empty if there is none. */
  public Optional<String> damage() {
    return damage.isEmpty() ? Optional.empty() : Optional.of(damage);
  }

  /** Returns the size on the disk in bytes. */
  public long storedBytes() {
    return file.size();
  }

  /** Returns the sequence number of the log file. */
  public long sequence() {
    return header.sequence();
  }

  /** Returns the offset at which the log file's records end. */
  public long recordsEnd() {
    return header.recordsEnd();
  }

  @Override
  public String name() {
    return file.name();
  }

  /** Returns the size of the log file from which this file was made, in bytes. */
  @Override
  public long size() {
    return header.contentBytes();
  }

  @Override
  public int read(ByteBuffer into, long position) {
    int total = (int) Math.clamp(size() - position, 0, (long) into.remaining());
    int done = 0;
    while (done < total) {
      int number = header.blockAt(position + done);
      int within = (int) (position + done - header.startOf(number));
      int part = Math.min(total - done, header.plainBytes(number) - within);
      readBlock(number, within, part, into);
      done += part;
    }
    return total;
  }

  private void readBlock(int number, int within, int length, ByteBuffer into) {
    Optional<byte[]> kept = blocks.find(this, number);
    if (kept.isPresent()) {
      into.put(kept.get(), within, length);
      return;
    }
    int plain = header.plainBytes(number);
    int stored = offsets[number + 1] - offsets[number] - CompressedFormat.BLOCK_HEADER_BYTES;
    boolean isThere = offsets[number] > 0 && stored > 0 && stored <= plain;
    if (isThere && stored == plain) {
      readAsItIs(offsets[number] + CompressedFormat.BLOCK_HEADER_BYTES + within, length, into);
      return;
    }
    into.put(isThere ? decompressed(number, stored, plain).orElse(ZEROS) : ZEROS, within, length);
  }

  /** Reads a part of a block that is not compressed. The records in it have their own checksums. */
  private void readAsItIs(long at, int length, ByteBuffer into) {
    ByteBuffer part = into.slice(into.position(), length);
    int read = 0;
    try {
      read = file.read(part, at);
    } catch (DiskException unreadable) {
      // the rest becomes zeros
    }
    into.position(into.position() + read).put(ZEROS, 0, length - read);
  }

  private Optional<byte[]> decompressed(int number, int stored, int plain) {
    int length = CompressedFormat.BLOCK_HEADER_BYTES + stored;
    ByteBuffer block = bytesAt(file, offsets[number], length);
    return block.limit() == length && CompressedFormat.isBlock(block, header, number)
        ? blocks.decompress(
            this, number, block.position(CompressedFormat.BLOCK_HEADER_BYTES), plain)
        : Optional.empty();
  }

  /** Not for compressed files. */
  @Override
  public void write(ByteBuffer[] from, long position) {
    throw new UnsupportedOperationException(name() + " is compressed and cannot be written");
  }

  /** Not for compressed files. */
  @Override
  public void resize(long size) {
    throw new UnsupportedOperationException(name() + " is compressed and cannot be resized");
  }

  @Override
  public void sync() {
    file.sync();
  }

  @Override
  public void close() {
    blocks.closed(this);
    file.close();
  }
}
