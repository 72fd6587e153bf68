package corfu.sim.disk;

import corfu.sim.world.Chance;
import corfu.sim.world.SimWorld;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * A disk, or rather one directory of it, that outlives the processes that use it. It keeps what was
 * synced. When the power fails, what was written since is lost or torn, and of the changes of names
 * a first part is kept; when only a process dies, nothing is lost.
 *
 * <p>It does not lie, unless it is told to ({@code DiskFaultBudget}): what it kept it gives back as
 * it was.
 */
public final class SimDisk {

  /** Enough for everything that one run writes, several times. */
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

  /** The directory as a process sees it, for as long as that lives. */
  public MountedDisk mount(SimWorld world) {
    return new MountedDisk(this, world);
  }

  /** The power fails. */
  public void losePower(Chance chance) {
    syncedNamesUpTo(syncedChanges + chance.below(unsyncedNames.size() + 1));
    syncedChanges += unsyncedNames.size(); // those are gone
    unsyncedNames.clear();
    names.clear();
    names.putAll(syncedNames);
    names.values().forEach(file -> file.losePower(chance));
  }

  /** The disk is replaced by an empty one. */
  public void replace() {
    syncedChanges += unsyncedNames.size();
    unsyncedNames.clear();
    names.clear();
    syncedNames.clear();
  }

  /** Another disk gets what this one would have kept, had the power failed now. */
  public void copyTo(SimDisk other, Chance chance) {
    names.forEach((file, content) -> other.names.put(file, content.copy()));
    other.syncedNames.putAll(other.names);
    other.names.values().forEach(file -> file.losePower(chance));
  }

  /** It holds what the other one does, all of it durable. */
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
   * While nobody uses it, a file is lost, cut short, or is there under another name, too.
   *
   * @return what; empty if there is no file that could
   */
  public Optional<String> losesFiles(Chance chance) {
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

  private static String unusedSegment(Chance chance) {
    return "segment-%016x.log".formatted(1_000_000 + chance.below(1_000));
  }

  /** From now on it lies like this; empty: no more, but what it spoiled stays spoiled. */
  public void deceives(Optional<DiskFaults> how) {
    diskFaults = how;
  }

  public Optional<DiskFaults> diskFaults() {
    return diskFaults;
  }

  /** So many syncs fail; what they should have made durable may be lost, and the next succeeds. */
  public void failSyncs(int perMille) {
    syncFailuresPerMille = perMille;
  }

  int syncFailuresPerMille() {
    return syncFailuresPerMille;
  }

  /** Whether calls may fail that should not. */
  public boolean fails() {
    return syncFailuresPerMille > 0;
  }

  /** So many calls find no space. */
  public void refuse(int perMille) {
    refusalsPerMille = perMille;
  }

  int refusalsPerMille() {
    return refusalsPerMille;
  }

  /** Whether it is as fast, as large and as honest as it was made. */
  public boolean isUndisturbed() {
    return slowness == 1
        && capacityBytes >= DEFAULT_CAPACITY_BYTES
        && syncFailuresPerMille == 0
        && refusalsPerMille == 0
        && isHonest();
  }

  /** Whether it gives back anything else than was written to it, or is about to. */
  public boolean isHonest() {
    return diskFaults.isEmpty() && names.values().stream().allMatch(file -> file.lies().isEmpty());
  }

  /**
   * Something that is there rots: a bit, a sector, a page.
   *
   * @return what; empty if there is nothing
   */
  public Optional<String> rots(Chance chance) {
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
   * What happens to the end of the newest segment file cannot be told from a torn write when a
   * process starts (docs/fault-model.md): there it is honest.
   */
  public void isHonestAboutItsEnd() {
    names.keySet().stream()
        .filter(file -> file.startsWith("segment-"))
        .reduce((one, other) -> other)
        .ifPresent(file -> file(file).lies().end());
  }

  /** What it has spoiled is there again. */
  public void becomeHonest() {
    diskFaults = Optional.empty();
    names.values().forEach(file -> file.lies().end());
  }

  /** How much longer than usual everything takes. */
  public void slowDown(int factor) {
    slowness = factor;
  }

  int slowness() {
    return slowness;
  }

  /** From now on a sync takes as long as so many bytes a second need for what it covers. */
  public void bandwidth(long bytesPerSecond) {
    nanosPerKibibyte = 1_000_000_000L * 1024 / bytesPerSecond;
  }

  /** How long so many bytes take to get to the platter, at the disk's bandwidth. */
  long nanosFor(long bytes) {
    return bytes * nanosPerKibibyte / 1024;
  }

  /** How much all files together may measure. */
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

  /** The file of this name, which must exist. */
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

  /** What a sync of names that begins now will cover. */
  long changesOfNames() {
    return syncedChanges + unsyncedNames.size();
  }

  /** The first so many changes of names are durable. */
  void syncedNamesUpTo(long count) {
    while (syncedChanges < count) {
      unsyncedNames.removeFirst().run();
      syncedChanges++;
    }
  }
}
