package corfu.disk;

import corfu.bytes.ArrayWriter;
import corfu.bytes.RangeChange;
import corfu.bytes.WriteOutcome;
import corfu.disk.DiskEvent.Kind;
import corfu.disk.internal.catalogue.DiskCatalogue;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.OwnerText;
import corfu.disk.internal.serve.DiskArrays;
import corfu.disk.internal.serve.DiskArrays.Acquired;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.function.Function;

/**
 * The disks of a cluster: fixed address spaces of bytes, of which snapshots and clones cost one
 * entry of the log, whatever the size. {@link DiskExports} serves them to clients. Thread-safe.
 *
 * <p>Calls end as those of {@link corfu.objects.ReplicatedObjects}, with the same exceptions.
 *
 * <pre>{@code
 * Disks disks = Disks.over(client);
 * disks.create("vm", 10L << 30, 4096);
 * disks.snapshot("vm", Optional.of("fresh"));
 * disks.clone(DiskTarget.parse("vm@fresh"), "vm2");
 * }</pre>
 */
public final class Disks {

  /** The largest size of a disk in bytes. */
  public static final long MOST_BYTES = 1L << 50;

  /** The smallest size of a block in bytes. */
  public static final int LEAST_BLOCK_BYTES = 512;

  /** The largest size of a block in bytes. */
  public static final int MOST_BLOCK_BYTES = 64 << 10;

  /** The newest versions that are tried for a snapshot or a clone beside reclaiming. */
  private static final int MOST_ATTEMPTS = 8;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();
  private static final DateTimeFormatter SNAPSHOT_NAME =
      DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

  private final World world;
  private final DiskCatalogue catalogue;
  private final DiskArrays arrays;

  private Disks(Corfu corfu, DiskOptions options) {
    this.world = corfu.streamAccess().world();
    this.catalogue = new DiskCatalogue(corfu);
    this.arrays = new DiskArrays(corfu, options, OwnerText.here());
  }

  /** Returns the disks of a client's cluster. */
  public static Disks over(Corfu corfu) {
    return over(corfu, DiskOptions.DEFAULT);
  }

  /** Returns the disks of a client's cluster. */
  public static Disks over(Corfu corfu, DiskOptions options) {
    return new Disks(corfu, options);
  }

  // ---------------------------------------------------------------------------------- looking

  /** Returns all disks by name. */
  public List<DiskStatus> list() {
    return catalogue.all().stream().map(DiskRecord::status).toList();
  }

  /** Returns a disk. */
  public DiskOutcome<DiskStatus> find(String name) {
    return withDisk(name, disk -> new DiskOutcome.Done<>(disk.status()));
  }

  /** Returns the newest version of all disks: it includes every write that is in the log. */
  public Address version() {
    return catalogue.newest();
  }

  /** Returns the version that a target means; the newest one if it names none. */
  public DiskOutcome<Address> version(DiskTarget target) {
    return catalogue.resolve(target).map(DiskCatalogue.Found::version);
  }

  /** Returns the process that writes a disk, for people; empty if none does, or there is none. */
  public Optional<String> owner(String name) {
    return catalogue.find(name).flatMap(arrays::owner);
  }

  /**
   * Returns the bytes of a disk that are neither holes nor zeros, those that it shares with other
   * disks included; 0 if there is none. Reads the map of the disk, and keeps nothing of it in
   * memory: so all disks may be asked for, one after the other.
   */
  public long usedBytes(String name) {
    return catalogue
        .find(name)
        .map(
            disk -> {
              try {
                return usedBytes(disk);
              } finally {
                arrays.close(disk);
              }
            })
        .orElse(0L);
  }

  private long usedBytes(DiskRecord disk) {
    var view = arrays.newest(disk);
    long used = 0;
    long at = 0;
    while (true) {
      var next = view.nextData(at);
      if (next.isEmpty()) {
        return used;
      }
      at = view.nextHole(next.getAsLong());
      used += at - next.getAsLong();
    }
  }

  /** Returns the events of a disk, the oldest first; the newest 1,000 are kept. */
  public DiskOutcome<List<DiskEvent>> history(String name) {
    return withDisk(name, disk -> new DiskOutcome.Done<>(catalogue.events(disk.stream())));
  }

  private <T> DiskOutcome<T> withDisk(String name, Function<DiskRecord, DiskOutcome<T>> then) {
    return catalogue
        .find(name)
        .map(then)
        .orElseGet(() -> new DiskOutcome.Refused<>(new DiskRefusal.NoSuchDisk(name)));
  }

  private DiskEvent event(Kind kind, String detail) {
    return event(kind, catalogue.newest(), detail);
  }

