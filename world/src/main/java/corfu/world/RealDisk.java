package corfu.world;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A directory of the machine's file system, held by a lock file while it is open. */
public final class RealDisk implements Disk {

  private static final String LOCK = "lock";

  private final Path directory;
  private final FileChannel lockChannel;

  private RealDisk(Path directory, FileChannel lockChannel) {
    this.directory = directory;
    this.lockChannel = lockChannel;
  }

  /**
   * Opens the directory, creating it where it is missing.
   *
   * @throws DirectoryInUseException if another server owns it
   */
  public static RealDisk open(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new DirectoryInUseException(
            "directory " + directory + " is in use by another running server; stop that one or choose another directory");
      }
      return new RealDisk(directory, channel);
    } catch (IOException e) {
      throw failure("open directory", directory, e);
    }
  }

  private static FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException held) {
      return null;
    }
  }

  @Override
  public List<String> list() {
    try (Stream<Path> files = Files.list(directory)) {
      return files.map(file -> file.getFileName().toString()).filter(name -> !name.equals(LOCK)).sorted().toList();
    } catch (IOException e) {
      throw failure("list", directory, e);
    }
  }

  @Override
  public boolean exists(String name) {
    return Files.exists(directory.resolve(name));
  }

  @Override
  public DiskFile create(String name) {
    return file(name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  @Override
  public DiskFile open(String name) {
    return file(name, StandardOpenOption.READ, StandardOpenOption.WRITE);
  }

  private DiskFile file(String name, StandardOpenOption... how) {
    Path path = directory.resolve(name);
    try {
      return new RealFile(path, FileChannel.open(path, how));
    } catch (IOException e) {
      throw failure("open", path, e);
    }
  }

  @Override
  public void delete(String name) {
    Path path = directory.resolve(name);
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw failure("delete", path, e);
    }
  }

  @Override
  public void rename(String from, String to) {
    Path path = directory.resolve(from);
    try {
      Files.move(path, directory.resolve(to), StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw failure("rename to " + to, path, e);
    }
  }

  @Override
  public void syncNames() {
    try (FileChannel names = FileChannel.open(directory, StandardOpenOption.READ)) {
      names.force(true);
    } catch (IOException e) {
      throw failure("sync directory", directory, e);
    }
  }

  @Override
  public long freeBytes() {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      throw failure("ask for the free space of", directory, e);
    }
  }

  @Override
  public String description() {
    return directory.toString();
  }

  @Override
  public void close() {
    try {
      lockChannel.close();
    } catch (IOException e) {
      throw failure("unlock", directory, e);
    }
  }

  private static DiskException failure(String call, Path path, IOException e) {
    String reason = String.valueOf(e.getMessage());
    String message = "cannot " + call + " " + path + ": " + reason;
    boolean full = reason.toLowerCase(Locale.ROOT).contains("no space left") || reason.contains("Disk quota exceeded");
    return full ? new DiskFullException(message, e) : new DiskException(message, e);
  }

  private record RealFile(Path path, FileChannel channel) implements DiskFile {

    @Override
    public String name() {
      return path.getFileName().toString();
    }

    @Override
    public long size() {
      try {
        return channel.size();
      } catch (IOException e) {
        throw failure("ask for the size of", path, e);
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
        throw failure("read " + into.remaining() + " bytes at " + position + " of", path, e);
      }
    }

    /** One writer a file, so the channel's own position serves, and the buffers go out by one gathering call. */
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
        throw failure("write at " + position + " of", path, e);
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
        throw failure("resize to " + size + " bytes", path, e);
      }
    }

    /** Data only: sizes are fixed by preallocation, and the file system syncs a changed size with the data anyway. */
    @Override
    public void sync() {
      try {
        channel.force(false);
      } catch (IOException e) {
        throw failure("sync", path, e);
      }
    }

    @Override
    public void close() {
      try {
        channel.close();
      } catch (IOException e) {
        throw failure("close", path, e);
      }
    }
  }
}
