package corfu.silver.mount;

import corfu.fuse.protocol.FileSystemStatistics;
import corfu.silver.ClusterSpace;
import corfu.silver.NodeId;
import corfu.silver.Silver;
import corfu.silver.SilverFileSystem;
import corfu.silver.quota.QuotaLimits;
import corfu.silver.quota.QuotaStatus;
import corfu.silver.quota.Usage;
import corfu.world.World;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.ReentrantLock;

/** The free space as the kernel wants it: that of a quota, or else that of the cluster. */
final class SpaceReplies {

  /** The time for which the space of the cluster is not asked for again. */
  private static final Duration VALID = Duration.ofSeconds(5);

  private static final int BLOCK_BYTES = 4096;
  private static final int NAME_BYTES = 255;

  /** A log has no limit of nodes. */
  private static final long MANY_NODES = 1L << 40;

  /** Shown while the servers do not tell their space. */
  private static final ClusterSpace UNKNOWN = new ClusterSpace(1L << 52, 1L << 51);

  private final World world;
  private final Silver silver;
  private final ReentrantLock lock = new ReentrantLock();
  private Optional<Known> known = Optional.empty();

  private record Known(ClusterSpace space, long atNanos) {}

  SpaceReplies(World world, Silver silver) {
    this.world = world;
    this.silver = silver;
  }

  /** Returns the space that a node has. */
  FileSystemStatistics of(Optional<MountedNode> node) {
    Optional<QuotaStatus> quota =
        node.flatMap(
            found ->
                found instanceof MountedNode.Stored(SilverFileSystem in, NodeId id)
                    ? in.quotas().of(id)
                    : Optional.empty());
    QuotaLimits limits = quota.map(QuotaStatus::limits).orElse(QuotaLimits.NONE);
    Usage room = limits.room(quota.map(QuotaStatus::used).orElse(Usage.NONE));
    OptionalLong bytes = limits.bytes();
    ClusterSpace space =
        bytes.isPresent() ? new ClusterSpace(bytes.getAsLong(), room.bytes()) : cluster();
    long free = space.freeBytes() / BLOCK_BYTES;
    return new FileSystemStatistics(
        Math.ceilDiv(space.totalBytes(), BLOCK_BYTES),
        free,
        free,
        limits.nodes().orElse(MANY_NODES),
        Math.min(room.nodes(), MANY_NODES),
        BLOCK_BYTES,
        NAME_BYTES,
        BLOCK_BYTES);
  }

  private ClusterSpace cluster() {
    lock.lock();
    try {
      long now = world.nanoTime();
      if (known.filter(last -> now - last.atNanos() <= VALID.toNanos()).isEmpty()) {
        known = Optional.of(new Known(silver.space().orElse(UNKNOWN), now));
      }
      return known.map(Known::space).orElse(UNKNOWN);
    } finally {
      lock.unlock();
    }
  }
}
