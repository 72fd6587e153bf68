package corfu.roles.logunit;

import corfu.world.Disk;
import corfu.world.DiskException;
import corfu.world.DiskFullException;
import corfu.world.Offload;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The write-once address space on disk: accepts records into the batch that gathers, and changes
 * the index when it does. Whoever shows the index to the outside asks {@link #unsettled} first.
 */
final class Store implements CommitQueue.Owner, Compaction.Target {

  private static final Logger LOG = LoggerFactory.getLogger(Store.class);
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  private static final int CUTS_TRIED = 3;

  private final UnitMode mode;
  private final Segments segments;
  private final AddressIndex index = new AddressIndex();
  private final CommitQueue commits;
  private final Compaction compaction;
  private final Upkeep upkeep;
  private String brokenBecause = "";

  private Store(Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    this.mode = options.mode();
    this.segments = new Segments(disk, world, options, segment -> suspect(segment));
    this.commits = new CommitQueue(mode, syncs, this);
    this.compaction = new Compaction(this, segments, index, options.segmentBytes());
    this.upkeep =
        new Upkeep(
            background,
            List.of(
                segments::nextFooter,
                segments::nextDeletion,
                segments.spare(),
                compaction,
                segments::nextDeletion));
  }

  static Store open(
      Disk disk, LogUnitOptions options, World world, Offload syncs, Offload background) {
    Store store = new Store(disk, options, world, syncs, background);
    try {
      store.recover(disk);
      return store;
    } catch (RuntimeException | Error failure) {
      store.abandon();
      throw failure;
    }
  }

  private void recover(Disk disk) {
    List<TrimmedSet.Block> scattered = new Recovery(disk, segments, index).run();
    for (TrimmedSet.Block block : scattered) {
      appendTrims(block);
    }
    segments.all().forEach(compaction::suspect);
    start();
    upkeep.poke();
  }

  /** A request has come, of any kind. */
  void requested() {
    commits.requested();
  }

  AddressIndex index() {
    return index;
  }

  Segments segments() {
    return segments;
  }

  boolean isBroken() {
    return !brokenBecause.isEmpty();
  }

  String brokenBecause() {
    return brokenBecause;
  }

  // ---------------------------------------------------------------------------------- records

  @Override
  public long append(long address, ByteBuffer entry, boolean hole, Segments.Purpose purpose) {
    int length = entry.remaining();
    long bytes = RecordFormat.sizeOf(length);
    Batch batch = commits.gathering();
    Segment segment = segments.roomFor(bytes, purpose, batch, index.mark).orElse(null);
    if (segment == null) {
      return Location.NONE;
    }
    long offset = segment.end;
    batch.addEntry(segment, address, entry, hole);
    indexOf(segment).add(address, offset, length, hole);
    segment.holds(address, bytes);
    return Location.of(segment.slot, offset, hole);
  }

  /** Writes an entry at an address that is unwritten; false if there is no space. */
  boolean write(long address, ByteBuffer entry, boolean hole) {
    long bytes = RecordFormat.sizeOf(entry.remaining());
    Segments.Purpose purpose = hole ? Segments.Purpose.KEEPING : Segments.Purpose.DATA;
    long location = append(address, entry, hole, purpose);
    if (location == Location.NONE) {
      return false;
    }
    index.records.put(address, location);
    segments.at(location).born(bytes);
    return true;
  }

  /**
   * Makes addresses trimmed. There must be {@linkplain #canKeep room} for a record of each block
   * that they touch.
   */
  void trim(List<Long> addresses) {
    Set<TrimmedSet.Block> changed = new LinkedHashSet<>();
    Set<Segment> hurt = new LinkedHashSet<>();
    for (long address : addresses) {
      long found = index.find(address);
      if (found == AddressIndex.TRIMMED) {
        continue;
      }
      if (found >= 0) {
        Segment segment = segments.at(found);
        segment.died();
        hurt.add(segment);
        index.records.remove(address);
      }
      changed.add(index.trimmed.add(address));
      gathering().reaches(address + 1);
    }
    for (TrimmedSet.Block block : changed) {
      check(appendTrims(block), "a record of trims");
    }
    if (!hurt.isEmpty()) {
      gathering().onceDurable(() -> hurt.forEach(compaction::suspect));
    }
  }

  /** Whether records of this many bytes in all could be written now, using the reserve. */
  boolean canKeep(long bytes) {
    return segments.certainRoom() >= bytes
        || segments.hasRoomFor(bytes + 2 * segments.segmentBytes());
  }

  @Override
  public boolean appendTrims(TrimmedSet.Block block) {
    ByteBuffer bitmap = block.bitmap();
    long bytes = RecordFormat.sizeOf(bitmap.remaining());
    Segment segment =
        segments.roomFor(bytes, Segments.Purpose.KEEPING, gathering(), index.mark).orElse(null);
    if (segment == null) {
      return false;
    }
    if (block.location != Location.NONE) {
      Segment before = segments.at(block.location);
      before.trimsDied();
      gathering().onceDurable(() -> compaction.suspect(before));
    }
    long offset = segment.end;
    gathering().addRecord(segment, RecordFormat.TRIMS, block.base, bitmap);
    indexOf(segment).addTrims(block.base, offset, bitmap);
    segment.holdsTrims(block);
    segment.trimsBorn();
    block.location = Location.of(segment.slot, offset, false);
    return true;
  }

  /** Trims everything below; false if there is no space for a record. */
  boolean trimBefore(long mark) {
    index.mark = Math.max(index.mark, mark);
    return appendMark();
  }

  private boolean appendMark() {
    long mark = index.mark;
    Segment segment =
        segments
            .roomFor(RecordFormat.sizeOf(0), Segments.Purpose.KEEPING, gathering(), mark)
            .orElse(null);
    if (segment == null) {
      return false;
    }
    index.markLocation = Location.of(segment.slot, segment.end, false);
    gathering().addRecord(segment, RecordFormat.PREFIX, mark, NO_BODY);
    gathering().reaches(mark);
    indexOf(segment).addPrefixMark(mark);
    gathering().onceSettled(() -> index.settledMark = Math.max(index.settledMark, mark));
    gathering().onceDurable(() -> forgetBelow(mark));
    return true;
  }

  private void forgetBelow(long mark) {
    index.records.removeBelow(mark);
    for (TrimmedSet.Block block : index.trimmed.removeBelow(mark)) {
      if (block.location != Location.NONE) {
        segments.at(block.location).trimsDied();
      }
    }
    for (Segment segment : segments.all()) {
      if (segment.isBelow(mark) || segment.isCutBy(mark)) {
        compaction.suspect(segment);
      }
    }
  }

  private static SegmentIndex indexOf(Segment segment) {
    return Objects.requireNonNull(segment.index, "a segment that is written has its index");
  }

  private static void check(boolean holds, String what) {
    if (!holds) {
      throw new IllegalStateException("there was room for " + what + " and now there is none");
    }
  }

  // ---------------------------------------------------------------------------------- commits

  @Override
  public Batch gathering() {
    return commits.gathering();
  }

  long gatheredBytes() {
    return commits.gatheredBytes();
  }

  /**
   * The batch that has to be settled before {@code found} at the address may be shown; empty if
   * nothing stands against it.
   */
  Optional<Batch> unsettled(long address, long found) {
    long proof = index.proofOf(address, found);
    return proof == Location.NONE || segments.isSettled(proof)
        ? Optional.empty()
        : commits.covering(proof);
  }

  @Override
  public void start() {
    if (!isBroken()) {
      commits.start();
    }
  }

  /** Nobody asks for anything at the moment. */
  void pause() {
    start();
    if (!isBroken()) {
      upkeep.poke();
    }
  }

  @Override
  public void onceAllIsDurable(Runnable then) {
    if (commits.isIdle()) {
      then.run();
    } else {
      gathering().onceDurable(then);
    }
  }

  @Override
  public void onceMarkIsInActiveFile(Runnable then) {
    if (segments.active().isPresent() || appendMark()) {
      onceAllIsDurable(then);
      start();
    }
  }

  /**
   * Disk work that takes its place among the batches; {@code work} is asked for when it is its
   * turn.
   */
  void inOrder(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    commits.add(work, then);
  }

  /** The same, before what waits already. */
  void inOrderFirst(Supplier<Runnable> work, Consumer<Optional<Throwable>> then) {
    commits.addFirst(work, then);
  }

  /** Stops everything: what happened on the disk is not known. */
  void breakDown(Throwable failure) {
    commits.stop(List.of(), failure);
  }

  @Override
  public void settled(Batch batch) {
    for (Batch.Part part : batch.parts()) {
      part.segment.settled = part.end;
      if (mode != UnitMode.BUFFERED) {
        part.segment.durable = part.end;
      }
    }
    index.settledNext = Math.max(index.settledNext, batch.next());
    batch.onceSettled().forEach(Runnable::run);
    batch.waiting().forEach(Batch.Waiting::settled);
  }

  @Override
  public void durable(Batch batch) {
    for (Batch.Part part : batch.parts()) {
      part.segment.durable = Math.max(part.segment.durable, part.end);
    }
    batch.onceDurable().forEach(Runnable::run);
    if (mode == UnitMode.DURABLE && commits.hasNothingToWrite()) {
      markDurable();
    }
    upkeep.poke();
  }

  private void markDurable() {
    try {
      segments.writeMark();
    } catch (DiskFullException full) {
      LOG.debug("no mark: {}", full.getMessage()); // the next record goes where it would have been
    } catch (DiskException failure) {
      breakDown(failure);
    }
  }

  @Override
  public void broken(String reason, List<Batch> batches) {
    brokenBecause =
        "the disk of this log unit failed: " + reason + "; replace the disk or the unit";
    LOG.error("{}", brokenBecause);
    upkeep.abort();
    for (Batch batch : batches) {
      batch.waiting().forEach(waiting -> waiting.broken(brokenBecause));
    }
  }

  /**
   * The disk was full. The entries go back to unwritten and their files are cut; trims and marks,
   * which may use the reserve, are written again.
   */
  @Override
  public void undone(List<Batch> batches) {
    LOG.warn("the disk is full: {}", segments.disk().description());
    Set<Segment> lost = new LinkedHashSet<>();
    batches.forEach(batch -> batch.parts().forEach(part -> lost.add(part.segment)));
    List<TrimmedSet.Block> again = new ArrayList<>();
    lost.forEach(segment -> takeBack(segment, again));
    Runnable cut = segments.abandon(List.copyOf(lost));
    boolean kept = true;
    for (TrimmedSet.Block block : again) {
      kept &= appendTrims(block);
    }
    if (index.mark > index.settledMark) {
      kept &= appendMark();
    }
    for (Batch batch : batches) {
      batch.onceDurable().forEach(gathering()::onceDurable);
    }
    List<Batch.Waiting> waiting = new ArrayList<>();
    batches.forEach(batch -> waiting.addAll(batch.waiting()));
    cutFirst(cut, CUTS_TRIED, waiting);
    if (!kept) {
      breakDown(new DiskFullException("there is no space even for trims"));
    }
  }

  /**
   * Before anything else is written, and before anybody is told that nothing has happened. A disk
   * that is full may refuse even this for a moment.
   */
  private void cutFirst(Runnable cut, int tries, List<Batch.Waiting> waiting) {
    commits.addFirst(
        () -> cut,
        failure -> {
          if (failure.isEmpty()) {
            waiting.forEach(Batch.Waiting::undone);
          } else if (!isBroken() && failure.get() instanceof DiskFullException && tries > 1) {
            cutFirst(cut, tries - 1, waiting);
          } else {
            if (!isBroken()) {
              breakDown(failure.get());
            }
            waiting.forEach(who -> who.broken(brokenBecause));
          }
        });
  }

  private void takeBack(Segment segment, List<TrimmedSet.Block> again) {
    SegmentIndex content = indexOf(segment);
    for (int i = content.count() - 1; i >= 0 && content.offset(i) >= segment.settled; i--) {
      long location = Location.of(segment.slot, content.offset(i), content.isHole(i));
      if (index.records.get(content.address(i)) == location) {
        index.records.remove(content.address(i));
        segment.died();
      }
    }
    for (SegmentIndex.Trims trims : content.trims()) {
      TrimmedSet.Block block = index.trimmed.find(trims.base());
      if (block != null
          && trims.offset() >= segment.settled
          && block.location == Location.of(segment.slot, trims.offset(), false)) {
        block.location = Location.NONE;
        segment.trimsDied();
        again.add(block);
      }
    }
  }

  private void suspect(Segment segment) {
    compaction.suspect(segment);
  }

  /** Everything durable, the active file finished, all files closed. */
  void close() {
    if (!isBroken()) {
      commits.drain();
    }
    upkeep.stop();
    if (!isBroken()) {
      segments.closeActive();
      segments.finishAll();
    }
    segments.closeFiles();
    index.close();
  }

  /** Gives back the memory of the index, and does nothing else. */
  void abandon() {
    index.close();
  }
}
