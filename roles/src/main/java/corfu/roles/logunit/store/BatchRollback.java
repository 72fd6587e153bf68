package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFileIndex;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.pagemap.Location;
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
  private final AddressSpace space;
  private final LogFiles logFiles;
  private final AddressIndex index;
  private final CommitQueue commits;

  BatchRollback(Store store, CommitQueue commits) {
    this.store = store;
    this.space = store.space();
    this.logFiles = space.logFiles();
    this.index = space.index();
    this.commits = commits;
  }

  /** Undoes these batches, cuts their files, and answers the waiting requests. */
  void undo(List<CommitBatch> batches) {
    LOG.warn("the disk is full: {}", logFiles.disk().description());
    Set<LogFile> lost = new LinkedHashSet<>();
    batches.forEach(batch -> batch.parts().forEach(part -> lost.add(part.logFile)));
    batches.reversed().forEach(batch -> batch.ifUndone().reversed().forEach(Runnable::run));
    lost.forEach(this::takeBack);
    Runnable cut = logFiles.abandon(List.copyOf(lost));
    List<CommitBatch.Waiting> waiting = new ArrayList<>();
    batches.forEach(batch -> waiting.addAll(batch.waiting()));
    cutFirst(cut, CUTS_TRIED, waiting);
    rewriteScattered();
  }

  private void takeBack(LogFile logFile) {
    LogFileIndex content = logFile.content();
    boolean[] gone = new boolean[content.count()];
    for (int i = content.count() - 1; i >= 0 && content.offset(i) >= logFile.settled; i--) {
      long location = Location.of(logFile.slot, content.offset(i), content.isHole(i));
      if (index.records.get(content.address(i)) == location) {
        index.records.remove(content.address(i));
        logFile.died();
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
      if (block.location == Location.NONE && !space.appendTrims(block)) {
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
  private void cutFirst(Runnable cut, int tries, List<CommitBatch.Waiting> waiting) {
    commits.addFirst(
        () -> cut,
        failure -> {
          if (failure.isEmpty()) {
            waiting.forEach(CommitBatch.Waiting::undone);
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
