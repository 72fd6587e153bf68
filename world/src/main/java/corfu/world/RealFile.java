package corfu.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;

/** A file of the machine's file system. */
record RealFile(Path path, FileChannel channel) implements DiskFile {

  @Override
  public String name() {
    return path.getFileName().toString();
  }

  @Override
  public long size() {
    try {
      return channel.size();
    } catch (IOException e) {
      throw RealDisk.failure("ask for the size of", path, e);
    }
  }

  @Override
  public int read(ByteBuffer into, long position) {
    int total = 0;
    try {
      while (into.hasRemaining()) {
        int n = channel.read(into, position + total);
        if (n < 0) {
          break;
        }
        total += n;
      }
      return total;
    } catch (IOException e) {
      throw RealDisk.failure("read " + into.remaining() + " bytes at " + position + " of", path, e);
    }
  }

  /**
   * Uses the channel's own position, because each file has only one writer, and writes the buffers
   * by one gathering call.
   */
  @Override
  public void write(ByteBuffer[] from, long position) {
    try {
      channel.position(position);
      int first = 0;
      while (first < from.length) {
        channel.write(from, first, from.length - first);
        while (first < from.length && !from[first].hasRemaining()) {
          first++;
        }
      }
    } catch (IOException e) {
      throw RealDisk.failure("write at " + position + " of", path, e);
    }
  }

  @Override
  public void resize(long size) {
    try {
      long now = channel.size();
      if (size < now) {
        channel.truncate(size);
      } else if (size > now) {
        channel.write(ByteBuffer.allocate(1), size - 1);
      }
    } catch (IOException e) {
      throw RealDisk.failure("resize to " + size + " bytes", path, e);
    }
  }

  /**
   * Syncs the data only. Preallocation fixes the sizes, and the file system syncs a changed size
   * with the data anyway.
   */
  @Override
  public void sync() {
    try {
      channel.force(false);
    } catch (IOException e) {
      throw RealDisk.failure("sync", path, e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException e) {
      throw RealDisk.failure("close", path, e);
    }
  }
}
