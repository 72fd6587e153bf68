package corfu.disk.internal.serve;

import corfu.bytes.ArrayWriter;
import corfu.disk.internal.cache.BlockCache;
import corfu.disk.internal.cache.DiskBlocks;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks in memory of disks that a server has given back. If nobody has changed the disk when
 * the server opens it again, they are right still. Thread-safe.
 */
final class KeptBlocks {

  /** The most disks; the one that was given back first is forgotten. */
  static final int MOST_DISKS = 1_000;

  private record Kept(DiskBlocks blocks, Optional<Address> lastChange) {}

  private final BlockCache cache;
  private final Map<StreamId, Kept> disks = new LinkedHashMap<>();

  KeptBlocks(BlockCache cache) {
    this.cache = cache;
  }

  /** Returns the blocks of a disk whose only writer is this one, and forgets them here. */
  synchronized DiskBlocks take(StreamId disk, ArrayWriter writer) {
    return Optional.ofNullable(disks.remove(disk))
        .filter(kept -> kept.lastChange().equals(lastChange(writer)))
        .map(Kept::blocks)
        .orElseGet(cache::open);
  }

  /**
   * Keeps the blocks of a disk.
   *
   * @param writer the disk's only writer, all of whose changes are in the log
   */
  synchronized void keep(StreamId disk, DiskBlocks blocks, ArrayWriter writer) {
    if (disks.size() == MOST_DISKS) {
      disks.remove(disks.keySet().iterator().next());
    }
    disks.put(disk, new Kept(blocks, lastChange(writer)));
  }

  /** Returns the address of the last change, which no take-over and no move of data alters. */
  private static Optional<Address> lastChange(ArrayWriter writer) {
    return writer.view().lastChange();
  }
}
