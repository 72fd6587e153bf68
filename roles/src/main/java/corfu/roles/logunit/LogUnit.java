package corfu.roles.logunit;

import corfu.protocol.ClusterId;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.Health;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Progress;
import corfu.protocol.message.Reply;
import corfu.protocol.stream.LocalEntries;
import corfu.roles.Lease;
import corfu.roles.Role;
import corfu.roles.SealedEpochs;
import corfu.roles.logunit.commit.CommitBatch;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.membership.Epochs;
import corfu.roles.logunit.membership.Membership;
import corfu.roles.logunit.options.LogUnitOptions;
import corfu.roles.logunit.store.Place;
import corfu.roles.logunit.store.Store;
import corfu.world.Disk;
import corfu.world.MemoryDisk;
import corfu.world.Offload;
import corfu.world.World;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The storage unit: a write-once address space (CORFU, section 3.3.1; SLICE, section 3). It stores
 * the bytes of entries as they travelled. It acknowledges a write when the write is as safe as the
 * mode promises, and never shows an entry that is less safe.
 *
 * <p>A hole occupies its address like an entry. Readers see a hole until it is trimmed, so that
 * replicas that were filled at different times agree. A hole takes 72 bytes of disk, and is written
 * even if the unit is too full for data.
 *
 * <p>Lives on one thread: {@link #handle}, {@link #turnEnded}, {@link #close} and all callbacks of
 * the offloads run there.
 */
public final class LogUnit implements Role<LogUnitRequest>, AutoCloseable {

  private final Place place;
  private final Membership membership;
  private final DiskTrust trust;
  private final Epochs epochs;
  private final RequestDispatcher requests;
  private Store store;
  private Runnable whenCorrupt = () -> {};

  /** The reason why the unit should leave its layout; empty if there is none. */
  private String lost = "";

  private LogUnit(Place place, Lease lease) {
    this.place = place;
    this.membership = new Membership(place.disk(), place.world(), new Contents());
    this.epochs = membership.epochs();
    this.trust = new DiskTrust(place.disk(), membership.isNewborn());
    this.store = Store.open(place, epochs.firstLogFile());
    this.requests = new RequestDispatcher(place, lease, membership, trust, store);
  }

  /** The content that a reset voids. */
  private final class Contents implements Membership.Holder {
    @Override
    public Store store() {
      return store;
    }

    @Override
    public boolean isWhole() {
      return trust.isWhole();
    }

    @Override
    public void startAgain(long firstLogFile) {
      Store old = store;
      List<CommitBatch.Waiting> late = old.cease();
      store = Store.empty(place, firstLogFile, old.retire(firstLogFile));
      requests.startAgain(store);
      store.space().index().corrupt.whenFound(whenCorrupt);
      lost = "";
      trust.beginAgain();
      late.forEach(CommitBatch.Waiting::undone);
    }
  }

  /**
   * Opens the unit on this disk, or starts a new one there. Blocks while it reads the log files.
   *
   * @param disk the unit's own directory
   * @param options how the unit stores
   * @param world the unit's clock, timers and random source
   * @param syncs runs writes and syncs on a worker of their own
   * @param background runs work that must not delay those: preparing, finishing, compacting and
   *     deleting files
   * @param lease whether the unit may answer reads
   * @throws DamagedStorageException if the files no longer prove what was acknowledged
   * @throws corfu.world.DiskException if the disk fails
   */
  public static LogUnit open(
      Disk disk,
      LogUnitOptions options,
      World world,
      Offload syncs,
      Offload background,
      Lease lease) {
    return new LogUnit(new Place(disk, options, world, syncs, background), lease);
  }

  /** Opens a unit of a cluster without leases. */
  public static LogUnit open(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    return open(disk, options, world, syncs, background, Lease.always());
  }

  /**
   * Creates a unit in memory, which holds no more than the options' capacity and ends with its
   * content.
   */
  public static LogUnit inMemory(LogUnitOptions options, World world, Lease lease) {
    return open(new MemoryDisk(), options, world, Offload.inline(), Offload.inline(), lease);
  }

  /** Creates a unit in memory for a cluster without leases. */
  public static LogUnit inMemory(LogUnitOptions options, World world) {
    return inMemory(options, world, Lease.always());
  }

  /** Returns the life of the unit's disk. It changes when the disk is lost or the unit is reset. */
  public Incarnation incarnation() {
    return epochs.incarnation();
  }

  /**
   * Returns the served epoch, or the sealed one if that is higher; {@link Epoch#NONE} before the
   * first layout.
   */
  public Epoch epoch() {
    return epochs.current();
  }

  /** Returns the newest layout that the unit was told; empty before the first. */
  public Optional<Layout> layout() {
    return epochs.layout();
  }

  /** Returns the unit's cluster; empty before the first layout. */
  public Optional<ClusterId> clusterId() {
    return membership.clusterId();
  }

  /**
   * Returns the addresses of unreadable entries, at most this many. The caller should have them
   * {@linkplain LogUnitRequest.Repair repaired}.
   */
  public List<Long> corrupt(int most) {
    return isClosed() ? List.of() : store.space().index().corrupt.addresses(most);
  }

  /**
   * Sets the callback that runs after the unit has found an unreadable entry. To be called once.
   */
  public void whenCorrupt(Runnable then) {
    whenCorrupt = then;
    store.space().index().corrupt.whenFound(then);
  }

  /**
   * Continues the scrubber's round, as fast as the options allow. To be called several times a
   * second, on the unit's thread. Corrupt entries are reported like those that readers find.
   */
  public void scrub() {
    if (!isClosed()) {
      store.scrub();
    }
  }

  /** Returns the scrubber's progress. */
  public LogUnitReply.Scrubbed scrubbed() {
    return store.scrubber().standing();
  }

  /**
   * Records that no other unit has the entry at this address, which this unit cannot read, although
   * others should have it. The unit then reports that it should be replaced, and continues as well
   * as it can. Other units have all acknowledged entries, so its removal loses nothing.
   */
  public void hasLost(long address) {
    if (lost.isEmpty()) {
      lost =
          "it cannot read what it held at address %d, which no other log unit has; drop this unit"
              .formatted(address);
    }
  }

  /**
   * Returns the durable progress of the unit's disk. A server reports it to others, which remember
   * it beyond this process.
   */
  public Progress progress() {
    Optional<LogFile> newest = store.space().logFiles().newestDurable();
    return new Progress(
        newest.map(logFile -> logFile.sequence).orElse(0L),
        newest.map(logFile -> logFile.durable).orElse(0L),
        epochs.keptSealed(),
        epochs.installed());
  }

  /** Returns the unit's sealed epochs. */
  public SealedEpochs sealedEpochs() {
    return membership;
  }

  /** Returns whether anybody may rely on the content of the unit's disk. */
  public DiskTrust trust() {
    return trust;
  }

  /**
   * Records that the disk once had more than now: acknowledged entries are missing, and nobody
   * knows which. The unit reports that it is broken and serves no requests until it is reset. It
   * also takes another incarnation, on which no layout relies. So this holds after a restart, too,
   * even if nobody remembers the reason.
   *
   * @param now the disk's present progress
   * @param before the remembered progress
   * @param then runs after the change is durable; never if it cannot be stored
   */
  public void setBack(Progress now, Progress before, Runnable then) {
    trust.setBack(epochs.incarnation(), now, before);
    membership.giveUpPlace(
        reply -> {
          if (reply == Reply.Done.DONE) {
            then.run();
          }
        });
  }

  /** Returns the streams of the unit's entries, for permissions. Lives on the unit's thread. */
  public LocalEntries entries() {
    return requests.entries();
  }

  /** Returns the unit's state, for reports. */
  public Health.State state() {
    boolean mustGo = (!lost.isEmpty() && epochs.isReliedOn()) || trust.isMissedBy(epochs.layout());
    if (store.isBroken() || mustGo) {
      return Health.State.BROKEN;
    }
    if (isClosed() || !epochs.isReliedOn()) {
      return Health.State.IDLE;
    }
    return epochs.isSealed() ? Health.State.SEALED : Health.State.SERVING;
  }

  /** Returns the reason why the unit is not serving, for people; empty if it is serving. */
  public String detail() {
    return switch (state()) {
      case BROKEN ->
          store.isBroken() ? store.brokenBecause() : trust.isSetBack() ? trust.whySetBack() : lost;
      case IDLE -> isClosed() ? RequestDispatcher.CLOSED : epochs.whyNotReliedOn();
      case SEALED -> "this log unit is sealed at epoch " + epoch();
      case SERVING, ABSENT -> "";
    };
  }

  @Override
  public void handle(LogUnitRequest request, Consumer<Reply> reply) {
    requests.handle(request, reply);
  }

  /**
   * Another role that shares this unit's thread received a request. A unit with busy neighbors does
   * not sync on that thread.
   */
  public void neighborRequested() {
    store.neighborRequested();
  }

  /** Sends the gathered batch to the disk, if no other batch is being written. */
  @Override
  public void turnEnded() {
    if (!isClosed()) {
      store.pause();
    }
  }

  /**
   * Makes everything durable, answers the waiting requests, and finishes the files. The unit serves
   * no requests afterwards. Blocks.
   */
  @Override
  public void close() {
    if (!isClosed()) {
      Store drained;
      do {
        drained = store;
        drained.drain();
      } while (drained != store); // a reset was running
      store.close();
      requests.close();
    }
  }

  /**
   * Frees the memory of the index, touches no file, and answers no more requests. Everything that
   * was not durable is lost, as in a crash. For simulators, in which processes die and their JVM
   * lives on.
   */
  public void abandon() {
    if (!isClosed()) {
      requests.abandon();
      store.abandon();
    }
  }

  private boolean isClosed() {
    return requests.isClosed();
  }

  @Override
  public String toString() {
    return "log unit in " + place.disk().description() + ", epoch " + epoch();
  }
}
