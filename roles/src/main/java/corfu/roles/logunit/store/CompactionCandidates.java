package corfu.roles.logunit.store;

import corfu.roles.logunit.logfile.LogFile;
import java.util.ArrayDeque;
import java.util.List;

/** The log files that compaction examines next, each once. */
final class CompactionCandidates {

  private final ArrayDeque<LogFile> files = new ArrayDeque<>();
  private boolean hasNew;

  /** Adds a file of which some records died, or that was just finished. */
  void add(LogFile logFile) {
    if (!logFile.suspected && !logFile.dropped) {
      logFile.suspected = true;
      files.add(logFile);
      hasNew = true;
    }
  }

  /** Returns all candidates if some were added since the last call, or else none. */
  List<LogFile> allIfSomeAreNew() {
    if (!hasNew) {
      return List.of();
    }
    hasNew = false;
    return List.copyOf(files);
  }

  int count() {
    return files.size();
  }

  /** Removes and returns the first candidate. */
  LogFile remove() {
    LogFile logFile = files.remove();
    logFile.suspected = false;
    return logFile;
  }
}
