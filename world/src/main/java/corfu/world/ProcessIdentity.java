package corfu.world;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/**
 * A process, named so that other processes of the same machine can tell whether it has ended. Its
 * number alone does not tell: a later process may have the same one. Immutable.
 *
 * @param machine the machine, in this start of it, and the namespace of process numbers there;
 *     empty if the platform does not tell
 * @param number the number of the process
 * @param startTicks the start of the process in ticks since that of the machine
 */
public record ProcessIdentity(String machine, long number, long startTicks) {

  /** Linux makes a new id at each start of a machine. */
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /** The place of the start time in {@code /proc/PID/stat}, behind the name in parentheses. */
  private static final int START_TIME = 20;

  /** Returns the identity of this process. */
  public static ProcessIdentity current() {
    long number = ProcessHandle.current().pid();
    OptionalLong started = startTicksOf(number);
    return new ProcessIdentity(started.isPresent() ? machineHere() : "", number, started.orElse(0));
  }

  private static String machineHere() {
    try {
      return Files.readString(BOOT_ID).strip() + "/" + Files.readSymbolicLink(NAMESPACE);
    } catch (IOException noLinux) {
      return "";
    }
  }

  private static OptionalLong startTicksOf(long number) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(number), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
      return OptionalLong.of(Long.parseLong(fields[START_TIME]));
    } catch (IOException | RuntimeException noSuchProcess) {
      return OptionalLong.empty();
    }
  }

  /**
   * Returns whether the process ran on this machine and has ended for certain. On another machine,
   * or where the platform does not tell, the answer is no.
   */
  public boolean hasEnded() {
    String here = machineHere();
    if (here.isEmpty() || !here.equals(machine)) {
      return false;
    }
    OptionalLong started = startTicksOf(number);
    return started.isEmpty() || started.getAsLong() != startTicks;
  }
}
