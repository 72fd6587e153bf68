package corfu.access.quota;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.CopiedRecord;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.Reply;
import corfu.protocol.message.ViewReply;

/** The size of the entries in a reply. */
final class ReplyBytes {

  private ReplyBytes() {}

  /** Returns the size of all entries, and parts of entries, that a reply shows, in bytes. */
  static long of(Reply reply) {
    return switch (reply) {
      case LogUnitReply.Reads(var outcomes) -> {
        long bytes = 0;
        for (ReadOutcome outcome : outcomes) {
          bytes += of(outcome);
        }
        yield bytes;
      }
      case LogUnitReply.FoundBlocks(var outcomes) -> {
        long bytes = 0;
        for (BlocksOutcome outcome : outcomes) {
          bytes += of(outcome);
        }
        yield bytes;
      }
      case LogUnitReply.Copied copied -> {
        long bytes = 0;
        for (CopiedRecord record : copied.records()) {
          bytes += of(record.outcome());
        }
        yield bytes;
      }
      case LogUnitReply.StreamEntries play -> of(play.entries());
      case LogUnitReply.Heard heard -> of(heard.entries());
      case ViewReply.Answered answered -> answered.answer().remaining();
      default -> 0;
    };
  }

  private static long of(Iterable<Entry> entries) {
    long bytes = 0;
    for (Entry entry : entries) {
      bytes += entry.lengthBytes();
    }
    return bytes;
  }

  private static long of(ReadOutcome outcome) {
    return switch (outcome) {
      case ReadOutcome.Found(Entry entry) -> entry.lengthBytes();
      case ReadOutcome.Unconfirmed(Entry entry) -> entry.lengthBytes();
      default -> 0;
    };
  }

  private static long of(BlocksOutcome outcome) {
    return switch (outcome) {
      case BlocksOutcome.Found(var blocks) -> blocks.lengthBytes();
      case BlocksOutcome.Whole(Entry entry) -> entry.lengthBytes();
      default -> 0;
    };
  }
}