  private DiskEvent event(Kind kind, Address version, String detail) {
    return new DiskEvent(world.wallTimeMillis(), kind, version.value(), arrays.self(), detail);
  }

  // ---------------------------------------------------------------------------------- changing

  /**
   * Creates an empty disk.
   *
   * @param sizeBytes the size in bytes, a multiple of the block's, up to {@link #MOST_BYTES}
   * @param blockBytes the size of a block in bytes, a power of two from {@link #LEAST_BLOCK_BYTES}
   *     to {@link #MOST_BLOCK_BYTES}: a crash never tears a block that was written whole
   * @throws IllegalArgumentException if name or sizes are out of their bounds
   */
  public DiskOutcome<DiskStatus> create(String name, long sizeBytes, int blockBytes) {
    DiskName.checkDisk(name);
    if (Integer.bitCount(blockBytes) != 1
        || blockBytes < LEAST_BLOCK_BYTES
        || blockBytes > MOST_BLOCK_BYTES) {
      throw new IllegalArgumentException(
          "a block has %d to %d bytes, a power of two, not %d"
              .formatted(LEAST_BLOCK_BYTES, MOST_BLOCK_BYTES, blockBytes));
    }
    checkSize(sizeBytes, blockBytes);
    return catalogue
        .create(name, sizeBytes, blockBytes, event(Kind.CREATED, sizeBytes + " bytes"))
        .map(DiskRecord::status);
  }

  private static void checkSize(long sizeBytes, int blockBytes) {
    if (sizeBytes <= 0 || sizeBytes > MOST_BYTES || sizeBytes % blockBytes != 0) {
      throw new IllegalArgumentException(
          "a disk has 1 to %d bytes, a multiple of its block of %d bytes, not %d"
              .formatted(MOST_BYTES, blockBytes, sizeBytes));
    }
  }

  /**
   * Clones a disk, or a version of one. This is one entry of the log, whatever the size. Writes
   * that a server of the disk has not flushed yet are not part of the clone.
   *
   * @param name the clone's name
   */
  public DiskOutcome<DiskStatus> clone(DiskTarget source, String name) {
    DiskName.checkDisk(name);
    return ofNewest(
            now -> catalogue.clone(source, now, name, event(Kind.CLONED, now, "from " + source)))
        .map(DiskRecord::status);
  }

  /**
   * Does something with the newest version. The server of the disk may reclaim the space of that
   * one before the catalogue knows that it is needed. Then a newer one is taken.
   */
  private <T> DiskOutcome<T> ofNewest(Function<Address, DiskOutcome<T>> call) {
    for (int attempt = 1; ; attempt++) {
      Address now = catalogue.newest();
      DiskOutcome<T> outcome = call.apply(now);
      boolean isTooOld =
          outcome instanceof DiskOutcome.Refused<T>(DiskRefusal.Reclaimed reclaimed)
              && reclaimed.target().version().equals(Optional.of(now.toString()));
      if (!isTooOld || attempt == MOST_ATTEMPTS) {
        return outcome;
      }
    }
  }

  /**
   * Takes a snapshot of a disk as it is: of all writes that were flushed. This is one entry of the
   * log, whatever the size.
   *
   * @param snapshot the snapshot's name; if empty, it is the time in UTC
   */
  public DiskOutcome<DiskSnapshot> snapshot(String name, Optional<String> snapshot) {
    String its =
        snapshot.orElseGet(
            () -> SNAPSHOT_NAME.format(Instant.ofEpochMilli(world.wallTimeMillis())));
    DiskName.checkSnapshot(its);
    return ofNewest(
        now -> catalogue.snapshot(name, now, its, event(Kind.SNAPSHOT_TAKEN, now, its)));
  }

  /** Deletes a snapshot, and frees the space that nothing else needs. */
  public DiskOutcome<DiskStatus> deleteSnapshot(DiskTarget target) {
    return catalogue
        .deleteSnapshot(target, event(Kind.SNAPSHOT_DELETED, target.version().orElse("")))
        .map(
            disk -> {
              long unused = arrays.reclaim(disk, before -> catalogue.giveUpBefore(disk, before));
              return disk.status();
            });
  }

