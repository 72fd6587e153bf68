package corfu.node.local;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Stores the id of a server's process, across processes and crashes. After a crash the id may be
 * unused, or belong to another process.
 *
 * @param path the file
 * @param markers arguments that the server's command line has, in this order
 */
record PidFile(Path path, List<String> markers) {

  /** The tolerance of a process's start time, which the system computes from the boot second. */
  private static final Duration START_TOLERANCE = Duration.ofSeconds(2);

  /** Returns the process with the stored id, if it still runs and is the server's. */
  Optional<ProcessHandle> process() {
    return read().flatMap(ProcessHandle::of).filter(PidFile::isAlive).filter(this::isMeant);
  }

  void write(long pid) {
    Path fresh = path.resolveSibling(path.getFileName() + ".new");
    try {
      Files.writeString(fresh, pid + "\n");
      Files.move(fresh, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + path, e);
    }
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete " + path, e);
    }
  }

  private Optional<Long> read() {
    try {
      return Optional.of(Long.parseLong(Files.readString(path).strip()));
    } catch (NoSuchFileException | NumberFormatException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + path, e);
    }
  }

  /** Returns whether the process still runs; a zombie does not. */
  static boolean isAlive(ProcessHandle process) {
    return process.isAlive() && !isZombie(process.pid());
  }

  private static boolean isZombie(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      int state = stat.lastIndexOf(')') + 2;
      return state < stat.length() && "ZX".indexOf(stat.charAt(state)) >= 0;
    } catch (IOException e) {
      return false; // no such file on this system, or no such process any more
    }
  }

  /**
   * Recognizes the process by its command line, or by its start time if the system does not tell
   * the command line.
   */
  private boolean isMeant(ProcessHandle process) {
    Optional<String[]> arguments = process.info().arguments();
    if (arguments.isPresent()) {
      return String.join("\0", arguments.get()).contains(String.join("\0", markers));
    }
    return process.info().startInstant().map(this::isBeforeTheFile).orElse(false);
  }

  private boolean isBeforeTheFile(Instant started) {
    try {
      Instant written = Files.getLastModifiedTime(path).toInstant();
      return started.minus(START_TOLERANCE).isBefore(written);
    } catch (IOException e) {
      return false;
    }
  }
}
