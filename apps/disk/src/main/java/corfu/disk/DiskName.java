package corfu.disk;

import java.util.regex.Pattern;

/** The names of disks and snapshots. */
final class DiskName {

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
  private static final Pattern NUMBER = Pattern.compile("[0-9]{1,18}");

  private DiskName() {}

  /**
   * Checks the name of a disk.
   *
   * @throws IllegalArgumentException if it is none
   */
  static void checkDisk(String name) {
    check("disk", name);
  }

  /**
   * Checks the name of a snapshot: it must differ from versions.
   *
   * @throws IllegalArgumentException if it is none
   */
  static void checkSnapshot(String name) {
    check("snapshot", name);
    if (isNumber(name)) {
      throw new IllegalArgumentException(
          "the name of a snapshot has a character that is no digit, unlike '%s': a number is a"
                  .formatted(name)
              + " version");
    }
  }

  private static void check(String what, String name) {
    if (!NAME.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "the name of a %s has 1 to 100 letters, digits, dots, - and _, and begins with a letter"
                  .formatted(what)
              + " or digit; '%s' is none".formatted(name));
    }
  }

  static boolean isNumber(String text) {
    return NUMBER.matcher(text).matches();
  }
}
