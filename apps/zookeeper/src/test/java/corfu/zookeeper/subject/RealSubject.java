package corfu.zookeeper.subject;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** One standalone server of Apache ZooKeeper in a process of its own. */
public final class RealSubject implements Subject {

  private static final int TICK_MILLIS = 50;

  private final String name;
  private final SubjectOptions options;
  private final Path data;
  private Process process;
  private int port;

  private RealSubject(String name, SubjectOptions options, Path data) {
    this.name = name;
    this.options = options;
    this.data = data;
  }

  /**
   * Starts a server with empty data on a free port.
   *
   * @param name the name for messages
   * @throws IOException if the server does not start
   */
  public static RealSubject start(String name, SubjectOptions options) throws IOException {
    var subject = new RealSubject(name, options, Files.createTempDirectory("corfu-zookeeper-"));
    subject.launch();
    return subject;
  }

  private void launch() throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-Xmx512m"));
    command.addAll(List.of("-Dzookeeper.extendedTypesEnabled=true", "-Dzookeeper.forceSync=no"));
    command.add("-Dzookeeper.4lw.commands.whitelist=*");
    command.add("-Dzookeeper.DigestAuthenticationProvider.superDigest=" + superDigest());
    options.properties().forEach(property -> command.add("-D" + property));
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    command.addAll(List.of("-cp", classPath, RealServer.class.getName()));
    command.addAll(List.of(data.toString(), String.valueOf(port), String.valueOf(TICK_MILLIS)));
    command.add(String.valueOf(options.minSessionTimeoutMillis()));
    command.add(String.valueOf(SubjectOptions.MAX_SESSION_TIMEOUT_MILLIS));
    command.add(String.valueOf(options.maxConnections()));
    command.add(String.valueOf(options.containerCheckMillis()));
    var errors = new File(data + ".log");
    process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.appendTo(errors)).start();
    String line = firstLineOf(process);
    if (!line.startsWith(RealServer.READY)) {
      throw new IOException("ZooKeeper did not start: " + line + Files.readString(errors.toPath()));
    }
    port = Integer.parseInt(line.substring(RealServer.READY.length()));
  }

  private static String firstLineOf(Process process) throws IOException {
    var reader =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String line = reader.readLine();
    return line == null ? "" : line;
  }

  private static String superDigest() {
    try {
      return DigestAuthenticationProvider.generateDigest(SUPERUSER);
    } catch (NoSuchAlgorithmException e) {
      throw new AssertionError("SHA-1 is part of every JDK", e);
    }
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public int port() {
    return port;
  }

  @Override
  public void restart() throws IOException {
    end();
    launch();
  }

  private void end() {
    process.destroyForcibly();
    process.onExit().join();
  }

  @Override
  public void close() {
    end();
    try {
      Files.deleteIfExists(Path.of(data + ".log"));
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
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot delete " + data, e);
    }
  }

  @Override
  public String toString() {
    return name;
  }
}
