package corfu.roles.logunit.request;

import corfu.protocol.Entry;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.stream.Followers;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Writes entries to unwritten addresses. For the other addresses, it answers with the present
 * entry.
 */
public final class WriteHandler {

  private final AddressSpace space;
  private final ReadHandler answers;
  private final Followers followers;
  private final long gatherBytes;

  /**
   * @param space the addresses to write
   * @param answers reads present entries
   * @param followers followers to which new entries are reported
   * @param gatherBytes the number of bytes that may wait for the disk before a write is refused
   */
  public WriteHandler(
      AddressSpace space, ReadHandler answers, Followers followers, long gatherBytes) {
    this.space = space;
    this.answers = answers;
    this.followers = followers;
    this.gatherBytes = gatherBytes;
  }

  public void write(List<Entry> entries, Consumer<Reply> reply) {
    if (isOverloaded(entries)) {
      reply.accept(overloaded());
      return;
    }
    WriteOutcome[] outcomes = new WriteOutcome[entries.size()];
    List<PendingWrite.Occupied> occupied = new ArrayList<>(0);
    Optional<CommitBatch> last = Optional.empty();
    boolean accepted = false;
    for (int i = 0; i < outcomes.length; i++) {
      Entry entry = entries.get(i);
      long address = entry.address();
      if (!entry.isIntact()) {
        outcomes[i] = WriteOutcome.Damaged.DAMAGED;
        continue;
      }
      long found = space.index().find(address);
      if (found == AddressIndex.UNWRITTEN) {
        boolean written = space.write(entry);
        outcomes[i] = written ? WriteOutcome.Written.WRITTEN : WriteOutcome.NoSpace.NO_SPACE;
        accepted |= written;
        if (written && followers.wants(entry)) {
          Entry kept = entry.copy(); // the request is answered before all followers have the entry
          space.gathering().onceSettled(() -> followers.settled(kept));
        }
        continue;
      }
      if (found == AddressIndex.TRIMMED) {
        outcomes[i] = WriteOutcome.Trimmed.TRIMMED;
      } else {
        occupied.add(new PendingWrite.Occupied(i, address, found));
      }
      last = space.later(last, space.unsettled(address, found));
    }
    PendingWrite pending = new PendingWrite(outcomes, occupied, this::winner, reply);
    (accepted ? Optional.of(space.gathering()) : last)
        .ifPresentOrElse(batch -> batch.await(pending), pending::settled);
  }

  private boolean isOverloaded(List<Entry> entries) {
    long gathered = space.gatheredBytes();
    if (gathered == 0) {
      return false;
    }
    long wanted = gathered;
    for (Entry entry : entries) {
      wanted += entry.lengthBytes();
    }
    return wanted > gatherBytes;
  }

  private Failure overloaded() {
    return new Failure.Overloaded(
        "more than %d bytes wait for this log unit's disk; send again later"
            .formatted(gatherBytes));
  }

  public WriteOutcome winner(long address, long location) {
    return answers.entryAt(address, location) instanceof ReadOutcome.Found(Entry entry)
        ? new WriteOutcome.Overwritten(entry.id(), entry.kind())
        : WriteOutcome.Corrupt.CORRUPT;
  }
}
