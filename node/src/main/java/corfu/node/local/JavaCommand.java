package corfu.node.local;

import java.io.File;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The command that starts another process of the running program.
 *
 * @param executable the {@code java} executable
 * @param flags the JVM's flags
 * @param classPath the class path, absolute
 * @param mainClass the main class
 */
public record JavaCommand(Path executable, List<String> flags, String classPath, String mainClass) {

  /** Flags for one process, which another process does not inherit. */
  private static final List<String> NOT_INHERITED =
      List.of(
          "-agent",
          "-javaagent",
          "-Xrun",
          "-Xlog",
          "-XX:AOTCacheOutput",
          "-XX:AOTConfiguration",
          "-XX:AOTMode",
          "-XX:StartFlightRecording");

  /**
   * Inherited flags of the log: an AOT cache belongs to the program, and its messages about a
   * mismatch are useless.
   */
  private static final List<String> INHERITED_OF_LOG = List.of("-Xlog:aot=off", "-Xlog:cds=off");

  /**
   * Commands that start a process in a session of its own, so that a Ctrl-C for this process does
   * not reach it.
   */
  private static final List<Path> SESSION_STARTERS =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  public JavaCommand {
    flags = List.copyOf(flags);
  }

  /** Returns the same Java with the same flags and the same classes as this process. */
  public static JavaCommand likeThisProcess(String mainClass) {
    List<String> flags =
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
            .filter(JavaCommand::isInherited)
            .toList();
    String classPath =
        Arrays.stream(System.getProperty("java.class.path", "").split(File.pathSeparator))
            .map(part -> Path.of(part).toAbsolutePath().toString())
            .collect(Collectors.joining(File.pathSeparator));
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new JavaCommand(java, flags, classPath, mainClass);
  }

  /** Returns whether another process of the same program inherits this flag. */
  static boolean isInherited(String flag) {
    return INHERITED_OF_LOG.contains(flag) || NOT_INHERITED.stream().noneMatch(flag::startsWith);
  }

  public JavaCommand withMainClass(String other) {
    return new JavaCommand(executable, flags, classPath, other);
  }

  /**
   * Returns the new process with these arguments. The class path is in the environment, so that
   * {@code ps} shows a short command.
   */
  public ProcessBuilder with(String... arguments) {
    List<String> command = new ArrayList<>();
    command.add(executable.toString());
    command.addAll(flags);
    command.add(mainClass);
    command.addAll(List.of(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.environment().put("CLASSPATH", classPath);
    return builder;
  }

  /** Returns the new process with these arguments, which outlives its terminal. */
  public ProcessBuilder detachedWith(String... arguments) {
    ProcessBuilder builder = with(arguments);
    List<String> command =
        Stream.concat(
                SESSION_STARTERS.stream().filter(Files::isExecutable).limit(1).map(Path::toString),
                builder.command().stream())
            .toList();
    return builder.command(command);
  }
}
