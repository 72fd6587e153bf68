package corfu.cli.command;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.spi.ContextAwareBase;
import java.util.Map;

/**
 * Configures logging without a file: warnings go to standard error, and servers also log their
 * actions. {@code -Dlogback.configurationFile=FILE} replaces this configuration.
 */
public final class Logging extends ContextAwareBase implements Configurator {

  private static final String LEVEL = "corfu.log.level";
  private static final String OWN_CONFIGURATION = "logback.configurationFile";

  /** The levels of libraries whose messages about normal operation would flood a terminal. */
  private static final Map<String, Level> LIBRARIES =
      Map.of(
          "org.apache.zookeeper", Level.WARN,
          "org.apache.zookeeper.server.ServerCnxnFactory", Level.ERROR,
          "org.apache.curator", Level.WARN,
          "org.eclipse.jetty", Level.ERROR);

  private static final String PATTERN = "%d{yyyy-MM-dd'T'HH:mm:ss.SSS} %-5level %logger{0}: %msg%n";

  /** Logs the actions of servers; call it before the first log message. */
  public static void talkative() {
    System.setProperty(LEVEL, System.getProperty(LEVEL, "INFO"));
  }

  /** Logs nothing, for simulations full of faults; call it before the first log message. */
  public static void silent() {
    System.setProperty(LEVEL, System.getProperty(LEVEL, "OFF"));
  }

  @Override
  public ExecutionStatus configure(LoggerContext loggers) {
    if (System.getProperty(OWN_CONFIGURATION) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var encoder = new PatternLayoutEncoder();
    encoder.setContext(loggers);
    encoder.setPattern(PATTERN);
    encoder.start();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setContext(loggers);
    appender.setName("stderr");
    appender.setTarget("System.err");
    appender.setEncoder(encoder);
    appender.start();
    Level level = Level.toLevel(System.getProperty(LEVEL), Level.WARN);
    Logger root = loggers.getLogger(Logger.ROOT_LOGGER_NAME);
    root.setLevel(level);
    root.addAppender(appender);
    if (level == Level.INFO || level == Level.WARN) {
      LIBRARIES.forEach((library, least) -> loggers.getLogger(library).setLevel(least));
    }
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }
}
