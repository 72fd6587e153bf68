package corfu.roles.logunit.compressed;

import corfu.proof.fuzz.Bytes;
import corfu.proof.fuzz.FuzzTarget;
import corfu.roles.logunit.compressed.CompressedFormat.Header;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Compressed log files. A file is read as a compressed one or as it is. A compressed file has as
 * many bytes as its header claims, and they are the same in any order of reading.
 *
 * <p>If the first byte is odd, the checksums of both headers, the table and the first block are
 * corrected first.
 */
public final class CompressedFileTarget implements FuzzTarget {

  private static final String NAME = "segment";
  private static final String TEMPORARY = "temporary";
  private static final int PIECE_BYTES = 10_000;
  private static final int MOST_BYTES = 256 << 10;

  @Override
  public String name() {
    return "compressed-segment";
  }

  @Override
  public List<byte[]> seeds() {
    byte[] words =
        "entries of the log are much alike; "
            .repeat(30)
            .getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    byte[] small = compressed(words, words.length - 100);
    return List.of(
        Bytes.behind(0, small),
        Bytes.behind(1, small),
        Bytes.behind(1, compressed(new byte[70_000], 66_000)),
        Bytes.behind(0, compressed(new byte[] {1, 2, 3}, 3)));
  }

  private static byte[] compressed(byte[] content, int recordsEnd) {
    Disk disk = diskWith(ByteBuffer.wrap(content));
    CompressedCopy copy = CompressedCopy.begin(disk, NAME, TEMPORARY, 7, recordsEnd, 0x5eed);
    while (copy.doneBytes() < content.length) {
      copy.step();
    }
    copy.replace();
    try (DiskFile file = disk.open(NAME)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return bytes.array();
    }
  }

  private static Disk diskWith(ByteBuffer bytes) {
    Disk disk = new MemoryDisk();
    try (DiskFile file = disk.create(NAME)) {
      file.write(bytes, 0);
    }
    return disk;
  }

  @Override
  public void run(byte[] input) {
    ByteBuffer bytes = Bytes.from(input, 1);
    if (input.length > 0 && (input[0] & 1) != 0) {
      putRight(bytes);
    }
    try (DiskFile file = CompressedFile.open(diskWith(bytes), NAME)) {
      if (file instanceof CompressedFile compressed) {
        read(compressed);
      }
    }
  }

  private static void read(CompressedFile file) {
    int most = (int) Math.min(file.size(), MOST_BYTES);
    ByteBuffer whole = ByteBuffer.allocate(most);
    Bytes.same(most, file.read(whole, 0), "bytes read");
    ByteBuffer piece = ByteBuffer.allocate(PIECE_BYTES);
    for (int at = most / PIECE_BYTES * PIECE_BYTES; at >= 0; at -= PIECE_BYTES) {
      int length = Math.min(PIECE_BYTES, most - at);
      Bytes.same(length, file.read(piece.clear().limit(length), at), "bytes of a piece");
      Bytes.same(whole.slice(at, length), piece.flip(), "a piece read by itself");
    }
    Bytes.same(0, file.read(piece.clear(), file.size()), "bytes behind the end");
  }

  /** Corrects checksums: random bytes would never match them. */
  private static void putRight(ByteBuffer file) {
    int size = file.limit();
    if (size < 2 * CompressedFormat.HEADER_BYTES) {
      return;
    }
    int content = file.getInt(32) & 0xf_ffff;
    Header header =
        new Header(
            file.getLong(16),
            file.getLong(24),
            content,
            Math.min(content, file.getInt(36) & 0xf_ffff));
    ByteBuffer encoded = CompressedFormat.encode(header);
    file.put(0, encoded, 0, encoded.limit());
    file.put(size - encoded.limit(), encoded, 0, encoded.limit());
    int tableAt = size - encoded.limit() - header.tableBytes();
    if (tableAt < CompressedFormat.HEADER_BYTES) {
      return;
    }
    int end = tableAt + header.tableBytes() - Integer.BYTES;
    file.putInt(end, CompressedFormat.checksum(file, tableAt, end));
    int stored = file.getInt(CompressedFormat.HEADER_BYTES + 8);
    int room = tableAt - CompressedFormat.HEADER_BYTES - CompressedFormat.BLOCK_HEADER_BYTES;
    if (header.blocks() > 0 && stored > 0 && stored <= room) {
      ByteBuffer block =
          file.slice(CompressedFormat.HEADER_BYTES, CompressedFormat.BLOCK_HEADER_BYTES + stored)
              .order(file.order());
      CompressedFormat.putBlockHeader(block, header, 0, header.plainBytes(0));
    }
  }

  /** The disk allocates memory in large pieces, and the content is read twice. */
  @Override
  public long allowedBytes() {
    return 4 << 20;
  }

  @Override
  public long allowedBytesForEach() {
    return 4_096;
  }
}
