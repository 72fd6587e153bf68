package corfu.roles.logunit;

import corfu.world.Disk;
import corfu.world.DiskFile;
import java.util.LinkedHashMap;

/**
 * Finished segment files that are open for reading: a bounded number, the least recently used
 * closed first.
 */
final class OpenFiles {

  private final Disk disk;
  private final int limit;
  private final LinkedHashMap<Segment, DiskFile> open = new LinkedHashMap<>(16, 0.75f, true);

  OpenFiles(Disk disk, int limit) {
    this.disk = disk;
    this.limit = limit;
  }

  DiskFile of(Segment segment) {
    if (segment.writing != null) {
      return segment.writing;
    }
    DiskFile file = open.get(segment);
    if (file == null) {
      if (open.size() >= limit) {
        open.pollFirstEntry().getValue().close();
      }
      file = disk.open(segment.name());
      open.put(segment, file);
    }
    return file;
  }

  void close(Segment segment) {
    DiskFile file = open.remove(segment);
    if (file != null) {
      file.close();
    }
  }

  void closeAll() {
    open.values().forEach(DiskFile::close);
    open.clear();
  }
}
