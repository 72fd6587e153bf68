package corfu.roles;

import corfu.world.Disk;
import java.util.List;

/**
 * What a role does with files that no longer tell what it promised: it begins another life, as on
 * an empty disk, which nobody relies on, and leaves the old files for a person to look at. They go
 * when the role is reset, which happens only when its cluster goes on without what was in them.
 */
public final class SetAside {

  private static final String PREFIX = "aside-";
  private static final String LOCK = "lock";

  private SetAside() {}

  /** Whether a file of this name has been set aside. */
  public static boolean isAside(String name) {
    return name.startsWith(PREFIX);
  }

  /** Whether there are such files. */
  public static boolean isAny(Disk disk) {
    return disk.list().stream().anyMatch(SetAside::isAside);
  }

  /**
   * Gives all files of the directory other names, which no role reads.
   *
   * @return how many
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

  /** Deletes what has been set aside. */
  public static void clear(Disk disk) {
    disk.list().stream().filter(SetAside::isAside).forEach(disk::delete);
  }
}
