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
 * How to start another process of the program that runs here.
 *
 * @param executable the {@code java} to run
 * @param flags what it is told about itself
 * @param classPath where it finds classes; absolute
 * @param mainClass what it runs
 */
public record JavaCommand(Path executable, List<String> flags, String classPath, String mainClass) {

  /** Flags that are about one process and not about the program. */
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

  /** An AOT cache is of the program; what it says when it does not fit is of no interest. */
  private static final List<String> INHERITED_OF_LOG = List.of("-Xlog:aot=off", "-Xlog:cds=off");

  /** Starts a process in a session of its own, so that no Ctrl-C meant for this one reaches it. */
  private static final List<Path> SESSION_STARTERS =
      List.of(Path.of("/usr/bin/setsid"), Path.of("/bin/setsid"));

  public JavaCommand {
    flags = List.copyOf(flags);
  }

  /** The same Java, the same flags and the same classes as this process. */
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

  /** Whether a process of the same program is to have this flag, too. */
  static boolean isInherited(String flag) {
    return INHERITED_OF_LOG.contains(flag) || NOT_INHERITED.stream().noneMatch(flag::startsWith);
  }

  public JavaCommand withMainClass(String other) {
    return new JavaCommand(executable, flags, classPath, other);
  }

  /**
   * The process to be, with these arguments. The class path travels in the environment: so what
   * {@code ps} shows of the process is what a person wants to see.
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

  /** The same, but it outlives the terminal that it was started from. */
  ProcessBuilder detachedWith(String... arguments) {
    ProcessBuilder builder = with(arguments);
    List<String> command =
        Stream.concat(
                SESSION_STARTERS.stream().filter(Files::isExecutable).limit(1).map(Path::toString),
                builder.command().stream())
            .toList();
    return builder.command(command);
  }
}
