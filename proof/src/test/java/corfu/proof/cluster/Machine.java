package corfu.proof.cluster;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A server of the cluster on its machine: the shipped command as a process. Its disk can fill up
 * and its clock can be wrong. Not thread-safe.
 */
final class Machine {

  private static final String DISK_BYTES = "96m";
  private static final List<String> FLAGS =
      List.of(
          "-Xmx160m",
          "-XX:+UseSerialGC",
          "-XX:TieredStopAtLevel=1",
          "-XX:+UseCompactObjectHeaders",
          "--enable-native-access=ALL-UNNAMED");

  private final int number;
  private final Network network;
  private final Path home;
  private final Clock clock = new Clock();
  private @Nullable Process process;
  private boolean stopped;

  /**
   * @param home the directory of the whole cluster, with its configuration
   */
  Machine(int number, Network network, Path home) {
    this.number = number;
    this.network = network;
    this.home = home;
    try {
      Files.createDirectories(disk());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    Commands.run("mount -t tmpfs -o size=" + DISK_BYTES + " tmpfs " + disk());
  }

  String name() {
    return "n" + number;
  }

  int number() {
    return number;
  }

  Clock clock() {
    return clock;
  }

  private Path disk() {
    return home.resolve(name());
  }

  /** Starts the server, which must not be running. */
  void start() {
    List<String> command = new ArrayList<>(network.on(number));
    command.addAll(clock.prefix());
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(FLAGS);
    command.addAll(List.of("corfu.cli.Main", "server", "--name", name(), "--config"));
    command.add(home.resolve("corfu.toml").toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    builder.redirectErrorStream(true);
    builder.redirectOutput(
        ProcessBuilder.Redirect.appendTo(new File(home.toFile(), name() + ".log")));
    try {
      process = builder.start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  boolean isRunning() {
    return process != null && process.isAlive();
  }

  /** Kills the server with kill -9, and waits until it is gone. */
  void kill() {
    if (process != null) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly().onExit().join();
      process = null;
      stopped = false;
    }
  }

  /** Suspends the server at whatever it is doing. */
  void stop() {
    signal("STOP");
    stopped = true;
  }

  /** Resumes the server. Only its clock tells it that time has passed. */
  void goOn() {
    if (stopped) {
      signal("CONT");
      stopped = false;
    }
  }

  private void signal(String name) {
    if (process == null) {
      return;
    }
    Stream.concat(Stream.of(process.toHandle()), process.descendants())
        .forEach(each -> Commands.run("kill -" + name + " " + each.pid()));
  }

  // ------------------------------------------------------------------------------------- its disk

  /** Fills the remaining space of the disk, as another program could. */
  void fillDisk() {
    byte[] piece = new byte[1 << 16];
    try (var out = Files.newOutputStream(filler(), StandardOpenOption.CREATE)) {
      for (int size = piece.length; size > 0; ) {
        try {
          out.write(piece, 0, size);
        } catch (IOException full) {
          size /= 2;
        }
      }
    } catch (IOException full) {
      // the disk is full, as intended
    }
  }

  void emptyDisk() {
    try {
      Files.deleteIfExists(filler());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Path filler() {
    return disk().resolve("somebody-elses");
  }

  /**
   * Flips some bits in the files of a server that is not running.
   *
   * @return the places of the flipped bits
   */
  List<String> flipBits(SplittableRandom chance) {
    List<String> flipped = new ArrayList<>();
    try (Stream<Path> walk = Files.walk(disk())) {
      List<Path> files = walk.filter(Machine::isWorthIt).sorted().toList();
      for (int i = 1 + chance.nextInt(4); i > 0 && !files.isEmpty(); i--) {
        Path file = files.get(chance.nextInt(files.size()));
        byte[] bytes = Files.readAllBytes(file);
        int end = endOfContent(bytes);
        if (end > 0) {
          int at = chance.nextInt(end);
          bytes[at] ^= (byte) (1 << chance.nextInt(8));
          Files.write(file, bytes);
          flipped.add(disk().relativize(file) + " at " + at + " of " + end);
        }
      }
      return flipped;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Deletes a log file of a server that is not running, or truncates one that is not the newest.
   *
   * @return a description of the damage
   */
  String loseFile(SplittableRandom chance) {
    try (Stream<Path> walk = Files.walk(disk())) {
      List<Path> files =
          walk.filter(file -> file.getFileName().toString().matches("segment-.*[.]log"))
              .sorted()
              .toList();
      if (files.isEmpty()) {
        return "nothing";
      }
      Path file = files.get(chance.nextInt(files.size()));
      if (chance.nextBoolean() || file.equals(files.getLast())) {
        Files.delete(file);
        return file.getFileName() + " is gone";
      }
      try (FileChannel open = FileChannel.open(file, StandardOpenOption.WRITE)) {
        open.truncate(chance.nextLong(open.size() + 1));
        return file.getFileName() + " ends at " + open.size();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Copies the log unit's directory while the server runs. */
  void takeImage() {
    Commands.run("rm -rf " + image());
    try {
      Commands.run("cp -a " + disk().resolve("log-unit") + " " + image());
    } catch (Commands.FailedException vanished) {
      // the copy lacks files that were deleted meanwhile
    }
  }

  /** Restores the log unit's directory from that copy. The server must not be running. */
  void setBack() {
    Commands.run("rm -rf " + disk().resolve("log-unit"));
    Commands.run("cp -a " + image() + " " + disk().resolve("log-unit"));
    Commands.run("rm -rf " + image());
  }

  private Path image() {
    return home.resolve(name() + "-image");
  }

  private static boolean isWorthIt(Path file) {
    String name = file.getFileName().toString();
    return Files.isRegularFile(file) && !name.equals("lock") && !name.endsWith(".tmp");
  }

  private static int endOfContent(byte[] bytes) {
    int end = bytes.length;
    while (end > 0 && bytes[end - 1] == 0) {
      end--;
    }
    return end;
  }

  /** Replaces the disk by an empty one. The server must not be running. */
  void replaceDisk() {
    Commands.run("umount " + disk());
    Commands.run("mount -t tmpfs -o size=" + DISK_BYTES + " tmpfs " + disk());
  }

  /** Returns the last line of the server's output. */
  Optional<String> lastWords() {
    try {
      List<String> lines = Files.readAllLines(home.resolve(name() + ".log"));
      return lines.isEmpty() ? Optional.empty() : Optional.of(lines.getLast());
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
