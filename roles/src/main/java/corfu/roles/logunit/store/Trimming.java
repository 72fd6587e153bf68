package corfu.roles.logunit.store;

import corfu.roles.logunit.index.AddressIndex;
import corfu.roles.logunit.index.TrimmedSet;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.LogFiles;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Trims addresses together in memory, and can undo this if there is no space for their records. */
final class Trimming {

  private final AddressIndex index;
  private final LogFiles logFiles;
  private final Map<TrimmedSet.Block, List<Long>> changed = new LinkedHashMap<>();
  private final Set<LogFile> hurt = new LinkedHashSet<>();
  private final List<Dead> dead = new ArrayList<>();
  private long unknownBefore;

  /** A record that was trimmed. */
  private record Dead(long address, long location, long bytes) {}

  Trimming(AddressIndex index, LogFiles logFiles) {
    this.index = index;
    this.logFiles = logFiles;
  }

  void trim(long address) {
    long found = index.find(address);
    if (found == AddressIndex.TRIMMED) {
      return;
    }
    if (found >= 0) {
      LogFile logFile = logFiles.at(found);
      dead.add(new Dead(address, found, logFile.died()));
      hurt.add(logFile);
      index.records.remove(address);
    } else {
      unknownBefore = Math.max(unknownBefore, address + 1);
    }
    changed.computeIfAbsent(index.trimmed.add(address), block -> new ArrayList<>()).add(address);
  }

  /** Returns the blocks that need a new record. */
  Set<TrimmedSet.Block> changed() {
    return changed.keySet();
  }

  /** Returns the files whose records were trimmed. */
  Set<LogFile> hurt() {
    return hurt;
  }

  /** Returns the number of trimmed records. */
  int deadCount() {
    return dead.size();
  }

  /**
   * Returns the address behind the highest one whose content is unknown here, or 0 if there is
   * none.
   */
  long unknownBefore() {
    return unknownBefore;
  }

  /** Undoes the trims. Addresses that the mark has passed meanwhile stay trimmed. */
  void takeBack() {
    changed.forEach(index.trimmed::takeBack);
    for (Dead record : dead) {
      if (record.address >= index.settledMark) {
        index.records.put(record.address, record.location);
        logFiles.at(record.location).revived(record.bytes);
      }
    }
  }
}