  /**
   * Sets the size of a disk. A server that writes it learns a larger size within a second.
   *
   * @param sizeBytes the size in bytes, a multiple of the block's
   * @param ifSmaller the choice if the disk would lose its end
   * @param ifInUse the choice if a server writes the disk that would lose its end
   */
  public DiskOutcome<DiskStatus> resize(
      String name, long sizeBytes, IfSmaller ifSmaller, IfInUse ifInUse) {
    return withDisk(
        name,
        disk -> {
          checkSize(sizeBytes, disk.blockBytes());
          if (sizeBytes >= disk.sizeBytes()) {
            return resized(disk, catalogue.newest(), sizeBytes);
          }
          if (ifSmaller == IfSmaller.REFUSE) {
            return new DiskOutcome.Refused<>(
                new DiskRefusal.WouldShrink(name, disk.sizeBytes(), sizeBytes));
          }
          return shrink(disk, sizeBytes, ifInUse);
        });
  }

  private DiskOutcome<DiskStatus> shrink(DiskRecord disk, long sizeBytes, IfInUse ifInUse) {
    return switch (arrays.acquire(disk, ifInUse)) {
      case Acquired.InUse(String owner) -> inUse(disk, owner);
      case Acquired.Writing(ArrayWriter writer, var before) -> {
        WriteOutcome outcome = join(writer, new RangeChange.Resize(sizeBytes));
        DiskOutcome<DiskStatus> resized =
            switch (outcome) {
              case WriteOutcome.Written(Address version) -> resized(disk, version, sizeBytes);
              case WriteOutcome.Fenced(var by) -> inUse(disk, OwnerText.describe(by.owner()));
            };
        writer.release();
        yield resized;
      }
    };
  }

  private static WriteOutcome join(ArrayWriter writer, RangeChange change) {
    try {
      return writer.append(List.of(change), NO_NOTE).join();
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    }
  }

  private DiskOutcome<DiskStatus> resized(DiskRecord disk, Address version, long sizeBytes) {
    DiskEvent event =
        event(Kind.RESIZED, "from %d to %d bytes".formatted(disk.sizeBytes(), sizeBytes));
    return catalogue.resize(disk.name(), version, sizeBytes, event).map(DiskRecord::status);
  }

  private static <T> DiskOutcome<T> inUse(DiskRecord disk, String owner) {
    return new DiskOutcome.Refused<>(new DiskRefusal.InUse(disk.name(), owner));
  }

  /**
   * Gives a disk the content of one of its versions. This is one entry of the log, whatever the
   * size. The versions until now stay readable, as far as their space is not reclaimed.
   *
   * @return the first version with the old content
   */
  public DiskOutcome<Address> rollBack(DiskTarget target, IfInUse ifInUse) {
    return switch (catalogue.resolve(target)) {
      case DiskOutcome.Refused<DiskCatalogue.Found>(DiskRefusal reason) ->
          new DiskOutcome.Refused<>(reason);
      case DiskOutcome.Done<DiskCatalogue.Found>(
              DiskCatalogue.Found(DiskRecord disk, Address at)) ->
          switch (arrays.acquire(disk, ifInUse)) {
            case Acquired.InUse(String owner) -> inUse(disk, owner);
            case Acquired.Writing(ArrayWriter writer, var before) -> {
              writer.release();
              yield rollBack(disk, at, target);
            }
          };
    };
  }

  private DiskOutcome<Address> rollBack(DiskRecord disk, Address at, DiskTarget target) {
    return arrays
        .rollBack(disk, at, NO_NOTE)
        .map(
            behind -> {
              catalogue.resize(
                  disk.name(),
                  behind,
                  disk.sizeAt(at.value()),
                  event(Kind.ROLLED_BACK, "to " + target));
              return (DiskOutcome<Address>) new DiskOutcome.Done<>(behind);
            })
        .orElseGet(() -> inUse(disk, arrays.owner(disk).orElse("another process")));
  }

  /**
   * Deletes a disk with its snapshots, and frees the space that no clone needs. If that fails, the
   * next deletion of any disk frees it.
   */
  public DiskOutcome<DiskStatus> delete(String name, IfInUse ifInUse) {
    return withDisk(
        name,
        disk ->
            switch (arrays.acquire(disk, ifInUse)) {
              case Acquired.InUse(String owner) -> inUse(disk, owner);
              case Acquired.Writing(ArrayWriter writer, var before) -> {
                DiskOutcome<DiskStatus> deleted = catalogue.delete(name).map(DiskRecord::status);
                writer.release();
                catalogue.deleted().forEach(gone -> free(gone));
                yield deleted;
              }
            });
  }

  /** Frees the space of a deleted disk. Nobody can begin to need one of its versions. */
  private void free(DiskRecord gone) {
    if (arrays.empty(gone)) {
      long unused = arrays.reclaim(gone, before -> catalogue.needed(gone.stream()).versions());
      if (catalogue.needed(gone.stream()).versions().isEmpty()) {
        catalogue.isGone(gone.stream());
      }
    }
  }
}
