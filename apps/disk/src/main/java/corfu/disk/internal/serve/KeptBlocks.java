package corfu.disk.internal.serve;

import corfu.bytes.ArrayWriter;
import corfu.disk.internal.cache.BlockCache;
import corfu.disk.internal.cache.DiskBlocks;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The blocks in memory of disks that a server has given back. If nobody has changed the disk when
 * the server opens it again, they are right still. Thread-safe.
 */
final class KeptBlocks {

  private record Kept(DiskBlocks blocks, Optional<Address> lastChange) {}

  private final BlockCache cache;
  private final Map<StreamId, Kept> disks = new HashMap<>();

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
    disks.put(disk, new Kept(blocks, lastChange(writer)));
  }

  /** Returns the address of the last change, which no take-over and no move of data alters. */
  private static Optional<Address> lastChange(ArrayWriter writer) {
    return writer.view().lastChange();
  }
}
