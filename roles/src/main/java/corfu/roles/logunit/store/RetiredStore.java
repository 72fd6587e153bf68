package corfu.roles.logunit.store;

import corfu.roles.QuarantinedFiles;
import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.logfile.LogFiles;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A store whose content was voided: its files and the memory of its index. Both are freed in one
 * step, which may be slow. No other code uses them then.
 */
public final class RetiredStore implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(RetiredStore.class);

  private final Disk disk;
  private final LogFiles logFiles;
  private final AddressIndex index;
  private final Compression compression;
  private final long first;
  private final List<Runnable> onceCleared = new ArrayList<>();
  private boolean begun;
  private boolean cleared;

  /**
   * @param logFiles the voided log files
   * @param index the voided index
   * @param compression the compression of the voided files
   * @param first the lowest sequence number of a file that is not void
   */
  RetiredStore(LogFiles logFiles, AddressIndex index, Compression compression, long first) {
    this.disk = logFiles.disk();
    this.logFiles = logFiles;
    this.index = index;
    this.compression = compression;
    this.first = first;
  }

  /** Runs the action after everything is freed. */
  void onceCleared(Runnable then) {
    if (cleared) {
      then.run();
    } else {
      onceCleared.add(then);
    }
  }

  @Override
  public Optional<Maintenance.Step> next() {
    if (begun) {
      return Optional.empty();
    }
    begun = true;
    return Optional.of(new Maintenance.Step(this::clear, this::cleared));
  }

  private void clear() {
    index.close();
    compression.abandon();
    logFiles.closeFiles();
    for (String name : disk.list()) {
      if (LogFileName.isVoid(name, first)) {
        disk.delete(name);
      }
    }
    QuarantinedFiles.clear(disk);
    disk.syncNames();
  }

  /** Ends the deletion. The next start deletes what could not be deleted. */
  private void cleared(Optional<Throwable> failure) {
    failure.ifPresent(
        f ->
            LOG.warn(
                "cannot free the space of the old files after a reset in {}: {}",
                disk.description(),
                f.getMessage()));
    nobodyWaits();
  }

  /** Runs the actions that wait for the end. */
  void nobodyWaits() {
    cleared = true;
    onceCleared.forEach(Runnable::run);
    onceCleared.clear();
  }

  /** Frees the memory, and touches no file. */
  void abandon() {
    index.close();
  }
}
