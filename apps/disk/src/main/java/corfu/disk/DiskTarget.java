package corfu.disk;

import java.util.Optional;

/**
 * A disk, or a version of one: {@code NAME}, {@code NAME@SNAPSHOT} or {@code NAME@VERSION}. A
 * version is a log address. Immutable.
 *
 * @param name the disk's name
 * @param version the name of a snapshot, or a log address in digits; empty for the disk as it is
 */
public record DiskTarget(String name, Optional<String> version) {

  public DiskTarget {
    DiskName.checkDisk(name);
    version.filter(text -> !DiskName.isNumber(text)).ifPresent(DiskName::checkSnapshot);
  }

  /** Returns the disk of this name, as it is. */
  public static DiskTarget of(String name) {
    return new DiskTarget(name, Optional.empty());
  }

  /**
   * Parses the text that {@link #toString} returns.
   *
   * @throws IllegalArgumentException if it names no disk
   */
  public static DiskTarget parse(String text) {
    int at = text.indexOf('@');
    return at < 0
        ? of(text)
        : new DiskTarget(text.substring(0, at), Optional.of(text.substring(at + 1)));
  }

  @Override
  public String toString() {
    return name + version.map(text -> "@" + text).orElse("");
  }
}
