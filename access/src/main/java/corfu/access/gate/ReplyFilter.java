package corfu.access.gate;

import corfu.protocol.Entry;
import corfu.protocol.EntryBlocks;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.BlocksOutcome;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.NodeReply;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.LocalEntries.Local;
import corfu.protocol.stream.StreamTail;
import java.util.ArrayList;
import java.util.List;

/**
 * Hides in replies what a client may not see. Decides when the reply leaves, so that a change of
 * the policy counts for requests that have waited.
 */
final class ReplyFilter {

  private static final String UNREADABLE =
      "the entry cannot be read on this log unit; other replicas may have it";

  private final LocalEntries entries;

  ReplyFilter(LocalEntries entries) {
    this.entries = entries;
  }

  /** Returns the reply without the parts that the client may not see. */
  Reply filtered(Reply reply, IdentitySession who) {
    return switch (reply) {
      case LogUnitReply.Reads(var outcomes) -> reads(outcomes, reply, who);
      case LogUnitReply.FoundBlocks(var outcomes) -> blocks(outcomes, reply, who);
      case LogUnitReply.Heard heard -> heard(heard, who);
      case NodeReply.Status status -> status(status, who);
      default -> reply;
    };
  }

  private Reply reads(List<ReadOutcome> outcomes, Reply reply, IdentitySession who) {
    for (int i = 0; i < outcomes.size(); i++) {
      if (visible(outcomes.get(i), who) != outcomes.get(i)) {
        return new LogUnitReply.Reads(
            outcomes.stream().map(outcome -> visible(outcome, who)).toList());
      }
    }
    return reply;
  }

  /** Returns the same outcome, or another one that hides it. */
  private static ReadOutcome visible(ReadOutcome outcome, IdentitySession who) {
    return switch (outcome) {
      case ReadOutcome.Found(Entry entry) ->
          who.maySee(entry) ? outcome : ReadOutcome.Forbidden.FORBIDDEN;
      case ReadOutcome.Unconfirmed(Entry entry) ->
          who.maySee(entry) ? outcome : ReadOutcome.Forbidden.FORBIDDEN;
      case ReadOutcome.Corrupt corrupt ->
          seesDetails(who) ? outcome : new ReadOutcome.Corrupt(UNREADABLE);
      case ReadOutcome.Unwritten unwritten -> outcome;
      case ReadOutcome.Trimmed trimmed -> outcome;
      case ReadOutcome.Forbidden forbidden -> outcome;
    };
  }

  /** The detail of a corrupt entry names files of the server. */
  private static boolean seesDetails(IdentitySession who) {
    return who.has(Permission.OBSERVE);
  }

  private Reply blocks(List<BlocksOutcome> outcomes, Reply reply, IdentitySession who) {
    List<BlocksOutcome> visible = new ArrayList<>(outcomes.size());
    boolean isSame = true;
    for (BlocksOutcome outcome : outcomes) {
      BlocksOutcome shown = visible(outcome, who);
      isSame &= shown == outcome;
      visible.add(shown);
    }
    return isSame ? reply : new LogUnitReply.FoundBlocks(visible);
  }

  private BlocksOutcome visible(BlocksOutcome outcome, IdentitySession who) {
    return switch (outcome) {
      case BlocksOutcome.Found(EntryBlocks blocks) ->
          maySee(blocks.address(), who) ? outcome : BlocksOutcome.Forbidden.FORBIDDEN;
      case BlocksOutcome.Whole(Entry entry) ->
          who.maySee(entry) ? outcome : BlocksOutcome.Forbidden.FORBIDDEN;
      case BlocksOutcome.Corrupt corrupt ->
          seesDetails(who) ? outcome : new BlocksOutcome.Corrupt(UNREADABLE);
      case BlocksOutcome.Unconfirmed unconfirmed -> outcome;
      case BlocksOutcome.Unwritten unwritten -> outcome;
      case BlocksOutcome.Trimmed trimmed -> outcome;
      case BlocksOutcome.Forbidden forbidden -> outcome;
    };
  }

  /** Blocks do not name the streams of their entry, so the log unit tells them. */
  private boolean maySee(long address, IdentitySession who) {
    return entries.at(address) instanceof Local.Data(List<StreamId> streams) && who.maySee(streams);
  }

  /**
   * Pushed entries are a hint. A client that learns that some are missing reads the log, and is
   * refused there.
   */
  private static Reply heard(LogUnitReply.Heard heard, IdentitySession who) {
    for (Entry entry : heard.entries()) {
      if (!who.maySee(entry)) {
        return new LogUnitReply.Heard(true, heard.entries().stream().filter(who::maySee).toList());
      }
    }
    return heard;
  }

  /** Failures and rebuilds of a server are for observers. */
  private static Reply status(NodeReply.Status status, IdentitySession who) {
    Health health = status.health();
    return who.has(Permission.OBSERVE)
        ? status
        : new NodeReply.Status(
            status.server(),
            status.cluster(),
            status.epoch(),
            status.roles(),
            new Health(
                health.logUnit(),
                health.sequencer(),
                health.layoutServer(),
                health.unit(),
                health.acceptor(),
                ""),
            List.of());
  }

  /** Returns the streams of a list that the client may read. */
  static List<StreamTail> visible(List<StreamTail> tails, IdentitySession who) {
    return tails.stream().filter(tail -> who.may(Permission.READ, tail.stream())).toList();
  }
}
