package corfu.protocol.wire;

import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.SequencerReply;

/**
 * Replies for clients of earlier versions, which do not know permissions and quotas. A missing
 * permission becomes {@link Failure.Refused} with the same text, and a used quota {@link
 * Failure.Overloaded}, after which these clients pause and try again. A reply that hides some
 * entries becomes a refusal as a whole. None of the earlier outcomes could say so: the entry
 * exists, is readable, and is not trimmed. Seals of tokens are left out: a server of an earlier
 * version checks none.
 */
final class EarlierVersions {

  /** The version that brought permissions and quotas. */
  static final int ACCESS_VERSION = 3;

  private EarlierVersions() {}

  /** Returns the message in the words of this version. */
  static Message inWordsOf(int version, Message message) {
    if (version >= ACCESS_VERSION) {
      return message;
    }
    return switch (message) {
      case Failure.Forbidden forbidden -> refused(forbidden.reason());
      case Failure.OverQuota over ->
          new Failure.Overloaded(over.reason() + "; wait for " + over.waitMillis() + " ms");
      case LogUnitReply reply when hidesEntries(reply) ->
          refused(
              "this client may not read some of these entries; read the others without them, or"
                  + " have an administrator grant the permission to read");
      case LogUnitRequest.Write write when !write.seals().isEmpty() ->
          new LogUnitRequest.Write(write.epoch(), write.entries());
      case SequencerReply.Tokens tokens when tokens.seal().isPresent() ->
          new SequencerReply.Tokens(tokens.first(), tokens.count());
      case SequencerReply.StreamTokens tokens when tokens.seal().isPresent() ->
          new SequencerReply.StreamTokens(tokens.outcomes());
      default -> message;
    };
  }

  /** Returns whether the reply has an outcome that earlier versions do not have. */
  static boolean hidesEntries(Message message) {
    return switch (message) {
      case LogUnitReply.Reads reads -> reads.outcomes().contains(ReadOutcome.Forbidden.FORBIDDEN);
      case LogUnitReply.FoundBlocks blocks ->
          blocks.outcomes().contains(BlocksOutcome.Forbidden.FORBIDDEN);
      case LogUnitReply.Copied copied ->
          copied.records().stream()
              .anyMatch(record -> record.outcome() instanceof ReadOutcome.Forbidden);
      default -> false;
    };
  }

  private static Failure refused(String reason) {
    return new Failure.Refused(Failure.Cause.MALFORMED, reason);
  }
}
