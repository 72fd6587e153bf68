package corfu.disk.internal.catalogue;

import corfu.disk.DiskEvent;
import corfu.disk.DiskOutcome;
import corfu.disk.DiskRefusal;
import corfu.disk.DiskSnapshot;
import corfu.disk.DiskTarget;
import corfu.objects.CheckpointPolicy;
import corfu.objects.History;
import corfu.objects.ObjectException;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedList;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.Corfu;
import corfu.runtime.EntryPart;
import corfu.runtime.UnavailableException;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.random.RandomGenerator;

/**
 * The disks of a cluster. Each operation is one transaction. Linearizable; thread-safe. Calls end
 * as those of {@link ReplicatedObjects}.
 */
public final class DiskCatalogue {

  /** The most snapshots of a disk. */
  public static final int MOST_SNAPSHOTS = 1_000;

  /** The most disks in a line of clones of clones. */
  public static final int MOST_DEPTH = 100;

  /** The events of a disk that are kept, and some of those of commands. */
  public static final int MOST_EVENTS = 1_000;

  /** The oldest events are removed together. */
  private static final int EVENTS_TOGETHER = 100;

  /** The catalogue's own history is of no use, and must not fill the log. */
  private static final ObjectOptions OPTIONS =
      ObjectOptions.DEFAULT.withCheckpoints(
          CheckpointPolicy.DEFAULT
              .withEveryUpdates(1_000)
              .withHistory(History.ofTime(Duration.ofHours(1))));

  private static final String DISKS = "corfu.disk/disks";
  private static final String DELETED = "corfu.disk/deleted";
  private static final String EVENTS = "corfu.disk/events/";

  private final Corfu corfu;
  private final ReplicatedObjects objects;
  private final ReplicatedMap<String, DiskRecord> disks;
  private final ReplicatedMap<String, DiskRecord> deleted; // their streams still have entries
  private final RandomGenerator random;

  public DiskCatalogue(Corfu corfu) {
    this.corfu = corfu;
    this.objects = ReplicatedObjects.over(corfu, OPTIONS);
    this.disks = objects.open(DISKS, ReplicatedMap.of(String.class, DiskRecord.class));
    this.deleted = objects.open(DELETED, ReplicatedMap.of(String.class, DiskRecord.class));
    this.random = corfu.streamAccess().world().random();
  }

  // ---------------------------------------------------------------------------------- looking

  /** Returns all disks by name. */
  public List<DiskRecord> all() {
    return disks.values().stream().sorted(Comparator.comparing(DiskRecord::name)).toList();
  }

  public Optional<DiskRecord> find(String name) {
    return Optional.ofNullable(disks.get(name));
  }

  /** Returns the events of a disk, the oldest first. */
  public List<DiskEvent> events(StreamId stream) {
    return List.copyOf(eventsOf(stream));
  }

  /**
   * Returns the newest version. It includes every change that has ended. No change can join it: the
   * log's tail counts tokens, and the next epoch may issue those again that no append has used, but
   * none below an address that is decided.
   */
  public Address newest() {
    while (true) {
      Address tail = corfu.log().tail();
      if (tail.equals(Address.ZERO)) {
        return tail;
      }
      Address last = new Address(tail.value() - 1);
      if (!(corfu.log().read(last, 0, 1) instanceof EntryPart.Unwritten)) {
        return tail;
      }
    }
  }

  /** The version of a disk that a target names. */
  public record Found(DiskRecord disk, Address version) {}

  /** Returns the version that a target names; the newest one if it names none. */
  public DiskOutcome<Found> resolve(DiskTarget target) {
    Address tail = newest();
    return withDisk(target.name(), disk -> resolve(disk, target, tail));
  }

  private DiskOutcome<Found> resolve(DiskRecord disk, DiskTarget target, Address tail) {
    if (target.version().isEmpty()) {
      return new DiskOutcome.Done<>(new Found(disk, tail));
    }
    String text = target.version().get();
    Optional<DiskSnapshot> snapshot = disk.snapshot(text);
    if (snapshot.isPresent()) {
      return new DiskOutcome.Done<>(new Found(disk, snapshot.get().version()));
    }
    if (!text.chars().allMatch(Character::isDigit)) {
      return new DiskOutcome.Refused<>(new DiskRefusal.NoSuchSnapshot(target));
    }
    Address version = new Address(Long.parseLong(text));
    if (version.compareTo(tail) > 0) {
      return new DiskOutcome.Refused<>(new DiskRefusal.NotYet(target, tail));
    }
    if (version.value() < disk.oldest()
        && disk.snapshots().stream().noneMatch(one -> one.version().equals(version))) {
      return new DiskOutcome.Refused<>(
          new DiskRefusal.Reclaimed(target, new Address(disk.oldest())));
    }
    return new DiskOutcome.Done<>(new Found(disk, version));
  }

