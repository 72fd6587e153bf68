package corfu.bytes;

import corfu.bytes.internal.extent.Extent;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.EntryPart;
import corfu.runtime.stream.HeadRead;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the extents of a version that lie in an entry. The entry itself tells where they may be.
 * Others may lie elsewhere, because a range was copied.
 */
final class EntryRests {

  private final BytesStore store;
  private final BytesView view;

  EntryRests(BytesStore store, BytesView view) {
    this.store = store;
    this.view = view;
  }

  /** Returns the extents that are found, each once. */
  List<Extent> of(long address) {
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
    for (Extent extent : view.extents(offset, length, offset)) {
      if (extent.address() == address) {
        rests.add(extent);
      }
    }
  }

  private List<BytesRecord.BatchChange> changes(long address) {
    Address at = new Address(address);
    if (!(store.log().read(at, 0, EntryDecoder.HEAD_BYTES) instanceof EntryPart.Data data)) {
      return List.of();
    }
    var head = new HeadRead.Head(StreamAddress.ZERO, at, data.payloadBytes(), data.bytes());
    return store
        .decoder()
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
