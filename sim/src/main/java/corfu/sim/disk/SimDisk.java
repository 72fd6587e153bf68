package corfu.sim.disk;

import corfu.sim.world.SimRandom;
import corfu.sim.world.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * One directory of a disk that outlives the processes using it. Synced data is durable. When the
 * power fails, writes since the last sync are lost or torn, and a prefix of the name changes is
 * kept. When only a process dies, nothing is lost.
 *
 * <p>The disk returns its contents unchanged, unless faults are injected ({@code DiskFaultBudget}).
 */
public final class SimDisk {

  /** Several times as much as one run writes. */
  public static final long DEFAULT_CAPACITY_BYTES = 64L << 20;

  private final String name;
  private final TreeMap<String, SimFile> names = new TreeMap<>();
  private final TreeMap<String, SimFile> syncedNames = new TreeMap<>();
  private final List<Runnable> unsyncedNames = new ArrayList<>();
  private long syncedChanges;
  private long capacityBytes;
  private int slowness = 1;
  private int syncFailuresPerMille;
  private int refusalsPerMille;
  private Optional<DiskFaults> diskFaults = Optional.empty();
  private long nanosPerKibibyte;

  public SimDisk(String name, long capacityBytes) {
    this.name = name;
    this.capacityBytes = capacityBytes;
  }

  public String name() {
    return name;
  }

  /** Returns the directory as one process sees it during its life. */
  public MountedDisk mount(SimWorld world) {
    return new MountedDisk(this, world);
  }

  /** The power fails. */
  public void losePower(SimRandom chance) {
    syncedNamesUpTo(syncedChanges + chance.below(unsyncedNames.size() + 1));
    syncedChanges += unsyncedNames.size(); // the others are lost
    unsyncedNames.clear();
    names.clear();
    names.putAll(syncedNames);
    names.values().forEach(file -> file.losePower(chance));
  }

  /** Replaces the disk by an empty one. */
  public void replace() {
    syncedChanges += unsyncedNames.size();
    unsyncedNames.clear();
    names.clear();
    syncedNames.clear();
  }

  /** Copies to another disk what this one would have after a power failure now. */
  public void copyTo(SimDisk other, SimRandom chance) {
    names.forEach((file, content) -> other.names.put(file, content.copy()));
    other.syncedNames.putAll(other.names);
    other.names.values().forEach(file -> file.losePower(chance));
  }

  /** Makes this disk's contents those of the other one, all durable. */
  public void becomes(SimDisk other) {
    replace();
    other.names.forEach((file, content) -> names.put(file, content.copy()));
    names.values().forEach(file -> file.syncedUpTo(file.changes()));
    syncedNames.putAll(names);
  }

  public boolean holdsTheSameAs(SimDisk other) {
    return names.keySet().equals(other.names.keySet())
        && names.keySet().stream().allMatch(name -> file(name).holdsTheSameAs(other.file(name)));
  }

  /**
   * Loses, truncates or duplicates a file. No process may use the disk meanwhile.
   *
   * @return a description, or empty if there is no log file
   */
  public Optional<String> losesFiles(SimRandom chance) {
    List<String> segments = names.keySet().stream().filter(f -> f.endsWith(".log")).toList();
    if (segments.isEmpty()) {
      return Optional.empty();
    }
    String which = chance.pick(segments);
    return Optional.of(
        switch (chance.below(5)) {
          case 0, 1 -> "loses " + lose(which);
          case 2 -> "loses a part of " + cut(which, chance.below(file(which).size() + 1));
          case 3 -> "has " + which + " in the place of " + copy(which, chance.pick(segments));
          default -> "has " + which + " once more, as " + copy(which, unusedSegment(chance));
        });
  }

  private String lose(String which) {
    names.remove(which);
    syncedNames.remove(which);
    return which;
  }

  private String cut(String which, int size) {
    SimFile cut = file(which);
    cut.resize(size);
    cut.syncedUpTo(cut.changes());
    return which + ", which ends at " + size;
  }

  private String copy(String from, String to) {
    SimFile copy = file(from).copy();
    copy.syncedUpTo(copy.changes());
    names.put(to, copy);
    syncedNames.put(to, copy);
    return to;
  }

  private static String unusedSegment(SimRandom chance) {
    return "segment-%016x.log".formatted(1_000_000 + chance.below(1_000));
  }

  /** Sets the disk's faults. Empty ends them, but corrupted contents stay corrupted. */
  public void deceives(Optional<DiskFaults> how) {
    diskFaults = how;
  }

