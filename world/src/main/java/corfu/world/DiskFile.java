package corfu.world;

import java.nio.ByteBuffer;

/** An open file of a {@link Disk}. Reads may run beside each other and beside one writer. */
public interface DiskFile extends AutoCloseable {

  String name();

  /** Bytes up to the end of the file. */
  long size();

  /**
   * Reads from {@code position} until {@code into} is full or the file ends.
   *
   * @return the bytes read: fewer than wanted only at the end of the file, 0 behind it
   */
  int read(ByteBuffer into, long position);

  /**
   * Writes everything that remains in the buffers, one behind the other, from {@code position} on.
   */
  void write(ByteBuffer[] from, long position);

  /** Writes everything that remains in {@code from} at {@code position}. */
  default void write(ByteBuffer from, long position) {
    write(new ByteBuffer[] {from}, position);
  }

  /** Cuts the file, or extends it with zeros, to {@code size} bytes. */
  void resize(long size);

  /**
   * Returns once everything written before is durable. A failure means that any of it may be lost,
   * and stays lost.
   */
  void sync();

  @Override
  void close();
}
