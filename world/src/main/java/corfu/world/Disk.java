package corfu.world;

import java.nio.ByteBuffer;
import java.util.List;

/**
 * One directory of files, owned by one process. File names are plain names without separators.
 *
 * <p>Nothing is durable until it is synced: a file's bytes by {@link DiskFile#sync}, its name
 * (creation, deletion, renaming) by {@link #syncNames}. All methods throw {@link DiskException},
 * and {@link DiskFullException} where space was the reason. Thread-safe.
 */
public interface Disk extends AutoCloseable {

  /** The names of all files, in ascending order. */
  List<String> list();

  /** Whether a file of this name exists. */
  default boolean exists(String name) {
    return list().contains(name);
  }

  /** Creates an empty file for reading and writing; fails where the name exists. */
  DiskFile create(String name);

  /** Opens an existing file for reading and writing. */
  DiskFile open(String name);

  /** Removes a file and gives its space back; does nothing where there is none. */
  void delete(String name);

  /** Gives a file another name, replacing what had it, in one step. */
  void rename(String from, String to);

  /** Makes names durable. */
  void syncNames();

  /**
   * Fresh memory that its files are read into with the fewest copies.
   *
   * @param bytes how much, from position 0 to the limit
   */
  default ByteBuffer memory(int bytes) {
    return ByteBuffer.allocate(bytes);
  }

  /** Bytes that can still be written, as far as the disk can tell. */
  long freeBytes();

  /** What a person would call this directory; for messages. */
  String description();

  /** Gives up ownership of the directory. Open files must have been closed. */
  @Override
  void close();
}
