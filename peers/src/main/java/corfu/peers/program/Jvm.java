package corfu.peers.program;

import corfu.node.local.JavaCommand;
import corfu.peers.load.LoadDriver;
import corfu.ycsb.CorfuClient;
import java.io.File;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Makes the commands of other systems' Java programs, with the Java of this process and their own
 * class path. Stateless.
 */
public final class Jvm {

  /**
   * The flags of Corfu's own processes, and some that silence warnings about deprecated features.
   */
  private static final List<String> FLAGS =
      List.of(
          "-XX:+UseG1GC",
          "-XX:+UseCompactObjectHeaders",
          "-Xmx1g",
          "-XX:MaxDirectMemorySize=1g",
          "--enable-native-access=ALL-UNNAMED",
          "--sun-misc-unsafe-memory-access=allow",
          "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn");

  private Jvm() {}

  /**
   * Returns the command of a server.
   *
   * @param jars the directory of the server's jars
   * @param properties more flags of the JVM
   * @param mainClass the server's main class
   * @param arguments the arguments of the main class
   */
  public static ProcessBuilder server(
      Path jars, List<String> properties, String mainClass, String... arguments) {
    return java(jars.resolve("*").toString(), properties, mainClass).with(arguments);
  }

  /** Returns the server's command line without the class path and the arguments. */
  public static String shown(List<String> properties, String mainClass) {
    return "java %s %s".formatted(String.join(" ", flags(properties)), mainClass);
  }

  /**
   * Returns the command of a load. Its driver is compiled at the start, against the jars of the
   * system under load.
   *
   * @param jars the directory of these jars
   * @param properties more flags of the JVM
   * @param driver the driver's source file
   * @param arguments the driver's arguments
   */
  public static ProcessBuilder load(
      Path jars, List<String> properties, Path driver, String... arguments) {
    String classPath =
        String.join(
            File.pathSeparator,
            placeOf(LoadDriver.class),
            placeOf(CorfuClient.class), // comes with YCSB's workloads
            placeOf(Histogram.class),
            jars.resolve("*").toString());
    return java(classPath, properties, driver.toString()).with(arguments);
  }

  private static JavaCommand java(String classPath, List<String> properties, String program) {
    Path java = Path.of(System.getProperty("java.home"), "bin", "java");
    return new JavaCommand(java, flags(properties), classPath, program);
  }

  private static List<String> flags(List<String> properties) {
    List<String> flags = new ArrayList<>(FLAGS);
    flags.addAll(properties);
    return flags;
  }

  /** Returns the jar or directory of a class. */
  private static String placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI()).toString();
    } catch (URISyntaxException e) {
      throw new IllegalStateException("cannot tell where " + type + " comes from", e);
    }
  }
}
