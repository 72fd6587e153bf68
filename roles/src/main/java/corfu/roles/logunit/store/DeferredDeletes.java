package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.logfile.DroppedFiles;
import corfu.roles.logunit.task.Maintenance;
import java.util.Optional;

/**
 * Deletes unneeded files in three steps: they are dropped, an {@code Inventory} without them
 * becomes durable, and they are deleted.
 */
final class DeferredDeletes implements Maintenance.Chore {

  private final DroppedFiles dropped;
  private final CommitQueue commits;
  private boolean isTakingStock;

  DeferredDeletes(DroppedFiles dropped, CommitQueue commits) {
    this.dropped = dropped;
    this.commits = commits;
  }

  /** {@inheritDoc} The inventory is written in the order of the commits, as for new files. */
  @Override
  public Optional<Maintenance.Step> next() {
    if (dropped.hasLeavers() && !isTakingStock) {
      isTakingStock = true;
      commits.add(dropped::takeStock, this::stockTaken);
      commits.start();
    }
    return dropped.nextDeletion();
  }

  /**
   * Ends the writing of the inventory. If there was no space for it, the files stay until the next
   * try.
   */
  private void stockTaken(Optional<Throwable> failure) {
    isTakingStock = false;
    dropped.stockTaken(failure.isEmpty());
  }
}
