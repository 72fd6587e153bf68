package corfu.bytes.internal.space;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.EntryPart;
import corfu.runtime.Log;
import corfu.runtime.stream.HeadRead;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the extents of a version that lie in an entry. The entry itself tells where they may be.
 * Others may lie elsewhere, because a range was copied.
 */
public final class EntryRests {

  /** The extents of a range of the version. */
  @FunctionalInterface
  public interface Extents {
    List<Extent> in(long offset, long length);
  }

  private final Log log;
  private final EntryDecoder decoder;
  private final Extents extents;

  public EntryRests(Log log, EntryDecoder decoder, Extents extents) {
    this.log = log;
    this.decoder = decoder;
    this.extents = extents;
  }

  /** Returns the extents that are found, each once. */
  public List<Extent> of(long address) {
    List<Extent> rests = new ArrayList<>();
    for (BytesRecord.BatchChange change : changes(address)) {
      switch (change) {
        case BytesRecord.Write(long offset, long position, long length) ->
            addRests(offset, length, address, rests);
        case BytesRecord.Move move -> addRests(move.offset(), move.length(), address, rests);
        case BytesRecord.Punch none -> {}
        case BytesRecord.Truncate none -> {}
      }
    }
    return rests.stream().distinct().toList();
  }

  private void addRests(long offset, long length, long address, List<Extent> rests) {
    for (Extent extent : extents.in(offset, length)) {
      if (extent.address() == address) {
        rests.add(extent);
      }
    }
  }

  private List<BytesRecord.BatchChange> changes(long address) {
    Address at = new Address(address);
    if (!(log.read(at, 0, EntryDecoder.HEAD_BYTES) instanceof EntryPart.Data data)) {
      return List.of();
    }
    var head = new HeadRead.Head(StreamAddress.ZERO, at, data.payloadBytes(), data.bytes());
    return decoder
        .decode(head)
        .map(
            content ->
                switch (content.record()) {
                  case BytesRecord.Batch batch -> batch.changes();
                  case BytesRecord.Write write -> List.<BytesRecord.BatchChange>of(write);
                  case BytesRecord other -> List.<BytesRecord.BatchChange>of();
                })
        .orElse(List.of());
  }
}
