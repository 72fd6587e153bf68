package corfu.node;

import corfu.protocol.Limits;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.options.UnitMode;

/**
 * Checks the total memory of a server's limits. A server whose limits exceed its memory does not
 * start; otherwise it would run out of memory on a busy day.
 */
final class MemoryNeeds {

  /** The minimal ratio of objects' sizes in memory to the sizes of their checkpoints. */
  private static final int OBJECT_FACTOR = 2;

  /** The number of largest entries in memory: one as it arrives, and the same one in a reply. */
  private static final int LARGEST_ENTRIES = 2;

  private MemoryNeeds() {}

  /**
   * Checks the limits of one server together. Memory outside the heap may be as large as the heap.
   *
   * @throws ConfigException if the limits exceed it; the message names the limits and a fitting
   *     value
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

  /** Rounds down. */
  private static String mebibytes(long bytes) {
    return ByteSize.format(Math.max(0, bytes) & -(1L << 20));
  }
}
