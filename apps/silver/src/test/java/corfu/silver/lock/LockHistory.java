package corfu.silver.lock;

import corfu.fuse.protocol.FileLock;
import corfu.silver.lock.internal.command.LockOwner;
import corfu.silver.lock.internal.command.LockedFile;
import corfu.silver.lock.internal.machine.LockMachine;
import corfu.silver.lock.internal.machine.LockedRanges;
import corfu.sim.application.ApplicationContext;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Checks the states of all replicas of a run, and the locks on which owners rely. */
final class LockHistory {

  private final ApplicationContext stage;
  private final Map<String, Integer> states = new HashMap<>(); // digests, by places in the log
  private final List<Believer> believers = new ArrayList<>();

  /** An owner, and the ranges that it was told to have. */
  static final class Believer {
    private final String name;
    private final MountLocks mount;
    private final LockedFile file;
    private final long owner;
    private LockedRanges ranges = LockedRanges.NONE;

    private Believer(String name, MountLocks mount, LockedFile file, long owner) {
      this.name = name;
      this.mount = mount;
      this.file = file;
      this.owner = owner;
    }

    /** Notes that the owner has a lock, or has begun to give one back. */
    void has(FileLock lock) {
      ranges = ranges.with(lock);
    }

    /** Notes a request. If it weakens a lock, others may have theirs before the reply. */
    void asksFor(FileLock lock) {
      if (lock.type() == FileLock.Type.WRITE) {
        return;
      }
      for (FileLock held : ranges.ranges()) {
        long start = Math.max(held.start(), lock.start());
        long end = Math.min(held.end(), lock.end());
        if (held.type() == FileLock.Type.WRITE && start <= end) {
          ranges = ranges.with(new FileLock(FileLock.Type.READ, start, end, held.pid()));
        }
      }
    }

    private boolean relies() {
      return !ranges.isEmpty() && mount.holds(file.file(), file.kind(), owner);
    }

    /** Notes that the owner's locks are gone. */
    void hasNothing() {
      ranges = LockedRanges.NONE;
    }

    boolean believes() {
      return !ranges.isEmpty();
    }
  }

  LockHistory(ApplicationContext stage) {
    this.stage = stage;
  }

  Believer believer(String name, MountLocks mount, LockedFile file, long owner) {
    Believer added = new Believer(name, mount, file, owner);
    believers.add(added);
    return added;
  }

  /** A replica has applied a command. */
  void applied(String place, LockMachine machine) {
    int digest = Arrays.hashCode(saved(machine));
    Integer before = states.putIfAbsent(place, digest);
    if (before != null && before != digest) {
      stage.broken("Replicas", "two replicas differ behind " + place);
    }
    for (LockedFile file : machine.files()) {
      Map<LockOwner, LockedRanges> held = new HashMap<>();
      machine.forEachHolder(file, held::put);
      held.forEach(
          (owner, ranges) ->
              held.forEach(
                  (other, others) -> {
                    if (!owner.equals(other) && conflict(ranges, others)) {
                      stage.broken(
                          "Exclusion",
                          "%s and %s have locks on %s at %s".formatted(owner, other, file, place));
                    }
                  }));
    }
  }

  private static boolean conflict(LockedRanges one, LockedRanges other) {
    return one.ranges().stream().anyMatch(range -> other.conflict(range).isPresent());
  }

  private static byte[] saved(LockMachine machine) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      machine.save().writeTo(new DataOutputStream(bytes));
    } catch (IOException impossible) {
      throw new IllegalStateException(impossible);
    }
    return bytes.toByteArray();
  }

  /** Compares the locks on which owners rely at this moment. */
  void compareBelievers() {
    List<Believer> relying = believers.stream().filter(Believer::relies).toList();
    for (Believer one : relying) {
      for (Believer other : relying) {
        if (one != other && one.file.equals(other.file) && conflict(one.ranges, other.ranges)) {
          stage.broken(
              "Reliance", "%s and %s rely on locks that conflict".formatted(one.name, other.name));
        }
      }
    }
  }
}
