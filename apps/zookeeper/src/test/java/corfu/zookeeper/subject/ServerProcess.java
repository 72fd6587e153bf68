package corfu.zookeeper.subject;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** A server in a process of its own. It prints its port when it serves. */
final class ServerProcess {

  private final Process process;
  private final int port;

  private ServerProcess(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /**
   * Starts a server.
   *
   * @param errors the file for what the process says, which is appended to
   * @throws IOException if the server does not start
   */
  static ServerProcess start(
      Class<?> main, List<String> arguments, SubjectOptions options, Path errors)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of("-Dzookeeper.extendedTypesEnabled=true", "-Dzookeeper.forceSync=no"));
    command.add("-Dzookeeper.4lw.commands.whitelist=*");
    command.add("-Dzookeeper.DigestAuthenticationProvider.superDigest=" + superDigest());
    options.properties().forEach(property -> command.add("-D" + property));
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(List.of("-cp", classPath, main.getName()));
    command.addAll(arguments);
    File log = errors.toFile();
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(log)).start();
    String line = portLineOf(process);
    if (!line.startsWith(RealServer.READY)) {
      throw new IOException("the server did not start: " + line + Files.readString(errors));
    }
    return new ServerProcess(process, Integer.parseInt(line.substring(RealServer.READY.length())));
  }

  private static String portLineOf(Process process) throws IOException {
    var reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String last = "";
    for (String line = reader.readLine(); line != null; line = reader.readLine()) {
      last = line;
      if (line.startsWith(RealServer.READY)) {
        break;
      }
    }
    return last;
  }

  private static String superDigest() {
    try {
      return DigestAuthenticationProvider.generateDigest(Subject.SUPERUSER);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("SHA-1 is part of every JDK", e);
    }
  }

  int port() {
    return port;
  }

  /** Deletes a directory with everything in it. */
  static void deleteAll(Path data) throws IOException {
    Files.walkFileTree(
        data,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.delete(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, IOException failure)
              throws IOException {
            Files.delete(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Collects garbage, and returns the bytes of the objects that live then. */
  long liveHeapBytes() throws IOException {
    Process histogram =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "jcmd").toString(),
                String.valueOf(process.pid()),
                "GC.class_histogram")
            .redirectErrorStream(true)
            .start();
    String out = new String(histogram.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    Matcher total = Pattern.compile("(?m)^Total +\\d+ +(\\d+)").matcher(out);
    if (!total.find()) {
      throw new IOException("no total of the heap in: " + out);
    }
    return Long.parseLong(total.group(1));
  }

  void kill() {
    process.destroyForcibly();
    process.onExit().join();
  }
}
