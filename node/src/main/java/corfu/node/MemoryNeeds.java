package corfu.node;

import corfu.protocol.Limits;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;

/**
 * Checks how much memory a server's limits may take together. A server whose limits exceed it does
 * not start: it would run out of memory on a busy day instead.
 */
final class MemoryNeeds {

  /** Objects are at least this many times as large as their checkpoints. */
  private static final int OBJECT_FACTOR = 2;

  /** An entry as it arrives, and the same entry in a reply. */
  private static final int LARGEST_ENTRIES = 2;

  private MemoryNeeds() {}

  /**
   * Checks the limits of one server together. Memory outside the heap may be as large as the heap.
   *
   * @throws ConfigException if they exceed it; the message says which ones, and what fits
   */
  static void check(ClusterConfig cluster, ServerConfig server, long heapBytes) {
    boolean isUnit = server.has(RoleKind.LOG_UNIT);
    LogUnitOptions unit = cluster.unitOptions();
    long stored = isUnit && unit.mode() == UnitMode.MEMORY ? unit.capacityBytes() : 0;
    long views = cluster.views().bytesMax();
    if (server.has(RoleKind.VIEWS) && views > (heapBytes - stored) / OBJECT_FACTOR) {
      throw new ConfigException(
          ("server %s: [views] memory = \"%s\" may need %d times as much heap, beside %s for a log"
                  + " unit in memory, but the heap has %s: memory = \"%s\" fits, or give the JVM a"
                  + " larger heap (-Xmx)")
              .formatted(
                  server.name(),
                  ByteSize.format(views),
                  OBJECT_FACTOR,
                  mebibytes(stored),
                  mebibytes(heapBytes),
                  mebibytes((heapBytes - stored) / OBJECT_FACTOR)));
    }
    Limits limits = cluster.limits();
    long room = heapBytes - unit.gatherBytes();
    if (isUnit && limits.maxPayloadBytes() > room / LARGEST_ENTRIES) {
      throw new ConfigException(
          ("server %s: max-entry = \"%s\" may need %d times as much memory, beside %s of entries"
               + " that wait for the disk, but there are %s: max-entry = \"%s\" fits, or give the"
               + " JVM a larger heap (-Xmx)")
              .formatted(
                  server.name(),
                  ByteSize.format(limits.maxPayloadBytes()),
                  LARGEST_ENTRIES,
                  ByteSize.format(unit.gatherBytes()),
                  mebibytes(heapBytes),
                  mebibytes(room / LARGEST_ENTRIES)));
    }
  }

  /** Rounded down. */
  private static String mebibytes(long bytes) {
    return ByteSize.format(Math.max(0, bytes) & -(1L << 20));
  }
}
