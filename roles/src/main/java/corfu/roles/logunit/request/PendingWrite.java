package corfu.roles.logunit.request;

import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.commit.CommitBatch;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;

/** A write request between its acceptance and its answer. */
final class PendingWrite implements CommitBatch.Waiting {

  private final WriteOutcome[] outcomes;
  private final Occupied[] occupied; // empty if all addresses were unwritten
  private final Consumer<Reply> reply;
  private final Winners winners;

  /**
   * An entry whose address has another entry, at this location. Later changes of that entry do not
   * affect the answer.
   */
  record Occupied(int index, long address, long location) {}

  /** Tells the content of an address when it may be shown. */
  public interface Winners {

    /** Returns the outcome of a write that came too late. */
    WriteOutcome at(long address, long location);
  }

  PendingWrite(
      WriteOutcome[] outcomes, List<Occupied> occupied, Winners winners, Consumer<Reply> reply) {
    this.outcomes = outcomes;
    this.occupied = occupied.toArray(Occupied[]::new);
    this.winners = winners;
    this.reply = reply;
  }

  @Override
  public void settled() {
    for (Occupied late : occupied) {
      outcomes[late.index] = winners.at(late.address, late.location);
    }
    reply.accept(new LogUnitReply.Writes(Arrays.asList(outcomes)));
  }

  /**
   * Answers after the disk was full. An earlier writer, or a trim of the address, may have had no
   * effect either. It is certain that this request has none.
   */
  @Override
  public void undone() {
    for (int i = 0; i < outcomes.length; i++) {
      if (outcomes[i] == WriteOutcome.Written.WRITTEN
          || outcomes[i] == WriteOutcome.Trimmed.TRIMMED) {
        outcomes[i] = WriteOutcome.NoSpace.NO_SPACE;
      }
    }
    for (Occupied late : occupied) {
      outcomes[late.index] = WriteOutcome.NoSpace.NO_SPACE;
    }
    reply.accept(new LogUnitReply.Writes(Arrays.asList(outcomes)));
  }

  @Override
  public void broken(String reason) {
    reply.accept(new Failure.Broken(reason));
  }
}
