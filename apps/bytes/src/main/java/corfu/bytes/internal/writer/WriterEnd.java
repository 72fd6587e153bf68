package corfu.bytes.internal.writer;

import corfu.bytes.Owner;
import corfu.bytes.WriteOutcome;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.state.WriterMark;
import corfu.protocol.Address;
import corfu.runtime.AppendOutcomeUnknownException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The end of a writer: it leaves, or another one takes over. Ends its appends then. Guarded by the
 * lock of the player.
 */
final class WriterEnd {

  private final long epoch;
  private final WriterAppends appends;
  private final Consumer<Owner> whenFenced;
  private Optional<Owner> fencedBy = Optional.empty();
  private OptionalLong fencedAt = OptionalLong.empty(); // its log address, if that is known
  private boolean isStreamRead = true; // else the state came from another client's checkpoint
  private boolean hasLeft;
  private long leftAt; // the log address of the leave, once it is there

  /**
   * @param whenFenced receives the successor, once
   */
  WriterEnd(long epoch, WriterAppends appends, Consumer<Owner> whenFenced) {
    this.epoch = epoch;
    this.appends = appends;
    this.whenFenced = whenFenced;
  }

  /** Returns the successor, if the writer knows of one. */
  Optional<Owner> fencedBy() {
    return fencedBy;
  }

  boolean hasLeft() {
    return hasLeft;
  }

  void isFencedFromBeginning(WriterMark mark) {
    fencedBy = Optional.of(mark.lastHolder());
  }

  /** The state came from another client's checkpoint: entries behind the old one are unread. */
  void streamIsUnread() {
    isStreamRead = false;
  }

  /** Looks whether a state's writer is another one, or none: nothing behind has an effect then. */
  void noteWriter(WriterMark mark, List<Runnable> then) {
    if (mark.isHeldIn(epoch)) {
      return;
    }
    if (mark.epoch() == epoch) {
      hasLeft = true;
      leftAt = mark.since();
      for (WriterAppend append : appends.takeWaiting()) {
        leave(append, WriterAppends.address(append), then);
      }
      for (WriterAppend append : appends.takeDoubtful()) {
        leave(append, append.doubtful, then);
      }
      return;
    }
    Owner successor = mark.lastHolder();
    fencedBy = Optional.of(successor);
    fencedAt =
        mark.isHeld() && mark.epoch() == epoch + 1
            ? OptionalLong.of(mark.since())
            : OptionalLong.empty();
    for (WriterAppend append : appends.takeWaiting()) {
      fence(append, WriterAppends.address(append), then);
    }
    for (WriterAppend append : appends.takeDoubtful()) {
      fence(append, append.doubtful, then);
    }
    then.add(() -> whenFenced.accept(successor));
  }

  /**
   * Ends the writer's leave, or an append beside it.
   *
   * @param at where the entry is, or may be
   */
  void leave(WriterAppend append, Optional<Address> at, List<Runnable> then) {
    boolean isInFront = at.isPresent() && at.get().value() < leftAt;
    if (append.content.record() instanceof BytesRecord.GiveUp) {
      appends.settle(append, WriterAppends.written(leftAt), then);
    } else if (isInFront && append.appended.isPresent()) {
      appends.settle(append, WriterAppends.written(at.get().value()), then);
    } else if (isInFront && !isStreamRead) {
      appends.fail(append, unknown(at.get()), then);
    } else {
      var released = new IllegalStateException("the writer was released; take over again");
      appends.fail(append, released, then);
    }
  }

  private static AppendOutcomeUnknownException unknown(Address at) {
    return new AppendOutcomeUnknownException(at, "the stream is trimmed");
  }

  /**
   * Ends an append that no state has: its entry does not exist, or is behind the take-over, or
   * somebody has trimmed what tells.
   *
   * @param at where the entry is, or may be
   */
  void fence(WriterAppend append, Optional<Address> at, List<Runnable> then) {
    if (isStreamRead || at.isEmpty() || at.get().value() > fencedAt.orElse(Long.MAX_VALUE)) {
      appends.settle(append, new WriteOutcome.Fenced(fencedBy.orElseThrow()), then);
    } else if (fencedAt.isPresent() && append.appended.isPresent()) {
      appends.settle(append, WriterAppends.written(at.get().value()), then);
    } else {
      appends.fail(append, unknown(at.get()), then);
    }
  }
}
