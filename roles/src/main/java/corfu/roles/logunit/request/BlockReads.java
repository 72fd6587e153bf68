package corfu.roles.logunit.request;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Limits;
import corfu.protocol.PayloadRange;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.BlockReader;
import corfu.roles.logunit.store.AddressSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongPredicate;

/**
 * Answers requests for parts of entries. Reads only the needed blocks, or the whole entry where its
 * blocks prove nothing. Shows unsettled entries no more than {@link ReadHandler} does.
 */
public final class BlockReads {

  private static final int OUTCOME_BYTES = 16; // an outcome in a reply, without entry or blocks

  private final AddressSpace space;
  private final AddressIndex index;
  private final ReadHandler answers;
  private final ReplyMemory memory;
  private final BlockReader reader;
  private final long maxReplyBytes;

  public BlockReads(AddressSpace space, ReadHandler answers, Limits limits) {
    this.space = space;
    this.index = space.index();
    this.answers = answers;
    this.memory = new ReplyMemory(space.logFiles().disk()::memory);
    this.reader = new BlockReader(space.logFiles(), memory);
    this.maxReplyBytes = RequestValidator.mostReplyBytes(limits);
  }

  /**
   * Reads parts of entries. The answer's blocks are valid until the next answer.
   *
   * @param isUnconfirmed whether the entry at an address may not be on all replicas of its streams
   */
  public ReadHandler.Answer read(LogUnitRequest.ReadBlocks request, LongPredicate isUnconfirmed) {
    memory.begin();
    List<BlocksOutcome> outcomes = new ArrayList<>();
    long room = maxReplyBytes;
    long content = 0;
    for (PayloadRange range : request.ranges()) {
      long found = index.find(range.address());
      Optional<CommitBatch> unsettled = space.unsettled(range.address(), found);
      if (unsettled.isPresent() && outcomes.isEmpty()) {
        return new ReadHandler.Answer.After(unsettled.get());
      }
      if (unsettled.isPresent() || (content >= request.maxBytes() && !outcomes.isEmpty())) {
        break;
      }
      BlocksOutcome outcome = read(range, found, isUnconfirmed);
      int bytes = contentBytes(outcome);
      content += bytes;
      room -= OUTCOME_BYTES + bytes;
      if (!outcomes.isEmpty() && (content > request.maxBytes() || room < 0)) {
        break;
      }
      outcomes.add(outcome);
    }
    return new ReadHandler.Answer.Ready(new LogUnitReply.FoundBlocks(outcomes));
  }

  private BlocksOutcome read(PayloadRange range, long found, LongPredicate isUnconfirmed) {
    if (found < 0) {
      return found == AddressIndex.TRIMMED
          ? BlocksOutcome.Trimmed.TRIMMED
          : BlocksOutcome.Unwritten.UNWRITTEN;
    }
    if (isUnconfirmed.test(range.address())) {
      return BlocksOutcome.Unconfirmed.UNCONFIRMED;
    }
    Optional<EntryBlocks> blocks = reader.read(range, found);
    return blocks.isPresent()
        ? new BlocksOutcome.Found(blocks.get())
        : whole(answers.entryAt(range.address(), found));
  }

  private static BlocksOutcome whole(ReadOutcome outcome) {
    return switch (outcome) {
      case ReadOutcome.Found(Entry entry) -> new BlocksOutcome.Whole(entry);
      case ReadOutcome.Unconfirmed unconfirmed -> BlocksOutcome.Unconfirmed.UNCONFIRMED;
      case ReadOutcome.Unwritten unwritten -> BlocksOutcome.Unwritten.UNWRITTEN;
      case ReadOutcome.Trimmed trimmed -> BlocksOutcome.Trimmed.TRIMMED;
      case ReadOutcome.Corrupt(String detail) -> new BlocksOutcome.Corrupt(detail);
      case ReadOutcome.Forbidden forbidden -> BlocksOutcome.Forbidden.FORBIDDEN;
    };
  }

  private static int contentBytes(BlocksOutcome outcome) {
    return switch (outcome) {
      case BlocksOutcome.Found(EntryBlocks blocks) -> blocks.lengthBytes();
      case BlocksOutcome.Whole(Entry entry) -> entry.lengthBytes();
      case BlocksOutcome.Corrupt(String detail) -> 3 * detail.length();
      case BlocksOutcome.Unconfirmed unconfirmed -> 0;
      case BlocksOutcome.Unwritten unwritten -> 0;
      case BlocksOutcome.Trimmed trimmed -> 0;
      case BlocksOutcome.Forbidden forbidden -> 0;
    };
  }
}
