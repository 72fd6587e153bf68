package corfu.roles.logunit.options;

import java.util.Locale;

/** When a log unit acknowledges a write. */
public enum UnitMode {
  /** When it would survive a power failure. */
  DURABLE,
  /**
   * When it would survive the end of the process, but not of the machine; it is made durable soon
   * after.
   */
  BUFFERED,
  /** At once; nothing survives the end of the process. */
  MEMORY;

  /** Its name in configurations and reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