  public Optional<DiskFaults> diskFaults() {
    return diskFaults;
  }

  /**
   * Fails this many of 1,000 syncs. The data of a failed sync may be lost, and the next sync
   * succeeds.
   */
  public void failSyncs(int perMille) {
    syncFailuresPerMille = perMille;
  }

  int syncFailuresPerMille() {
    return syncFailuresPerMille;
  }

  /** Returns whether syncs may fail. */
  public boolean fails() {
    return syncFailuresPerMille > 0;
  }

  /** Lets this many of 1,000 calls find no space. */
  public void refuse(int perMille) {
    refusalsPerMille = perMille;
  }

  int refusalsPerMille() {
    return refusalsPerMille;
  }

  /** Returns whether the disk is as fast, as large and as correct as at first. */
  public boolean isUndisturbed() {
    return slowness == 1
        && capacityBytes >= DEFAULT_CAPACITY_BYTES
        && syncFailuresPerMille == 0
        && refusalsPerMille == 0
        && isHonest();
  }

  /** Returns whether all contents read as written, and no fault is set. */
  public boolean isHonest() {
    return diskFaults.isEmpty() && names.values().stream().allMatch(file -> file.lies().isEmpty());
  }

  /**
   * Lets stored data rot: a bit, a sector or a page.
   *
   * @return a description, or empty if there is nothing to rot
   */
  public Optional<String> rots(SimRandom chance) {
    List<String> candidates =
        names.entrySet().stream()
            .filter(entry -> entry.getValue().size() > 0 && entry.getValue().isSynced())
            .map(Map.Entry::getKey)
            .toList();
    if (candidates.isEmpty()) {
      return Optional.empty();
    }
    String which = chance.pick(candidates);
    return Optional.of(which + ": " + file(which).rots(chance));
  }

  /**
   * Repairs the end of the newest log file. At a start, corruption there can't be told from a torn
   * write (docs/fault-model.md).
   */
  public void isHonestAboutItsEnd() {
    names.keySet().stream()
        .filter(file -> file.startsWith("segment-"))
        .reduce((one, other) -> other)
        .ifPresent(file -> file(file).lies().end());
  }

  /** Ends all faults, and restores the corrupted contents. */
  public void becomeHonest() {
    diskFaults = Optional.empty();
    names.values().forEach(file -> file.lies().end());
  }

  /** Sets the factor by which all calls become slower. */
  public void slowDown(int factor) {
    slowness = factor;
  }

  int slowness() {
    return slowness;
  }

  /** Sets the bandwidth: from now on a sync takes at least the time that its bytes need. */
  public void bandwidth(long bytesPerSecond) {
    nanosPerKibibyte = 1_000_000_000L * 1024 / bytesPerSecond;
  }

  /** Returns how long writing these bytes takes at the disk's bandwidth. */
  long nanosFor(long bytes) {
    return bytes * nanosPerKibibyte / 1024;
  }

  /** Sets the maximum size of all files together. */
  public void capacity(long bytes) {
    capacityBytes = bytes;
  }

  public long usedBytes() {
    return names.values().stream().mapToLong(SimFile::size).sum();
  }

  long freeBytes() {
    return Math.max(0, capacityBytes - usedBytes());
  }

  public List<String> list() {
    return List.copyOf(names.keySet());
  }

  boolean has(String file) {
    return names.containsKey(file);
  }

  public SimFile create(String file) {
    SimFile fresh = new SimFile();
    change(map -> map.put(file, fresh));
    return fresh;
  }

  /** Returns the file of this name, which must exist. */
  public SimFile file(String file) {
    return names.getOrDefault(file, new SimFile());
  }

  public void delete(String file) {
    change(map -> map.remove(file));
  }

  void rename(String from, String to) {
    change(
        map -> {
          SimFile moved = map.remove(from);
          if (moved != null) {
            map.put(to, moved);
          }
        });
  }

  private void change(Consumer<Map<String, SimFile>> what) {
    what.accept(names);
    unsyncedNames.add(() -> what.accept(syncedNames));
  }

  /** Returns the number of name changes that a sync beginning now covers. */
  long changesOfNames() {
    return syncedChanges + unsyncedNames.size();
  }

  /** Makes the first name changes durable, up to this count. */
  void syncedNamesUpTo(long count) {
    while (syncedChanges < count) {
      unsyncedNames.removeFirst().run();
      syncedChanges++;
    }
  }
}
