package corfu.disk;

import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.List;
import java.util.Optional;

/**
 * The state of a disk. Immutable.
 *
 * @param name its name
 * @param stream the stream of its changes
 * @param sizeBytes its size in bytes
 * @param blockBytes the size of its blocks in bytes, which are written whole or not at all
 * @param origin the version of the disk that it is a clone of, as {@code NAME@VERSION}; empty if it
 *     is none
 * @param snapshots the snapshots, the oldest first
 * @param oldest the oldest version that is readable, besides snapshots
 */
public record DiskStatus(
    String name,
    StreamId stream,
    long sizeBytes,
    int blockBytes,
    Optional<String> origin,
    List<DiskSnapshot> snapshots,
    Address oldest) {

  public DiskStatus {
    snapshots = List.copyOf(snapshots);
  }
}
