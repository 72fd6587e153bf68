package corfu.world;

import java.nio.ByteBuffer;

/**
 * An open file of a {@link Disk}. Reads may run concurrently with each other and with one writer.
 */
public interface DiskFile extends AutoCloseable {

  String name();

  /** Returns the file's size in bytes. */
  long size();

  /**
   * Reads from {@code position} until {@code into} is full or the file ends.
   *
   * @return the number of bytes read: fewer than requested only at the end of the file, 0 behind it
   */
  int read(ByteBuffer into, long position);

  /**
   * Writes all remaining bytes of the buffers, one buffer behind the other, from {@code position}
   * on.
   */
  void write(ByteBuffer[] from, long position);

  /** Writes all remaining bytes of {@code from} at {@code position}. */
  default void write(ByteBuffer from, long position) {
    write(new ByteBuffer[] {from}, position);
  }

  /** Truncates the file, or extends it with zeros, to {@code size} bytes. */
  void resize(long size);

  /**
   * Returns after everything written before is durable. After a failure, any of it may be lost for
   * ever.
   */
  void sync();

  @Override
  void close();
}
