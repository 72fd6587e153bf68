package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.segment.Segments;
import corfu.roles.logunit.task.Maintenance;
import java.util.Optional;

/**
 * Deletes files in three steps, once nobody needs them: they are dropped, the {@code Inventory}
 * that does not name them becomes durable, they are deleted.
 */
final class DeferredDeletes implements Maintenance.Chore {

  private final Segments segments;
  private final CommitQueue commits;
  private boolean isTakingStock;

  DeferredDeletes(Segments segments, CommitQueue commits) {
    this.segments = segments;
    this.commits = commits;
  }

  /** The inventory is written where new files are: in the order of the commits. */
  @Override
  public Optional<Maintenance.Step> next() {
    if (segments.hasLeavers() && !isTakingStock) {
      isTakingStock = true;
      commits.add(segments::takeStock, this::stockTaken);
      commits.start();
    }
    return segments.nextDeletion();
  }

  /** Where there was no space for it they stay until the next try. */
  private void stockTaken(Optional<Throwable> failure) {
    isTakingStock = false;
    segments.stockTaken(failure.isEmpty());
  }
}
