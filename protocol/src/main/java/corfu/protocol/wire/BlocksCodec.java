package corfu.protocol.wire;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Epoch;
import corfu.protocol.PayloadRange;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitRequest;
import java.util.ArrayList;
import java.util.List;

/** The bodies of requests for parts of entries, and of their replies. */
final class BlocksCodec {

  private static final int UNWRITTEN = 0;
  private static final int WHOLE = 1;
  private static final int TRIMMED = 2;
  private static final int CORRUPT = 3;
  private static final int UNCONFIRMED = 4;
  private static final int FOUND = 5;
  private static final int FORBIDDEN = 6;

  private BlocksCodec() {}

  static void encode(LogUnitRequest.ReadBlocks read, WireWriter out) {
    out.putInt(read.maxBytes());
    out.putInt(read.ranges().size());
    for (PayloadRange range : read.ranges()) {
      out.putLong(range.address());
      out.putInt(range.offset());
      out.putInt(range.length());
    }
  }

  static LogUnitRequest decodeRequest(Epoch epoch, WireReader in) {
    int maxBytes = in.getNonNegativeInt();
    int count = in.getCount(PayloadRange.BYTES);
    List<PayloadRange> ranges = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      ranges.add(new PayloadRange(in.getAddress(), in.getNonNegativeInt(), in.getNonNegativeInt()));
    }
    return new LogUnitRequest.ReadBlocks(epoch, ranges, maxBytes);
  }

  static void encode(LogUnitReply.FoundBlocks blocks, WireWriter out) {
    out.putInt(blocks.outcomes().size());
    for (BlocksOutcome outcome : blocks.outcomes()) {
      encode(outcome, out);
    }
  }

  private static void encode(BlocksOutcome outcome, WireWriter out) {
    switch (outcome) {
      case BlocksOutcome.Unwritten unwritten -> out.putByte(UNWRITTEN);
      case BlocksOutcome.Whole(Entry entry) -> {
        out.putByte(WHOLE);
        out.putEntry(entry);
      }
      case BlocksOutcome.Trimmed trimmed -> out.putByte(TRIMMED);
      case BlocksOutcome.Corrupt(String detail) -> {
        out.putByte(CORRUPT);
        Fields.putText(detail, out);
      }
      case BlocksOutcome.Unconfirmed unconfirmed -> out.putByte(UNCONFIRMED);
      case BlocksOutcome.Found(EntryBlocks found) -> {
        out.putByte(FOUND);
        out.putBlocks(found);
      }
      case BlocksOutcome.Forbidden forbidden -> out.putByte(FORBIDDEN);
    }
  }

  static LogUnitReply decodeReply(WireReader in) {
    int count = in.getCount(1);
    List<BlocksOutcome> outcomes = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      outcomes.add(decodeOutcome(in));
    }
    return new LogUnitReply.FoundBlocks(outcomes);
  }

  private static BlocksOutcome decodeOutcome(WireReader in) {
    int code = in.getByte();
    return switch (code) {
      case UNWRITTEN -> BlocksOutcome.Unwritten.UNWRITTEN;
      case WHOLE -> new BlocksOutcome.Whole(in.getEntry());
      case TRIMMED -> BlocksOutcome.Trimmed.TRIMMED;
      case CORRUPT -> new BlocksOutcome.Corrupt(in.getText());
      case UNCONFIRMED -> BlocksOutcome.Unconfirmed.UNCONFIRMED;
      case FOUND -> new BlocksOutcome.Found(in.getBlocks());
      case FORBIDDEN -> {
        in.expectVersion(EarlierVersions.ACCESS_VERSION);
        yield BlocksOutcome.Forbidden.FORBIDDEN;
      }
      default -> throw WireReader.malformed("has an unknown outcome of a read of blocks " + code);
    };
  }
}
