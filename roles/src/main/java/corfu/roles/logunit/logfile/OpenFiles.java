package corfu.roles.logunit.logfile;

import corfu.roles.logunit.compressed.BlockCache;
import corfu.roles.logunit.compressed.CompressedFile;
import corfu.world.Disk;
import corfu.world.DiskFile;
import java.util.LinkedHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finished log files that are open for reading. Their number is bounded; the least recently used
 * file is closed first.
 */
final class OpenFiles {

  /** Decompressed blocks of compressed files: a megabyte. */
  private static final int BLOCKS = 32;

  private final Disk disk;
  private final int limit;
  private final BlockCache blocks = new BlockCache(BLOCKS);
  private final LinkedHashMap<LogFile, DiskFile> open = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable LogFile newest; // the most recently used open file
  private @Nullable DiskFile newestFile;

  OpenFiles(Disk disk, int limit) {
    this.disk = disk;
    this.limit = limit;
  }

  DiskFile of(LogFile logFile) {
    DiskFile writing = logFile.writing;
    if (writing != null) {
      return writing;
    }
    if (logFile == newest && newestFile != null) {
      return newestFile;
    }
    DiskFile file = open.get(logFile);
    if (file == null) {
      if (open.size() >= limit) {
        open.pollFirstEntry().getValue().close();
      }
      file = CompressedFile.open(disk, logFile.name(), blocks);
      open.put(logFile, file);
    }
    newest = logFile;
    newestFile = file;
    return file;
  }

  void close(LogFile logFile) {
    newest = null;
    newestFile = null;
    DiskFile file = open.remove(logFile);
    if (file != null) {
      file.close();
    }
  }

  void closeAll() {
    newest = null;
    newestFile = null;
    open.values().forEach(DiskFile::close);
    open.clear();
  }
}
