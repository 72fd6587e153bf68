package corfu.roles.logunit.options;

import java.util.Locale;

/** When a log unit acknowledges a write. */
public enum UnitMode {
  /** After the write would survive a power failure. */
  DURABLE,
  /**
   * After the write would survive the end of the process, but not of the machine. It is made
   * durable soon afterwards.
   */
  BUFFERED,
  /** At once. Nothing survives the end of the process. */
  MEMORY;

  /** Returns the mode's name in configurations and reports. */
  public String text() {
    return name().toLowerCase(Locale.ROOT);
  }
}
