package corfu.bytes;

import corfu.bytes.internal.checkpoint.Checkpoints;
import corfu.bytes.internal.record.BytesRecord;
import corfu.bytes.internal.record.EntryDecoder;
import corfu.bytes.internal.record.RecordCodec;
import corfu.bytes.internal.state.BytesState;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.runtime.stream.HeadRead;
import corfu.runtime.stream.HeadReader;
import corfu.runtime.stream.StreamEnds;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/**
 * The entries of an array, for applications that give up old versions and know which other arrays
 * need them. {@link #forget} is enough for an array that shares nothing.
 *
 * <p>The order is important. First {@link #keep} makes the oldest remaining version readable
 * without older entries. Then the entries that no remaining version of any array needs are trimmed:
 * with {@link #trimBefore} those of a whole range, and others one by one with {@link
 * corfu.runtime.Log#trim}. Players of the array go on from the kept version. Thread-safe.
 */
public final class ArrayHistory {

  private static final int TRIMMED_TOGETHER = 4_096;

  private final BytesStore store;
  private final VersionedBytes array;

  private ArrayHistory(VersionedBytes array) {
    this.store = array.store();
    this.array = array;
  }

  /** Returns the entries of an array. */
  public static ArrayHistory of(VersionedBytes array) {
    return new ArrayHistory(array);
  }

  /**
   * An entry of the array's stream.
   *
   * @param address its log address
   * @param place its place in the stream
   * @param payloadBytes the length of its payload in bytes
   * @param references the log addresses of other entries from which it copies
   */
  public record StoredEntry(
      Address address, StreamAddress place, int payloadBytes, List<Long> references) {}

  /**
   * A version that stays readable without older entries.
   *
   * @param place the place in the stream of the first entry that the version does not include
   * @param version the version
   * @param checkpoint the place of its map in the stream of checkpoints
   */
  public record Kept(StreamAddress place, Address version, StreamAddress checkpoint) {}

  /**
   * The space that was freed.
   *
   * @param entries the number of trimmed entries
   * @param bytes the bytes of their payloads
   */
  public record Freed(long entries, long bytes) {}

  /**
   * Makes sure that a version can be read without the entries before it. Repeated calls write
   * nothing.
   *
   * @param version the version, at most the log's tail
   * @return the kept version, or empty if the array has no content and no entry then
   */
  public Optional<Kept> keep(Address version) {
    return store
        .maps()
        .withMaps(
            array.id(),
            () -> {
              BytesState state = array.stateAt(version);
              if (state.place() == 0 && array.origin().isEmpty()) {
                return Optional.empty();
              }
              Checkpoints.Checkpoint kept = store.keep(state, version, false);
              return Optional.of(
                  new Kept(new StreamAddress(state.place()), state.version(), kept.first()));
            });
  }

  /**
   * Passes on the entries that are left, in the order of the stream.
   *
   * @param receiver receives each entry; memory holds one at a time
   */
  public void forEachEntry(Consumer<StoredEntry> receiver) {
    forEach(
        (head, content) ->
            receiver.accept(
                new StoredEntry(
                    head.address(),
                    head.streamAddress(),
                    head.payloadBytes(),
                    content.record() instanceof BytesRecord.Copy copy
                        ? copy.extents().stream()
                            .map(extent -> extent.address())
                            .distinct()
                            .toList()
                        : List.of())));
  }

  @FunctionalInterface
  private interface Receiver {
    void accept(HeadRead.Head head, RecordCodec.Decoded content);
  }

  private void forEach(Receiver receiver) {
    StreamId id = array.id();
    StreamEnds ends = store.streams().ends(List.of(id));
    if (ends.end(id).equals(StreamAddress.ZERO)) {
      return;
    }
    HeadReader reader = store.streams().open(id).heads(StreamAddress.ZERO, EntryDecoder.HEAD_BYTES);
    reader.sync(ends);
    while (true) {
      switch (reader.readNext()) {
        case HeadRead.Head head ->
            store.decoder().decode(head).ifPresent(content -> receiver.accept(head, content));
        case HeadRead.Trimmed trimmed -> {}
        case HeadRead.Absent end -> {
          return;
        }
      }
    }
  }

  /**
   * Passes on the log addresses of entries that hold bytes of checkpointed versions, perhaps
   * repeatedly. Some of the entries may be trimmed.
   */
  public void forEachCheckpointedEntry(LongConsumer receiver) {
    store.checkpoints().forEachExtent(array.id(), extent -> receiver.accept(extent.address()));
  }

  /** Trims the entries before a place, all of which no version of any array needs. */
  public void trimBefore(StreamAddress place) {
    if (!place.equals(StreamAddress.ZERO)) {
      store.streams().open(array.id()).trim(place);
    }
  }

  /** Trims the maps of versions that were checkpointed before this one was kept. */
  public void trimCheckpoints(Kept kept) {
    store.checkpoints().trim(array.id(), kept.checkpoint());
  }

  /** Trims all maps of versions: nobody reads the array any more. */
  public void trimCheckpoints() {
    StreamId checkpoints = Checkpoints.streamOf(array.id());
    store.checkpoints().trim(array.id(), store.streams().open(checkpoints).tail());
  }

  // ----------------------------------------------------------------------------------- one array

