package corfu.roles.logunit.request;

import corfu.protocol.Entry;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.Purpose;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.store.AddressSpace;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Repairs unreadable entries with copies from other replicas. Registers stay write-once: a readable
 * entry stays, and an unreadable one is replaced by the entry that the chain decided, which the
 * client has read elsewhere. The unit checks this as far as it can: it does not replace data by a
 * hole, or a hole by data.
 */
public final class RepairHandler {

  private final AddressSpace space;
  private final ReadHandler answers;
  private final PendingWrite.Winners winners;

  public RepairHandler(AddressSpace space, ReadHandler answers, PendingWrite.Winners winners) {
    this.space = space;
    this.answers = answers;
    this.winners = winners;
  }

  public void repair(List<Entry> entries, Consumer<Reply> reply) {
    WriteOutcome[] outcomes = new WriteOutcome[entries.size()];
    List<PendingWrite.Occupied> occupied = new ArrayList<>(0);
    Optional<CommitBatch> last = Optional.empty();
    boolean accepted = false;
    for (int i = 0; i < outcomes.length; i++) {
      Entry entry = entries.get(i);
      long found = space.index().find(entry.address());
      Optional<CommitBatch> unsettled = space.unsettled(entry.address(), found);
      if (unsettled.isPresent()) {
        last = space.later(last, unsettled); // the address has an entry, which is still in memory
        occupied.add(new PendingWrite.Occupied(i, entry.address(), found));
        continue;
      }
      outcomes[i] = repair(entry, found);
      accepted |= outcomes[i] == WriteOutcome.Written.WRITTEN;
    }
    occupied.removeIf(late -> settledLate(late, outcomes));
    PendingWrite pending = new PendingWrite(outcomes, occupied, winners, reply);
    (accepted ? Optional.of(space.gathering()) : last)
        .ifPresentOrElse(batch -> batch.await(pending), pending::settled);
  }

  private static boolean settledLate(PendingWrite.Occupied late, WriteOutcome[] outcomes) {
    if (late.location() != AddressIndex.TRIMMED) {
      return false;
    }
    outcomes[late.index()] = WriteOutcome.Trimmed.TRIMMED;
    return true;
  }

  private WriteOutcome repair(Entry entry, long found) {
    if (!entry.isIntact()) {
      return WriteOutcome.Damaged.DAMAGED;
    }
    if (found == AddressIndex.TRIMMED) {
      return WriteOutcome.Trimmed.TRIMMED;
    }
    if (found == AddressIndex.UNWRITTEN) {
      return written(space.write(entry));
    }
    return switch (answers.entryAt(entry.address(), found)) {
      case ReadOutcome.Found(Entry there) -> {
        space.index().corrupt.isWell(entry.address());
        yield new WriteOutcome.Overwritten(there.id(), there.kind());
      }
      case ReadOutcome unreadable when Location.isHole(found) != entry.isHole() ->
          WriteOutcome.Corrupt.CORRUPT;
      case ReadOutcome unreadable -> written(writeAgain(entry, found));
    };
  }

  /** Writes an entry again. Reads use the new location once it is settled. */
  private boolean writeAgain(Entry entry, long unreadable) {
    long location = space.append(entry, Purpose.KEEPING);
    if (location == Location.NONE) {
      return false;
    }
    space.gathering().onceSettled(() -> isWrittenAgain(entry.address(), unreadable, location));
    return true;
  }

  private void isWrittenAgain(long address, long unreadable, long location) {
    AddressIndex index = space.index();
    if (index.find(address) == unreadable
        && answers.entryAt(address, location) instanceof ReadOutcome.Found(Entry entry)) {
      LogFile before = space.logFiles().at(unreadable);
      before.died();
      before.unreadable = false;
      space.logFiles().at(location).born(RecordFormat.sizeOf(entry.lengthBytes()));
      index.records.put(address, location);
      index.streams.add(entry);
      index.corrupt.repaired(address);
      space.suspect(before);
    }
  }

  private static WriteOutcome written(boolean isWritten) {
    return isWritten ? WriteOutcome.Written.WRITTEN : WriteOutcome.NoSpace.NO_SPACE;
  }
}
