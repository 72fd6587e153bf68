package corfu.world;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One directory of files, owned by one process. File names are plain names without separators.
 *
 * <p>Nothing is durable until it is synced: a file's bytes by {@link DiskFile#sync}, its name
 * (creation, deletion, renaming) by {@link #syncNames}. All methods throw {@link DiskException},
 * and {@link DiskFullException} if the disk lacks space. Thread-safe.
 */
public interface Disk extends AutoCloseable {

  /** Returns the names of all files, in ascending order. */
  List<String> list();

  /** Returns whether a file of this name exists. */
  default boolean exists(String name) {
    return list().contains(name);
  }

  /** Creates an empty file for reading and writing. Fails if the name exists. */
  DiskFile create(String name);

  /** Opens an existing file for reading and writing. */
  DiskFile open(String name);

  /** Deletes a file and frees its space. Does nothing if the file does not exist. */
  void delete(String name);

  /** Renames a file atomically, replacing any file with the new name. */
  void rename(String from, String to);

  /** Makes all names durable. */
  void syncNames();

  /**
   * Allocates memory into which this disk reads its files with the fewest copies.
   *
   * @param bytes the size in bytes, from position 0 to the limit
   */
  default ByteBuffer memory(int bytes) {
    return ByteBuffer.allocate(bytes);
  }

  /** Returns the number of bytes that can still be written, as far as the disk can tell. */
  long freeBytes();

  /** Returns the directory's name for people, for messages. */
  String description();

  /** Gives up ownership of the directory. All files must have been closed before. */
  @Override
  void close();
}
