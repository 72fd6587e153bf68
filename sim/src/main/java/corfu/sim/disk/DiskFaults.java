package corfu.sim.disk;

import corfu.sim.world.SimRandom;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The current faults of one disk: how it falsifies writes and reads, and how its contents rot.
 *
 * <p>Log files may have any of these faults. Files that are stored twice only rot. If such a file
 * forgot an acknowledged write in both copies, the disk would count as set back
 * (docs/fault-model.md).
 */
public final class DiskFaults {

  private static final int SECTOR_BYTES = SimFile.SECTOR_BYTES;
  private static final int PAGE_BYTES = SimFile.PAGE_BYTES;

  private final SimRandom chance;
  private final List<Trick> tricks;
  private final int perMille;

  /** A fault of a write or read that the disk reports as successful. */
  public enum Trick {
    DROP_WRITE,
    TEAR_SECTORS,
    TEAR_PAGES,
    MISDIRECT_WRITE,
    MISDIRECT_READ,
    READ_STALE,
    READ_ZEROS;

    public boolean isOfReads() {
      return this == MISDIRECT_READ || this == READ_STALE || this == READ_ZEROS;
    }
  }

  /**
   * @param tricks the faults of writes and reads
   * @param perMille how many of 1,000 calls are affected
   */
  public DiskFaults(SimRandom chance, List<Trick> tricks, int perMille) {
    this.chance = chance;
    this.tricks = List.copyOf(tricks);
    this.perMille = perMille;
  }

  private Optional<Trick> now(boolean ofReads) {
    List<Trick> possible = tricks.stream().filter(t -> t.isOfReads() == ofReads).toList();
    return possible.isEmpty() || chance.below(1000) >= perMille
        ? Optional.empty()
        : Optional.of(chance.pick(possible));
  }

  /** May falsify an acknowledged write; {@code before} is what was read there before it. */
  void wrote(SimFile file, long position, byte[] bytes, byte[] before) {
    Optional<Trick> trick = bytes.length == 0 ? Optional.empty() : now(false);
    if (trick.isEmpty()) {
      return;
    }
    switch (trick.get()) {
      case TEAR_SECTORS -> tear(file, position, before, SECTOR_BYTES);
      case TEAR_PAGES -> tear(file, position, before, PAGE_BYTES);
      case MISDIRECT_WRITE -> {
        file.lies().tell(position, before);
        long elsewhere = anywhere(file);
        int fitting = (int) Math.min(bytes.length, Math.max(0, file.size() - elsewhere));
        file.lies().tell(elsewhere, Arrays.copyOf(bytes, fitting));
      }
      default -> file.lies().tell(position, before);
    }
  }

  /** Leaves the earlier contents in some of the blocks that a write touches. */
  private void tear(SimFile file, long position, byte[] before, int blockBytes) {
    long at = position;
    long end = position + before.length;
    while (at < end) {
      long next = Math.min(end, (at / blockBytes + 1) * blockBytes);
      if (chance.oneIn(2)) {
        int from = (int) (at - position);
        file.lies().tell(at, Arrays.copyOfRange(before, from, (int) (next - position)));
      }
      at = next;
    }
  }

  private long anywhere(SimFile file) {
    return (long) chance.below(file.size() / SECTOR_BYTES + 1) * SECTOR_BYTES;
  }

  /** Reads, and may return other bytes. */
  public int read(SimFile file, ByteBuffer into, long position) {
    Optional<Trick> trick = now(true);
    if (trick.isEmpty()) {
      return file.read(into, position);
    }
    int start = into.position();
    int read = file.read(into, position);
    byte[] instead = new byte[read];
    switch (trick.get()) {
      case MISDIRECT_READ -> {
        var unused = file.read(ByteBuffer.wrap(instead), anywhere(file));
      }
      case READ_STALE -> file.readSynced(instead, position);
      default -> {} // zeros
    }
    into.put(start, instead);
    return read;
  }
}
