package corfu.roles.logunit.request;

import corfu.protocol.Entry;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.stream.LocalEntries;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.StreamHeadersReader;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.streamindex.Blocks;
import java.util.List;
import java.util.Optional;

/**
 * Tells the streams of entries. Reads only the first bytes of an entry where the index of streams
 * confirms them, because the entry's checksum covers its whole payload. Otherwise reads and
 * verifies the whole entry.
 */
public final class EntryStreams implements LocalEntries {

  private final AddressSpace space;
  private final AddressIndex index;
  private final StreamHeadersReader headers;
  private final ReadHandler answers;

  public EntryStreams(AddressSpace space, ReadHandler answers) {
    this.space = space;
    this.index = space.index();
    this.headers = new StreamHeadersReader(space.logFiles());
    this.answers = answers;
  }

  @Override
  public Local at(long address) {
    long found = index.find(address);
    if (space.unsettled(address, found).isPresent()) {
      return Local.Unknown.UNSETTLED;
    }
    if (found < 0) {
      return found == AddressIndex.TRIMMED ? Local.Absent.TRIMMED : Local.Absent.UNWRITTEN;
    }
    if (Location.isHole(found)) {
      return Local.Absent.HOLE;
    }
    Optional<List<StreamId>> claimed =
        headers.claimed(address, found).filter(streams -> areIndexed(streams, address));
    return claimed.isPresent() ? new Local.Data(claimed.get()) : verified(address, found);
  }

  private boolean areIndexed(List<StreamId> streams, long address) {
    for (StreamId stream : streams) {
      int record = index.streams.find(stream);
      if (record == Blocks.NONE || !isIndexed(record, address)) {
        return false;
      }
    }
    return true;
  }

  private boolean isIndexed(int record, long address) {
    boolean[] isThere = new boolean[1];
    index
        .streams
        .postings()
        .descend(
            record,
            address + 1,
            Long.MAX_VALUE,
            (found, streamAddress) -> {
              isThere[0] = found == address;
              return false;
            });
    return isThere[0];
  }

  private Local verified(long address, long location) {
    return answers.entryAt(address, location) instanceof ReadOutcome.Found(Entry entry)
        ? new Local.Data(entry.streams().stream().map(StreamHeader::stream).toList())
        : Local.Unknown.CORRUPT;
  }
}
