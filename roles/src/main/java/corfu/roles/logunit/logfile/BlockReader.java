package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.EntryOutline;
import corfu.protocol.PayloadBlocks;
import corfu.protocol.PayloadRange;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.DiskException;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Optional;
import java.util.function.IntFunction;

/**
 * Reads blocks of entries from log files, and nothing else of the entries but the first bytes and
 * the checksums of those blocks. The blocks are verified.
 */
public final class BlockReader {

  private static final int RECORD = RecordFormat.RECORD_HEADER_BYTES;

  private final LogFiles logFiles;
  private final IntFunction<ByteBuffer> memory;
  private final ByteBuffer head =
      ByteBuffer.allocate(RECORD + Entry.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /**
   * @param logFiles the log files
   * @param memory allocates memory for blocks
   */
  public BlockReader(LogFiles logFiles, IntFunction<ByteBuffer> memory) {
    this.logFiles = logFiles;
    this.memory = memory;
  }

  /**
   * Returns the blocks that have the range's bytes, or empty if the entry has no block checksums or
   * cannot be read in this way. Then the whole entry tells more.
   *
   * @param location the place of the entry's record
   */
  public Optional<EntryBlocks> read(PayloadRange range, long location) {
    LogFile logFile = logFiles.at(location);
    long offset = Location.offset(location);
    try {
      DiskFile file = logFiles.fileOf(logFile);
      return outline(file, logFile.nonce, offset)
          .filter(entry -> entry.address() == range.address())
          .flatMap(entry -> blocks(file, offset + RECORD, entry, range))
          .filter(EntryBlocks::isIntact);
    } catch (DiskException unreadable) {
      return Optional.empty();
    }
  }

  private Optional<EntryOutline> outline(DiskFile file, long nonce, long offset) {
    if (!isFilled(file, head.clear(), offset)) {
      return Optional.empty();
    }
    long expected = nonce == 0 ? RecordFormat.claimedNonce(head, 0) : nonce;
    Optional<RecordFormat.Header> record = RecordFormat.parse(head, 0, expected);
    return EntryOutline.of(head.slice(RECORD, Entry.HEADER_BYTES))
        .filter(
            entry ->
                record.isPresent()
                    && record.get().kind() == RecordFormat.DATA
                    && record.get().address() == entry.address()
                    && record.get().length() == entry.lengthBytes());
  }

  private Optional<EntryBlocks> blocks(
      DiskFile file, long entryAt, EntryOutline entry, PayloadRange range) {
    PayloadBlocks blocks = entry.blocks();
    int first = blocks.blockAt(range.offset());
    int count = blocks.blockAt((long) range.offset() + range.length() - 1) - first + 1;
    ByteBuffer bytes =
        memory.apply(EntryBlocks.lengthOf(blocks, first, count)).order(ByteOrder.LITTLE_ENDIAN);
    EntryBlocks.putHeader(bytes, entry, first, count);
    int payloadAt = EntryBlocks.HEADER_BYTES + count * Integer.BYTES;
    ByteBuffer checksums = bytes.slice(EntryBlocks.HEADER_BYTES, count * Integer.BYTES);
    ByteBuffer payload = bytes.slice(payloadAt, bytes.capacity() - payloadAt);
    return isFilled(file, checksums, entryAt + entry.checksumAt(first))
            && isFilled(file, payload, entryAt + entry.blockAt(first))
        ? Optional.of(EntryBlocks.wrap(bytes))
        : Optional.empty();
  }

  private static boolean isFilled(DiskFile file, ByteBuffer into, long offset) {
    return file.read(into, offset) == into.capacity();
  }
}
