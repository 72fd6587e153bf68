package corfu.silver.internal.member;

import corfu.protocol.StreamId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** This process as others may look for it. */
public final class ThisProcess {

  /** Linux makes a new id at each start of a machine. */
  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");

  /** Process ids have a meaning within a namespace only. */
  private static final Path NAMESPACE = Path.of("/proc/self/ns/pid");

  /** The place of the start time in {@code /proc/PID/stat}, behind the name in parentheses. */
  private static final int START_TIME = 20;

  private ThisProcess() {}

  /** Returns the member that this process is. */
  public static Member member(StreamId id) {
    long pid = ProcessHandle.current().pid();
    OptionalLong started = startedAt(pid);
    String machine = started.isPresent() ? machine() : "";
    return new Member(id, machine.isEmpty() ? "" : machine + "/" + pid, started.orElse(0));
  }

  private static String machine() {
    try {
      return Files.readString(BOOT_ID).strip() + "/" + Files.readSymbolicLink(NAMESPACE);
    } catch (IOException noLinux) {
      return "";
    }
  }

  /** Returns the start of a process in ticks since that of the machine. */
  private static OptionalLong startedAt(long pid) {
    try {
      String stat = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
      String[] fields = stat.substring(stat.lastIndexOf(')') + 1).split(" ", -1);
      return OptionalLong.of(Long.parseLong(fields[START_TIME]));
    } catch (IOException | RuntimeException noSuchProcess) {
      return OptionalLong.empty();
    }
  }

  /** Returns whether a member ran on this machine, and its process has ended for certain. */
  public static boolean hasEnded(Member member) {
    String here = machine();
    int slash = member.machine().lastIndexOf('/');
    if (here.isEmpty() || slash < 0 || !here.equals(member.machine().substring(0, slash))) {
      return false;
    }
    long pid = Long.parseLong(member.machine().substring(slash + 1));
    OptionalLong started = startedAt(pid);
    return started.isEmpty() || started.getAsLong() != member.process();
  }
}
