package corfu.roles.logunit.logfile;

import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.DiskException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.Optional;

/**
 * Reads the streams of entries from the first bytes of their records. The entries are not verified.
 * Not thread-safe.
 */
public final class StreamHeadersReader {

  private static final int RECORD = RecordFormat.RECORD_HEADER_BYTES;

  /** The number of streams that most entries do not exceed. */
  private static final int USUAL_STREAMS = 4;

  private final LogFiles logFiles;
  private final ByteBuffer head =
      ByteBuffer.allocate(RECORD + Entry.HEADER_BYTES + USUAL_STREAMS * StreamHeader.BYTES)
          .order(ByteOrder.LITTLE_ENDIAN);

  public StreamHeadersReader(LogFiles logFiles) {
    this.logFiles = logFiles;
  }

  /**
   * Returns the streams that an entry's record claims, or empty if the entry has more than a few
   * streams or the record cannot be read.
   *
   * @param address the entry's address
   * @param location the place of its record
   */
  public Optional<List<StreamId>> claimed(long address, long location) {
    LogFile logFile = logFiles.at(location);
    int read;
    try {
      read = logFiles.fileOf(logFile).read(head.clear(), Location.offset(location));
    } catch (DiskException unreadable) {
      return Optional.empty();
    }
    if (read < RECORD + Entry.HEADER_BYTES) {
      return Optional.empty();
    }
    long nonce = logFile.nonce == 0 ? RecordFormat.claimedNonce(head, 0) : logFile.nonce;
    return RecordFormat.parse(head, 0, nonce)
        .filter(record -> record.kind() == RecordFormat.DATA && record.address() == address)
        .flatMap(record -> Entry.claimedStreams(head.slice(RECORD, read - RECORD)));
  }
}
