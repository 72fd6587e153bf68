package corfu.roles.logunit.store;

import corfu.roles.logunit.commit.CommitQueue;
import corfu.roles.logunit.segment.Segments;
import corfu.roles.logunit.task.Upkeep;
import java.util.Optional;

/**
 * Files that nobody needs any more leave in three steps: they are dropped, the {@code Inventory}
 * that does not name them is durable, they are deleted.
 */
final class Departures implements Upkeep.Chore {

  private final Segments segments;
  private final CommitQueue commits;
  private boolean isTakingStock;

  Departures(Segments segments, CommitQueue commits) {
    this.segments = segments;
    this.commits = commits;
  }

  /** The inventory is written where new files are: in the order of the commits. */
  @Override
  public Optional<Upkeep.Step> next() {
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