  private <T> DiskOutcome<T> withDisk(String name, Function<DiskRecord, DiskOutcome<T>> then) {
    return find(name)
        .map(then)
        .orElseGet(() -> new DiskOutcome.Refused<>(new DiskRefusal.NoSuchDisk(name)));
  }

  // ---------------------------------------------------------------------------------- changing

  /** Creates an empty disk. */
  public DiskOutcome<DiskRecord> create(
      String name, long sizeBytes, int blockBytes, DiskEvent event) {
    DiskRecord made =
        new DiskRecord(
            name,
            newStream(),
            blockBytes,
            List.of(new DiskRecord.Size(0, sizeBytes)),
            List.of(),
            "",
            List.of(),
            0);
    return objects.transact(() -> add(made, event));
  }

  private DiskOutcome<DiskRecord> add(DiskRecord made, DiskEvent event) {
    if (disks.containsKey(made.name())) {
      return new DiskOutcome.Refused<>(new DiskRefusal.NameTaken(made.name()));
    }
    disks.fastPut(made.name(), made);
    record(made.stream(), event);
    return new DiskOutcome.Done<>(made);
  }

  /**
   * Clones a version of a disk.
   *
   * @param tail the {@linkplain #newest newest} version
   */
  public DiskOutcome<DiskRecord> clone(
      DiskTarget source, Address tail, String name, DiskEvent event) {
    StreamId stream = newStream();
    return objects.transact(
        () ->
            withDisk(
                source.name(),
                disk ->
                    switch (resolve(disk, source, tail)) {
                      case DiskOutcome.Refused<Found>(DiskRefusal reason) ->
                          new DiskOutcome.Refused<DiskRecord>(reason);
                      case DiskOutcome.Done<Found>(Found found)
                          when disk.origins().size() >= MOST_DEPTH ->
                          new DiskOutcome.Refused<>(new DiskRefusal.TooDeep(source, MOST_DEPTH));
                      case DiskOutcome.Done<Found>(Found found)
                          when source.version().isEmpty() && tail.value() < disk.oldest() ->
                          new DiskOutcome.Refused<>(reclaimed(disk, tail));
                      case DiskOutcome.Done<Found>(Found found) ->
                          add(disk.clone(name, stream, found.version().value()), event);
                    }));
  }

  /** The newest version was asked for before the space was reclaimed. */
  private static DiskRefusal reclaimed(DiskRecord disk, Address tail) {
    return new DiskRefusal.Reclaimed(
        new DiskTarget(disk.name(), Optional.of(tail.toString())), new Address(disk.oldest()));
  }

  private StreamId newStream() {
    return new StreamId(random.nextLong(), random.nextLong() | 1);
  }

  /**
   * Takes a snapshot of the newest version.
   *
   * @param tail the {@linkplain #newest newest} version
   */
  public DiskOutcome<DiskSnapshot> snapshot(
      String name, Address tail, String snapshot, DiskEvent event) {
    DiskSnapshot taken = new DiskSnapshot(snapshot, tail, event.timeMillis());
    return objects.transact(
        () ->
            withDisk(
                name,
                disk -> {
                  if (disk.snapshot(snapshot).isPresent()) {
                    return new DiskOutcome.Refused<>(
                        new DiskRefusal.SnapshotTaken(new DiskTarget(name, Optional.of(snapshot))));
                  }
                  if (disk.snapshots().size() >= MOST_SNAPSHOTS) {
                    return new DiskOutcome.Refused<>(
                        new DiskRefusal.TooManySnapshots(name, MOST_SNAPSHOTS));
                  }
                  if (tail.value() < disk.oldest()) {
                    return new DiskOutcome.Refused<>(reclaimed(disk, tail));
                  }
                  return put(disk.with(taken), event).map(unused -> taken);
                }));
  }

  /** Deletes a snapshot. */
  public DiskOutcome<DiskRecord> deleteSnapshot(DiskTarget target, DiskEvent event) {
    String snapshot = target.version().orElse("");
    return objects.transact(
        () ->
            withDisk(
                target.name(),
                disk ->
                    disk.snapshot(snapshot)
                        .map(found -> put(disk.without(found), event))
                        .orElseGet(
                            () ->
                                new DiskOutcome.Refused<>(
                                    new DiskRefusal.NoSuchSnapshot(target)))));
  }

