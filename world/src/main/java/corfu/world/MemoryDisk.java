package corfu.world;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Files in memory. Writing allocates the memory, and deleting a file frees it. Syncing does
 * nothing.
 */
public final class MemoryDisk implements Disk {

  private static final int CHUNK_BYTES = 1 << 18;

  private final ReentrantLock lock = new ReentrantLock();
  private final TreeMap<String, Content> files = new TreeMap<>();

  /** The content of a file. Chunks that were never written are absent and read as zeros. */
  private static final class Content {
    byte[][] chunks = new byte[0][];
    long size;
  }

  @Override
  public List<String> list() {
    lock.lock();
    try {
      return List.copyOf(files.keySet());
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DiskFile create(String name) {
    lock.lock();
    try {
      if (files.containsKey(name)) {
        throw new DiskException("cannot create " + name + " in memory: it exists");
      }
      Content content = new Content();
      files.put(name, content);
      return new MemoryFile(name, content);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public DiskFile open(String name) {
    lock.lock();
    try {
      Content content = files.get(name);
      if (content == null) {
        throw new DiskException("cannot open " + name + " in memory: there is none");
      }
      return new MemoryFile(name, content);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void delete(String name) {
    lock.lock();
    try {
      files.remove(name);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void rename(String from, String to) {
    lock.lock();
    try {
      Content content = files.remove(from);
      if (content == null) {
        throw new DiskException("cannot rename " + from + " in memory: there is none");
      }
      files.put(to, content);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void syncNames() {}

  /** Returns no bound: the heap is the only one. The users of this disk bound its size. */
  @Override
  public long freeBytes() {
    return Long.MAX_VALUE;
  }

  @Override
  public String description() {
    return "memory";
  }

  @Override
  public void close() {}

  private final class MemoryFile implements DiskFile {
    private final String name;
    private final Content content;

    MemoryFile(String name, Content content) {
      this.name = name;
      this.content = content;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public long size() {
      lock.lock();
      try {
        return content.size;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public int read(ByteBuffer into, long position) {
      lock.lock();
      try {
        int total = (int) Math.clamp(content.size - position, 0, (long) into.remaining());
        for (int done = 0; done < total; ) {
          long at = position + done;
          int within = (int) (at % CHUNK_BYTES);
          int part = Math.min(total - done, CHUNK_BYTES - within);
          into.put(chunk(at), within, part);
          done += part;
        }
        return total;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void write(ByteBuffer[] from, long position) {
      lock.lock();
      try {
        long at = position;
        for (ByteBuffer buffer : from) {
          while (buffer.hasRemaining()) {
            int within = (int) (at % CHUNK_BYTES);
            int part = Math.min(buffer.remaining(), CHUNK_BYTES - within);
            buffer.get(ownChunk(at), within, part);
            at += part;
          }
        }
        content.size = Math.max(content.size, at);
      } finally {
        lock.unlock();
      }
    }

    private byte[] chunk(long at) {
      int number = (int) (at / CHUNK_BYTES);
      return number < content.chunks.length && content.chunks[number].length > 0
          ? content.chunks[number]
          : ZEROS;
    }

    private byte[] ownChunk(long at) {
      int number = (int) (at / CHUNK_BYTES);
      if (number >= content.chunks.length) {
        int before = content.chunks.length;
        content.chunks = Arrays.copyOf(content.chunks, Math.max(number + 1, before * 2));
        Arrays.fill(content.chunks, before, content.chunks.length, NOTHING);
      }
      if (content.chunks[number].length == 0) {
        content.chunks[number] = new byte[CHUNK_BYTES];
      }
      return content.chunks[number];
    }

    @Override
    public void resize(long size) {
      lock.lock();
      try {
        for (int i = 0; i < content.chunks.length; i++) {
          long start = (long) i * CHUNK_BYTES;
          if (start >= size) {
            content.chunks[i] = NOTHING;
          } else if (start + CHUNK_BYTES > size && content.chunks[i].length > 0) {
            Arrays.fill(content.chunks[i], (int) (size - start), CHUNK_BYTES, (byte) 0);
          }
        }
        content.size = size;
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void sync() {}

    @Override
    public void close() {}
  }

  private static final byte[] NOTHING = new byte[0];
  private static final byte[] ZEROS = new byte[CHUNK_BYTES];
}
