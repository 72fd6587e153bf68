package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.Batch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.pagemap.Location;
import corfu.roles.logunit.segment.Segment;
import corfu.roles.logunit.segment.SegmentIndex;
import corfu.roles.logunit.segment.Segments;
import corfu.world.DiskFullException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Rolls back batches for which the disk had no space. */
final class BatchRollback {

  private static final Logger LOG = LoggerFactory.getLogger(BatchRollback.class);
  private static final int CUTS_TRIED = 3;

  private final Store store;
  private final Segments segments;
  private final AddressIndex index;
  private final CommitQueue commits;

  BatchRollback(Store store, Segments segments, AddressIndex index, CommitQueue commits) {
    this.store = store;
    this.segments = segments;
    this.index = index;
    this.commits = commits;
  }

  /** Undoes these batches, cuts their files, and answers the waiting requests. */
  void undo(List<Batch> batches) {
    LOG.warn("the disk is full: {}", segments.disk().description());
    Set<Segment> lost = new LinkedHashSet<>();
    batches.forEach(batch -> batch.parts().forEach(part -> lost.add(part.segment)));
    batches.reversed().forEach(batch -> batch.ifUndone().reversed().forEach(Runnable::run));
    lost.forEach(this::takeBack);
    Runnable cut = segments.abandon(List.copyOf(lost));
    List<Batch.Waiting> waiting = new ArrayList<>();
    batches.forEach(batch -> waiting.addAll(batch.waiting()));
    cutFirst(cut, CUTS_TRIED, waiting);
    rewriteScattered();
  }

  private void takeBack(Segment segment) {
    SegmentIndex content = segment.content();
    boolean[] gone = new boolean[content.count()];
    for (int i = content.count() - 1; i >= 0 && content.offset(i) >= segment.settled; i--) {
      long location = Location.of(segment.slot, content.offset(i), content.isHole(i));
      if (index.records.get(content.address(i)) == location) {
        index.records.remove(content.address(i));
        segment.died();
        gone[i] = true;
      }
    }
    content
        .streams()
        .forEach(
            (entry, stream, streamAddress) -> {
              if (gone[entry]) {
                index.streams.takeBack(stream, content.address(entry));
              }
            });
  }

  /**
   * Writes trims again that no single record holds, because the unit has not written one since its
   * start.
   */
  private void rewriteScattered() {
    for (TrimmedSet.Block block : index.trimmed.blocks()) {
      if (block.location == Location.NONE && !store.appendTrims(block)) {
        store.breakDown(
            new DiskFullException("there is no space for trims that a start has to repeat"));
        return;
      }
    }
  }

  /**
   * Cuts the files before anything else is written, and before any request is told that it had no
   * effect. A full disk may refuse even this for a moment.
   */
  private void cutFirst(Runnable cut, int tries, List<Batch.Waiting> waiting) {
    commits.addFirst(
        () -> cut,
        failure -> {
          if (failure.isEmpty()) {
            waiting.forEach(Batch.Waiting::undone);
          } else if (!store.isBroken() && failure.get() instanceof DiskFullException && tries > 1) {
            cutFirst(cut, tries - 1, waiting);
          } else {
            if (!store.isBroken()) {
              store.breakDown(failure.get());
            }
            waiting.forEach(who -> who.broken(store.brokenBecause()));
          }
        });
  }
}