  /**
   * Gives up all versions of the array before this one. The space of the entries that no remaining
   * version needs is reused. A version that an entry of {@link BytesStore#clone} refers to stays
   * readable.
   *
   * <p>The log does not know which other arrays have older versions as their {@linkplain
   * BytesOrigin origin}, or have copied ranges from this one. The caller makes sure that there are
   * none, and that nobody clones an older version meanwhile. If the call fails, it may be repeated.
   *
   * @param version the oldest version that stays readable, at most the log's tail
   * @return the number of trimmed entries, and their bytes
   * @throws VersionForgottenException if a newer version was kept by an earlier call
   */
  public Freed forget(Address version) {
    Set<Long> needed = new HashSet<>();
    long kept = array.stateAt(version).version().value();
    StreamAddress first = keepAll(version, List.of(version), needed).orElseThrow();
    Freed freed = trimAllBut(needed, kept);
    store.checkpoints().trim(array.id(), first);
    return freed;
  }

  /**
   * Gives up all versions of the array but these and the newest one. The space of the entries that
   * they do not need is reused: for example, after a snapshot was deleted. The array may have a
   * writer meanwhile, which goes on. If the call fails, repeat it.
   *
   * @param keptVersions the versions that stay readable, at most the log's tail. A version to which
   *     an entry of {@link BytesStore#clone} refers stays readable, too.
   * @param others versions of other arrays that may need entries of this one: arrays that have it
   *     as their {@linkplain BytesOrigin origin}, or have copied ranges from it
   * @return the number of trimmed entries, and their bytes
   */
  public Freed reclaim(List<Address> keptVersions, List<BytesView> others) {
    return reclaim(newest -> keptVersions, others);
  }

  /**
   * Does the same where other clients may begin to need a version meanwhile.
   *
   * @param keeper is asked once, before anything is given up
   */
  public Freed reclaim(VersionKeeper keeper, List<BytesView> others) {
    Set<Long> needed = new HashSet<>();
    others.forEach(view -> view.forEachEntry(needed::add));
    BytesState newest =
        store
            .maps()
            .withMaps(
                array.id(),
                () -> {
                  BytesState state = array.writerState().orElseGet(array::newestState);
                  state.extents().forEach(extent -> needed.add(extent.address()));
                  return state;
                });
    List<Address> kept =
        keeper.giveUpBefore(newest.version()).stream()
            .filter(each -> each.compareTo(newest.version()) < 0)
            .toList();
    Optional<StreamAddress> first = keepAll(newest.version(), kept, needed);
    StreamAddress last =
        store
            .maps()
            .onState(
                newest,
                array.origin(),
                whole -> store.writeFloor(whole, newest.version()).first(),
                found -> {});
    Freed freed = trimAllBut(needed, newest.before());
    store
        .checkpoints()
        .trim(array.id(), first.filter(before -> before.compareTo(last) < 0).orElse(last));
    return freed;
  }

  /** Trims the entries below a log address that are not needed, also not by copies behind it. */
  private Freed trimAllBut(Set<Long> needed, long before) {
    long[] bytes = {0};
    long[] entries = {0};
    List<Address> dead = new ArrayList<>();
    forEach(
        (head, content) -> {
          if (content.record() instanceof BytesRecord.Copy copy
              && head.address().value() >= before) {
            copy.extents().forEach(extent -> needed.add(extent.address()));
          }
        });
    forEach(
        (head, content) -> {
          boolean isNeeded =
              needed.contains(head.address().value()) || isCloneToAnother(content.record());
          if (head.address().value() < before && !isNeeded) {
            dead.add(head.address());
            entries[0]++;
            bytes[0] += head.payloadBytes();
          }
          if (dead.size() == TRIMMED_TOGETHER) {
            store.log().trim(dead);
            dead.clear();
          }
        });
    store.log().trim(dead);
    return new Freed(entries[0], bytes[0]);
  }

  /** Such an entry is in the other array's stream, too, which needs it. */
  private boolean isCloneToAnother(BytesRecord record) {
    return record instanceof BytesRecord.Clone clone && !clone.target().equals(array.id());
  }

  /**
   * Keeps versions, and those before a version to which clones in the log refer.
   *
   * @param needed receives the log addresses of the entries that hold their bytes
   * @return the place of the oldest of them in the stream of checkpoints, if there are any
   */
  private Optional<StreamAddress> keepAll(Address before, List<Address> kept, Set<Long> needed) {
    TreeSet<Address> versions = new TreeSet<>(kept);
    forEachClonedVersion(
        version -> {
          if (version < before.value()) {
            versions.add(new Address(version));
          }
        });
    Optional<StreamAddress> first = Optional.empty();
    for (Address each : versions) {
      Checkpoints.Checkpoint checkpoint =
          store
              .maps()
              .withMaps(
                  array.id(),
                  () -> {
                    BytesState state = array.stateAt(each);
                    state.extents().forEach(extent -> needed.add(extent.address()));
                    return store.keep(state, each, each.compareTo(before) < 0);
                  });
      first =
          first
              .filter(place -> place.compareTo(checkpoint.first()) < 0)
              .or(() -> Optional.of(checkpoint.first()));
    }
    return first;
  }

  private void forEachClonedVersion(LongConsumer receiver) {
    forEach(
        (head, content) -> {
          if (content.record() instanceof BytesRecord.Clone clone
              && clone.source().equals(array.id())) {
            receiver.accept(Math.min(clone.version(), head.address().value()));
          }
        });
  }
}
