package corfu.roles.logunit.request;

import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.streamindex.AddressPairs;
import corfu.roles.logunit.streamindex.Blocks;
import corfu.roles.logunit.streamindex.StreamIndex;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * A running trim of a stream. It trims, in one batch for each piece, the log addresses of entries
 * that no other stream still needs. The durable mark of the stream comes with the last piece. A
 * unit that stops in between has trimmed some of these addresses, and does not report the stream as
 * trimmed.
 */
final class StreamTrim {

  private static final int PIECE = 4096;

  private static final long RECORD_OF_BLOCK = RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES);
  private static final long RECORD_OF_MARK = RecordFormat.sizeOf(RecordFormat.STREAM_BYTES);

  private final LogUnitRequest.TrimStream request;
  private final AddressSpace space;
  private final StreamIndex streams;
  private long from;
  private boolean done;

  StreamTrim(AddressSpace space, LogUnitRequest.TrimStream request) {
    this.space = space;
    this.streams = space.index().streams;
    this.request = request;
    int record = streams.find(request.stream());
    this.from = record == Blocks.NONE ? 0 : streams.records().trimmedBefore(record);
    this.done = request.before() <= from;
  }

  LogUnitRequest.TrimStream request() {
    return request;
  }

  /** Returns whether nothing is left to do after the present pieces are settled. */
  boolean isDone() {
    return done;
  }

  /** Accepts the next piece. Returns false if there is no space for it. */
  boolean next() {
    AddressPairs piece = new AddressPairs();
    int record = streams.find(request.stream());
    if (record != Blocks.NONE) {
      streams
          .postings()
          .ascend(
              record,
              from,
              request.before(),
              (address, streamAddress) -> {
                piece.add(address, streamAddress);
                return piece.count() < PIECE;
              });
    }
    List<Long> fresh = new ArrayList<>();
    Set<Long> blocks = new HashSet<>();
    for (int i = 0; i < piece.count(); i++) {
      long address = piece.address(i);
      boolean needed = !streams.pass(record, address, piece.streamAddress(i));
      if (!needed && space.index().find(address) != AddressIndex.TRIMMED) {
        fresh.add(address);
        blocks.add(TrimmedSet.baseOf(address));
      }
    }
    if (!space.canKeep(blocks.size() * RECORD_OF_BLOCK + RECORD_OF_MARK)) {
      return false;
    }
    streams.died(piece.count() - fresh.size()); // the trim covers the others
    if (!fresh.isEmpty()) {
      space.trim(fresh);
    }
    if (piece.count() == PIECE) {
      from = piece.streamAddress(PIECE - 1) + 1;
    } else {
      space.trimStream(request.stream(), request.before());
      done = true;
    }
    return true;
  }
}
