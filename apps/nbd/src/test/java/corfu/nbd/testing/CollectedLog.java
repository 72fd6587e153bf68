package corfu.nbd.testing;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.LegacyAbstractLogger;
import org.slf4j.helpers.MessageFormatter;

/** A log whose lines a test reads. Thread-safe. */
public final class CollectedLog extends LegacyAbstractLogger {

  private static final long serialVersionUID = 1L;

  private final List<String> lines = new CopyOnWriteArrayList<>();

  public CollectedLog() {
    name = "collected";
  }

  /** Returns each line as {@code LEVEL message}. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      String pattern,
      Object @Nullable [] arguments,
      @Nullable Throwable failure) {
    lines.add(level + " " + MessageFormatter.basicArrayFormat(pattern, arguments));
  }

  @Override
  public boolean isTraceEnabled() {
    return false;
  }

  @Override
  public boolean isDebugEnabled() {
    return false;
  }

  @Override
  public boolean isInfoEnabled() {
    return true;
  }

  @Override
  public boolean isWarnEnabled() {
    return true;
  }

  @Override
  public boolean isErrorEnabled() {
    return true;
  }
}