  /** Sets a disk's size from a version on. */
  public DiskOutcome<DiskRecord> resize(
      String name, Address version, long sizeBytes, DiskEvent event) {
    return objects.transact(
        () -> withDisk(name, disk -> put(disk.resized(version.value(), sizeBytes), event)));
  }

  /**
   * Gives up the versions before one, besides snapshots and origins of clones. From then on nobody
   * can refer to them.
   */
  public DiskOutcome<DiskRecord> giveUpBefore(String name, StreamId stream, Address version) {
    return objects.transact(
        () ->
            withDisk(
                name,
                disk -> {
                  if (!disk.stream().equals(stream)) { // deleted, and another one created
                    return new DiskOutcome.Refused<>(new DiskRefusal.NoSuchDisk(name));
                  }
                  if (disk.oldest() >= version.value()) {
                    return new DiskOutcome.Done<>(disk);
                  }
                  DiskRecord changed = disk.withOldest(version.value());
                  disks.fastPut(name, changed);
                  return new DiskOutcome.Done<>(changed);
                }));
  }

  private DiskOutcome<DiskRecord> put(DiskRecord changed, DiskEvent event) {
    disks.fastPut(changed.name(), changed);
    record(changed.stream(), event);
    return new DiskOutcome.Done<>(changed);
  }

  /** Deletes a disk. Its clones keep what they need. */
  public DiskOutcome<DiskRecord> delete(String name) {
    return objects.transact(
        () ->
            withDisk(
                name,
                disk -> {
                  disks.fastRemove(name);
                  eventsOf(disk.stream()).clear();
                  deleted.fastPut(disk.stream().toString(), disk);
                  return new DiskOutcome.Done<>(disk);
                }));
  }

  /** Records that no entry of a deleted disk is left. */
  public void isGone(StreamId stream) {
    deleted.fastRemove(stream.toString());
  }

  /** Records an event. */
  public void add(StreamId stream, DiskEvent event) {
    record(stream, event);
    List<DiskEvent> events = eventsOf(stream);
    if (events.size() > MOST_EVENTS) {
      objects.transact(
          () -> {
            while (events.size() > MOST_EVENTS - EVENTS_TOGETHER) {
              events.removeFirst();
            }
          });
    }
  }

  /** Reads nothing, so that events of several clients do not conflict. */
  private void record(StreamId stream, DiskEvent event) {
    eventsOf(stream).fastAdd(event);
  }

  private ReplicatedList<DiskEvent> eventsOf(StreamId stream) {
    return objects.open(EVENTS + stream, ReplicatedList.of(DiskEvent.class));
  }

  // ------------------------------------------------------------------------------------- space

  /**
   * The versions of an array that something needs.
   *
   * @param versions the versions, ascending
   * @param isDeleted whether the disk was deleted: then nothing else of it is needed
   */
  public record Needed(List<Address> versions, boolean isDeleted) {}

  /** Returns the versions of a stream that snapshots and clones need, at one moment. */
  public Needed needed(StreamId stream) {
    return objects.transact(
        TransactionOptions.READ_ONLY,
        () -> {
          TreeSet<Address> versions = new TreeSet<>();
          boolean isDeleted = true;
          for (DiskRecord disk : disks.values()) {
            if (disk.stream().equals(stream)) {
              isDeleted = false;
              disk.snapshots().forEach(one -> versions.add(one.version()));
            }
            disk.origins().stream()
                .filter(origin -> origin.stream().equals(stream))
                .forEach(origin -> versions.add(new Address(origin.version())));
          }
          return new Needed(List.copyOf(versions), isDeleted);
        });
  }

  /**
   * Gives up the versions of a disk before one that nothing needs.
   *
   * @return the versions that something needs
   * @throws UnavailableException if others changed the disk at the same time, too often
   */
  public List<Address> giveUpBefore(DiskRecord disk, Address version) {
    try {
      var unused = giveUpBefore(disk.name(), disk.stream(), version);
      return needed(disk.stream()).versions();
    } catch (ObjectException later) {
      throw new UnavailableException(
          "the versions of disk %s before %s stay for now: %s"
              .formatted(disk.name(), version, later.getMessage()),
          later);
    }
  }

  /** Returns the deleted disks that still have entries. */
  public List<DiskRecord> deleted() {
    return List.copyOf(deleted.values());
  }
}
