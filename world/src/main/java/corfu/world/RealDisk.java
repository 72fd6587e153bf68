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
import org.jspecify.annotations.Nullable;

/** A directory of the machine's file system. A lock file protects it while it is open. */
public final class RealDisk implements Disk {

  private static final String LOCK = "lock";

  private final Path directory;
  private final FileChannel lockChannel;

  private RealDisk(Path directory, FileChannel lockChannel) {
    this.directory = directory;
    this.lockChannel = lockChannel;
  }

  /**
   * Opens the directory, and creates it if it is missing.
   *
   * @throws DirectoryInUseException if another server owns it
   */
  public static RealDisk open(Path directory) {
    try {
      Files.createDirectories(directory);
      FileChannel channel =
          FileChannel.open(
              directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      FileLock lock = tryLock(channel);
      if (lock == null) {
        channel.close();
        throw new DirectoryInUseException(
            "directory "
                + directory
                + " is in use by another running server; stop that one or choose another"
                + " directory");
      }
      return new RealDisk(directory, channel);
    } catch (IOException e) {
      throw failure("open directory", directory, e);
    }
  }

  private static @Nullable FileLock tryLock(FileChannel channel) throws IOException {
    try {
      return channel.tryLock();
    } catch (OverlappingFileLockException held) {
      return null;
    }
  }

  @Override
  public List<String> list() {
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals(LOCK))
          .sorted()
          .toList();
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
    return file(
        name, StandardOpenOption.CREATE_NEW, StandardOpenOption.READ, StandardOpenOption.WRITE);
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
      Files.move(
          path,
          directory.resolve(to),
          StandardCopyOption.ATOMIC_MOVE,
          StandardCopyOption.REPLACE_EXISTING);
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

  /** Allocates memory outside the heap, because the kernel copies there in any case. */
  @Override
  public ByteBuffer memory(int bytes) {
    return ByteBuffer.allocateDirect(bytes);
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

  static DiskException failure(String call, Path path, IOException e) {
    String reason = String.valueOf(e.getMessage());
    String message = "cannot " + call + " " + path + ": " + reason;
    boolean full =
        reason.toLowerCase(Locale.ROOT).contains("no space left")
            || reason.contains("Disk quota exceeded");
    return full ? new DiskFullException(message, e) : new DiskException(message, e);
  }
}
