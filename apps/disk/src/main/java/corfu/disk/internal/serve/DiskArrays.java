package corfu.disk.internal.serve;

import corfu.bytes.ArrayHistory;
import corfu.bytes.ArrayWriter;
import corfu.bytes.BytesOptions;
import corfu.bytes.BytesStore;
import corfu.bytes.BytesView;
import corfu.bytes.Owner;
import corfu.bytes.RangeChange;
import corfu.bytes.ReclaimOptions;
import corfu.bytes.SpaceReclaimer;
import corfu.bytes.VersionKeeper;
import corfu.bytes.VersionedBytes;
import corfu.bytes.WriteOutcome;
import corfu.disk.DiskOptions;
import corfu.disk.IfInUse;
import corfu.disk.internal.catalogue.DiskRecord;
import corfu.disk.internal.device.ArrayContent;
import corfu.disk.internal.device.DiskContent;
import corfu.disk.internal.device.OwnerText;
import corfu.protocol.Address;
import corfu.runtime.Corfu;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;

/** The bytes of disks, and who writes them. Thread-safe. */
public final class DiskArrays {

  /** The room in an entry for all that is no data. */
  private static final int OVERHEAD_BYTES = 64 << 10;

  private static final ByteBuffer NO_NOTE = ByteBuffer.allocate(0).asReadOnlyBuffer();

  private final BytesStore store;
  private final DiskOptions options;
  private final OwnerText self;

  /**
   * @param self this process, as a writer of disks
   */
  public DiskArrays(Corfu corfu, DiskOptions options, OwnerText self) {
    this.store =
        BytesStore.over(
            corfu, BytesOptions.DEFAULT.withMaxEntryBytes(options.entryBytes() + OVERHEAD_BYTES));
    this.options = options;
    this.self = self;
  }

  /** Returns this process, for people. */
  public String self() {
    return self.toString();
  }

  /** The outcome of a request for the writer's role. */
  public sealed interface Acquired {

    /** This process is the only writer. */
    record Writing(ArrayWriter writer, Optional<String> before) implements Acquired {}

    /** Another process is, as far as this one can tell. */
    record InUse(String owner) implements Acquired {}
  }

  /** Makes this process the only writer of a disk. */
  public Acquired acquire(DiskRecord disk, IfInUse ifInUse) {
    VersionedBytes array = array(disk);
    Optional<Owner> owner = ArrayWriter.owner(array);
    if (owner.isPresent() && ifInUse == IfInUse.REFUSE && !hasEnded(owner.get())) {
      return new Acquired.InUse(OwnerText.describe(owner.get().owner()));
    }
    return new Acquired.Writing(
        ArrayWriter.takeOver(array, self.encode()),
        owner.map(before -> OwnerText.describe(before.owner())));
  }

  /** A process of this machine leaves a trace when it has ended. Others may only be paused. */
  private static boolean hasEnded(Owner owner) {
    return OwnerText.decode(owner.owner()).map(text -> text.process().hasEnded()).orElse(false);
  }

  /** Returns the process that writes a disk, for people; empty if none does. */
  public Optional<String> owner(DiskRecord disk) {
    return ArrayWriter.owner(array(disk))
        .filter(owner -> !hasEnded(owner))
        .map(owner -> OwnerText.describe(owner.owner()));
  }

  /** Returns the bytes of a disk. */
  public VersionedBytes array(DiskRecord disk) {
    return store.open(disk.stream(), disk.origin());
  }

  /** Returns the content of a disk at a version. */
  public DiskContent at(DiskRecord disk, Address version) {
    return new ArrayContent(array(disk).at(version));
  }

  /** Returns the newest version of a disk that the log has. */
  public BytesView newest(DiskRecord disk) {
    return array(disk).newest();
  }

  /** Returns the reclaimer of the space of a disk that this process writes. */
  SpaceReclaimer reclaimer(DiskRecord disk, ArrayWriter writer, VersionKeeper keeper) {
    return SpaceReclaimer.of(
        writer,
        ReclaimOptions.DEFAULT
            .withSlackBytes(options.reclaimBytes())
            .withInterval(options.lookEvery()),
        keeper);
  }

  /**
   * Frees the space of a disk that neither its newest version needs nor those that are kept.
   *
   * @return the freed bytes
   */
  public long reclaim(DiskRecord disk, VersionKeeper keeper) {
    return ArrayHistory.of(array(disk)).reclaim(keeper, List.of()).bytes();
  }

  /**
   * Lets the newest version of a deleted disk have no content, so that it needs no space.
   *
   * @return whether that is so now
   */
  public boolean empty(DiskRecord disk) {
    VersionedBytes array = array(disk);
    if (array.newest().size() == 0) {
      return true;
    }
    ArrayWriter writer = ArrayWriter.takeOver(array, self.encode());
    try {
      return writer.append(List.of(new RangeChange.Resize(0)), NO_NOTE).join()
          instanceof WriteOutcome.Written;
    } catch (CompletionException failed) {
      throw failed.getCause() instanceof RuntimeException cause ? cause : failed;
    } finally {
      writer.release();
    }
  }

  /** Gives up the memory of a disk's bytes. */
  public void close(DiskRecord disk) {
    store.close(array(disk));
  }

  /**
   * Gives a disk that has no writer the content of one of its versions, with one entry.
   *
   * @return the version behind the entry, or empty if another process has become the writer before
   */
  public Optional<Address> rollBack(DiskRecord disk, Address version, ByteBuffer note) {
    Address behind = store.clone(disk.stream(), version, disk.stream(), note);
    BytesView view = array(disk).at(behind);
    return view.lastChange().filter(new Address(behind.value() - 1)::equals).map(at -> behind);
  }
}
