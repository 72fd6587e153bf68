package corfu.silver.mount;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import corfu.world.Eventually;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A program that maps a file. A process that serves a mount must not map files of it: the thread
 * that waits for a page would hold up a safepoint, and the threads that serve the page with it.
 */
public final class MappingProcess {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private MappingProcess() {}

  /** Starts the program. */
  static Process start(List<String> arguments) throws IOException {
    List<String> command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                MappingProcess.class.getName()));
    command.addAll(arguments);
    return new ProcessBuilder(command).redirectErrorStream(true).start();
  }

  /**
   * @param arguments {@code read}, a file, and texts that follow one another in it; the program
   *     prints each when it sees it. Or {@code write}, a file, and another file whose content it
   *     gets; the program prints {@code forced}.
   */
  public static void main(String[] arguments) throws Exception {
    Path file = Path.of(arguments[1]);
    if (arguments[0].equals("read")) {
      read(file, Arrays.asList(arguments).subList(2, arguments.length));
    } else {
      write(file, Files.readAllBytes(Path.of(arguments[2])));
    }
  }

  private static void read(Path path, List<String> texts) throws IOException {
    try (FileChannel file = FileChannel.open(path, StandardOpenOption.READ)) {
      MappedByteBuffer map = file.map(FileChannel.MapMode.READ_ONLY, 0, file.size());
      for (String expected : texts) {
        Eventually.eventually(
            LIMIT,
            () -> {
              byte[] bytes = new byte[expected.length()];
              map.get(0, bytes);
              assertThat(new String(bytes, UTF_8)).isEqualTo(expected);
            });
        System.out.println(expected);
      }
    }
  }

  private static void write(Path path, byte[] bytes) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
      MappedByteBuffer map = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes.length);
      map.put(bytes);
      map.force();
      System.out.println("forced");
    }
  }
}
