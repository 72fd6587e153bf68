package corfu.roles;

import corfu.world.Disk;
import java.util.List;

/**
 * Sets files aside that no longer prove what their role has promised. The role then begins another
 * life, as on an empty disk, on which nobody relies. The old files stay for inspection by a person.
 * They are deleted when the role is reset, which happens only when its cluster continues without
 * their content.
 */
public final class QuarantinedFiles {

  private static final String PREFIX = "aside-";
  private static final String LOCK = "lock";

  private QuarantinedFiles() {}

  /** Returns whether a file with this name was set aside. */
  public static boolean isAside(String name) {
    return name.startsWith(PREFIX);
  }

  /** Returns whether some file was set aside. */
  public static boolean isAny(Disk disk) {
    return disk.list().stream().anyMatch(QuarantinedFiles::isAside);
  }

  /**
   * Renames all files of the directory to names that no role reads.
   *
   * @return the number of renamed files
   */
  public static int everything(Disk disk) {
    List<String> names = disk.list();
    int earlier = 0;
    while (isTaken(names, earlier)) {
      earlier++;
    }
    int moved = 0;
    for (String name : names) {
      if (!isAside(name) && !name.equals(LOCK)) {
        disk.rename(name, prefix(earlier) + name);
        moved++;
      }
    }
    disk.syncNames();
    return moved;
  }

  private static boolean isTaken(List<String> names, int number) {
    return names.stream().anyMatch(name -> name.startsWith(prefix(number)));
  }

  private static String prefix(int number) {
    return PREFIX + number + "-";
  }

  /** Deletes the files that were set aside. */
  public static void clear(Disk disk) {
    disk.list().stream().filter(QuarantinedFiles::isAside).forEach(disk::delete);
  }
}
