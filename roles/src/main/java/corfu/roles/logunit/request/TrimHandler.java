package corfu.roles.logunit.request;

import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.store.AddressSpace;
import corfu.roles.logunit.store.Place;
import corfu.roles.logunit.store.Store;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/** Trims addresses, prefixes of the log, and prefixes of streams. */
public final class TrimHandler {

  private final Store store;
  private final AddressSpace space;
  private final Place place;
  private final Admission admission;

  /** Checks again whether an admitted request may still be served. */
  public interface Admission {
    void admit(LogUnitRequest request, Runnable serve, Consumer<Reply> reply);
  }

  public TrimHandler(Store store, Place place, Admission admission) {
    this.store = store;
    this.space = store.space();
    this.place = place;
    this.admission = admission;
  }

  public void trim(LogUnitRequest.Trim request, Consumer<Reply> reply) {
    List<Long> fresh = new ArrayList<>();
    Set<Long> blocks = new HashSet<>();
    Optional<CommitBatch> last = Optional.empty();
    for (int i = 0; i < request.addresses().count(); i++) {
      long address = request.addresses().at(i);
      long found = space.index().find(address);
      if (found == AddressIndex.TRIMMED) {
        last = space.later(last, space.unsettled(address, found));
      } else {
        fresh.add(address);
        blocks.add(TrimmedSet.baseOf(address));
      }
    }
    if (!fresh.isEmpty()) {
      if (!space.canKeep(blocks.size() * RecordFormat.sizeOf(TrimmedSet.BITMAP_BYTES))) {
        reply.accept(noSpaceForTrims());
        return;
      }
      space.trim(fresh);
      last = Optional.of(space.gathering());
    }
    finishTrim(last, reply);
  }

  public void prefixTrim(LogUnitRequest.PrefixTrim request, Consumer<Reply> reply) {
    AddressIndex index = space.index();
    Optional<CommitBatch> last = Optional.empty();
    if (request.before() > index.mark) {
      if (!space.canKeep(RecordFormat.sizeOf(0))) {
        reply.accept(noSpaceForTrims());
        return;
      }
      space.trimBefore(request.before());
      last = Optional.of(space.gathering());
    } else if (request.before() > index.settledMark) {
      last = space.unsettled(request.before() - 1, AddressIndex.TRIMMED);
    }
    finishTrim(last, reply);
  }

  private void finishTrim(Optional<CommitBatch> last, Consumer<Reply> reply) {
    Runnable done = () -> reply.accept(Reply.Done.DONE);
    Runnable undone = () -> reply.accept(noSpaceForTrims());
    last.ifPresentOrElse(batch -> batch.await(CommitBatch.Waiting.of(done, undone, reply)), done);
  }

  public void trimStream(LogUnitRequest.TrimStream request, Consumer<Reply> reply) {
    trimStream(new StreamTrim(space, request), reply);
  }

  private void trimStream(StreamTrim trim, Consumer<Reply> reply) {
    if (trim.isDone()) {
      reply.accept(Reply.Done.DONE);
    } else if (trim.next()) {
      Runnable settled = () -> trimmed(trim, reply);
      Runnable undone = () -> reply.accept(noSpaceForTrims());
      space.gathering().await(CommitBatch.Waiting.of(settled, undone, reply));
    } else {
      reply.accept(noSpaceForTrims());
    }
  }

  /**
   * Continues after a piece of the trim. Other requests have their turn before the next piece. The
   * store stays the same: after a reset, the trim's epoch is over.
   */
  private void trimmed(StreamTrim trim, Consumer<Reply> reply) {
    if (trim.isDone()) {
      reply.accept(Reply.Done.DONE);
    } else {
      place
          .background()
          .run(
              () -> {}, nothing -> admission.admit(trim.request(), () -> goOn(trim, reply), reply));
    }
  }

  private void goOn(StreamTrim trim, Consumer<Reply> reply) {
    trimStream(trim, reply);
    store.pause();
  }

  private Failure noSpaceForTrims() {
    return new Failure.Overloaded(
        "the disk of this log unit has no space left, not even for trims; free some in "
            + place.disk().description());
  }
}
