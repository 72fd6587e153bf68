package corfu.roles;

import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.MemoryDisk;
import java.nio.ByteBuffer;

/** Files that are stored twice, made from random bytes. */
public final class TwinFiles {

  private static final int MAX_BYTES = 1 << 20;

  private TwinFiles() {}

  /** Returns a disk with one file of exactly these bytes. */
  public static Disk raw(String name, ByteBuffer bytes) {
    Disk disk = new MemoryDisk();
    try (DiskFile file = disk.create(name)) {
      file.write(bytes, 0);
    }
    return disk;
  }

  /** Returns a disk with one intact file of this content. */
  public static Disk intact(String name, long magic, int version, ByteBuffer content) {
    Disk disk = new MemoryDisk();
    new TwinFile(disk, name, magic, version, MAX_BYTES).write(content);
    return disk;
  }

  /** Returns the bytes of a file. */
  public static byte[] bytesOf(Disk disk, String name) {
    try (DiskFile file = disk.open(name)) {
      ByteBuffer bytes = ByteBuffer.allocate((int) file.size());
      file.read(bytes, 0);
      return bytes.array();
    }
  }
}
