package corfu.disk.internal.catalogue;

import corfu.bytes.BytesOrigin;
import corfu.disk.DiskSnapshot;
import corfu.disk.DiskStatus;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A disk, as the catalogue has it. The log keeps the names of fields: a new field has an empty
 * default.
 *
 * @param name its name
 * @param stream the stream of its changes
 * @param blockBytes the size of a block in bytes
 * @param sizes the sizes that it had, the oldest first; the last one is that of now
 * @param origins the version that it is a clone of, the version that this one's disk is a clone of,
 *     and so on
 * @param originName the first of these, for people; empty if there is none
 * @param snapshots the snapshots, the oldest first
 * @param oldest the oldest version that stays readable besides snapshots and origins of clones
 */
public record DiskRecord(
    String name,
    StreamId stream,
    int blockBytes,
    List<Size> sizes,
    List<Origin> origins,
    String originName,
    List<DiskSnapshot> snapshots,
    long oldest) {

  /** The size in bytes from a version on. */
  public record Size(long version, long bytes) {}

  /** A version of the array of a stream. */
  public record Origin(StreamId stream, long version) {}

  public DiskRecord {
    sizes = List.copyOf(sizes);
    origins = List.copyOf(origins);
    snapshots = List.copyOf(snapshots);
  }

  /** Returns the size in bytes now. */
  public long sizeBytes() {
    return sizes.getLast().bytes();
  }

  /** Returns the size in bytes at a version. */
  public long sizeAt(long version) {
    return sizes.stream()
        .filter(size -> size.version() <= version)
        .reduce((one, later) -> later)
        .orElse(sizes.getFirst())
        .bytes();
  }

  /** Returns the content before the first change. */
  public Optional<BytesOrigin> origin() {
    Optional<BytesOrigin> origin = Optional.empty();
    for (Origin each : origins.reversed()) {
      origin = Optional.of(new BytesOrigin(each.stream(), origin, new Address(each.version())));
    }
    return origin;
  }

  public Optional<DiskSnapshot> snapshot(String wanted) {
    return snapshots.stream().filter(one -> one.name().equals(wanted)).findFirst();
  }

  public DiskRecord resized(long version, long bytes) {
    List<Size> more = new ArrayList<>(sizes);
    more.removeIf(size -> size.version() >= version);
    more.add(new Size(version, bytes));
    return new DiskRecord(name, stream, blockBytes, more, origins, originName, snapshots, oldest);
  }

  public DiskRecord with(DiskSnapshot snapshot) {
    return withSnapshots(Stream.concat(snapshots.stream(), Stream.of(snapshot)).toList());
  }

  public DiskRecord without(DiskSnapshot snapshot) {
    return withSnapshots(snapshots.stream().filter(one -> !one.equals(snapshot)).toList());
  }

  private DiskRecord withSnapshots(List<DiskSnapshot> these) {
    return new DiskRecord(name, stream, blockBytes, sizes, origins, originName, these, oldest);
  }

  public DiskRecord withOldest(long version) {
    return new DiskRecord(name, stream, blockBytes, sizes, origins, originName, snapshots, version);
  }

  /** Returns the clone of a version, without any change of its own. */
  public DiskRecord clone(String clone, StreamId its, long version) {
    List<Origin> line = new ArrayList<>(List.of(new Origin(stream, version)));
    line.addAll(origins);
    return new DiskRecord(
        clone,
        its,
        blockBytes,
        List.of(new Size(0, sizeAt(version))),
        line,
        name + "@" + version,
        List.of(),
        0);
  }

  public DiskStatus status() {
    return new DiskStatus(
        name,
        stream,
        sizeBytes(),
        blockBytes,
        Optional.of(originName).filter(text -> !text.isEmpty()),
        snapshots,
        new Address(oldest));
  }
}
