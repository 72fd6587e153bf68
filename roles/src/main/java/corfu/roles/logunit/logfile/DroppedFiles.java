package corfu.roles.logunit.logfile;

import corfu.roles.logunit.task.Maintenance;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The log files that nobody needs any more. They leave the inventory first, and are deleted when
 * the inventory without them is durable.
 */
public final class DroppedFiles {

  private static final Logger LOG = LoggerFactory.getLogger(DroppedFiles.class);

  private final LogFiles logFiles;
  private final Optional<Inventory> inventory;
  private final List<LogFile> leavers = new ArrayList<>(); // may still be in the inventory
  private List<LogFile> crossedOut = List.of(); // while the inventory is being written
  private final ArrayDeque<LogFile> toDelete = new ArrayDeque<>();

  DroppedFiles(LogFiles logFiles, Optional<Inventory> inventory) {
    this.logFiles = logFiles;
    this.inventory = inventory;
  }

  void add(LogFile logFile) {
    leavers.add(logFile);
  }

  /** Returns whether dropped files may still be in the inventory. */
  public boolean hasLeavers() {
    return !leavers.isEmpty();
  }

  /**
   * Returns the disk work that removes dropped files from the inventory. To be called after
   * everything accepted before is durable.
   */
  public Runnable takeStock() {
    crossedOut = List.copyOf(leavers);
    leavers.clear();
    List<Inventory.Item> stock = logFiles.durableStock();
    return () -> inventory.ifPresent(known -> known.shrink(stock));
  }

  /** Records whether the inventory was written. */
  public void stockTaken(boolean isDone) {
    (isDone ? toDelete : leavers).addAll(crossedOut);
    crossedOut = List.of();
  }

  /** Returns the deletion of all files that have left the inventory, or empty if there are none. */
  public Optional<Maintenance.Step> nextDeletion() {
    if (toDelete.isEmpty()) {
      return Optional.empty();
    }
    List<LogFile> all = new ArrayList<>(toDelete);
    toDelete.clear();
    return Optional.of(
        new Maintenance.Step(
            () -> {
              all.forEach(logFile -> logFiles.disk().delete(logFile.name()));
              logFiles.disk().syncNames();
            },
            failure -> {
              failure.ifPresent(
                  f ->
                      LOG.warn(
                          "cannot give space back in {}: {}",
                          logFiles.disk().description(),
                          f.getMessage()));
              all.forEach(logFile -> logFiles.measures(logFile, 0));
              logFiles.spare().tryAgain();
            }));
  }
}
