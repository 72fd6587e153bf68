package corfu.roles.logunit.segment;

import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.format.SegmentName;
import corfu.roles.logunit.task.Maintenance;
import corfu.world.Disk;
import corfu.world.DiskFile;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The next segment file, prepared ahead: its blocks are written with zeros, so that records put
 * there later neither extend the file nor make the file system allocate. It is also the reserve:
 * when the disk has no room for another spare, data is refused, and trims, holes and compaction
 * still have this one.
 */
public final class Spare implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(Spare.class);
  private static final int PIECE_BYTES = 1 << 20;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Disk disk;
  private final World world;
  private final Room room;
  private final String label;
  private final long segmentBytes;
  private final boolean filled;

  private State state = State.WANTED;
  private int prepared; // how many there have been, for their temporary names
  private long filledBytes;
  private @Nullable DiskFile file;
  private long triedAt;
  private boolean complained;
  private long sequence;
  private long nonce;

  private enum State {
    /** Nothing stands against it. */
    WANTED,
    /** There was no room for it. */
    LACKING,
    FILLING,
    READY,
    /** What there is of it has to go. */
    FAILED
  }

  /** Who knows how much space there is, and numbers the files. */
  interface Room {
    boolean hasRoomFor(long bytes);

    long nextSequence();

    /** Whether no further number was given after this one. */
    boolean isNewest(long sequence);
  }

  /** A prepared file under its temporary name. */
  record Prepared(DiskFile file, String name, long sequence, long nonce) {}

  /**
   * @param label what tells its temporary names from those of others
   * @param filled whether its blocks are written ahead
   */
  Spare(Disk disk, World world, Room room, String label, long segmentBytes, boolean filled) {
    this.disk = disk;
    this.world = world;
    this.room = room;
    this.label = label;
    this.segmentBytes = segmentBytes;
    this.filled = filled;
  }

  public boolean isReady() {
    return state == State.READY;
  }

  /** Whether there is one, or will be soon. */
  boolean isExpected() {
    return state != State.LACKING && state != State.FAILED;
  }

  boolean isFilling() {
    return state == State.FILLING;
  }

  /** What it takes of the unit's capacity. */
  long bytes() {
    return state == State.FILLING || state == State.READY ? segmentBytes : 0;
  }

  /** What it is still going to take of the disk. */
  long unfilledBytes() {
    return state == State.FILLING && filled ? segmentBytes - filledBytes : 0;
  }

  /** Hands the prepared file over; there is none then. */
  Prepared take() {
    Prepared taken = new Prepared(Objects.requireNonNull(file), name(), sequence, nonce);
    file = null;
    state = State.WANTED;
    return taken;
  }

  /**
   * Gives the space back, where something else needs it more; the disk work for that is the answer.
   */
  public Runnable drop() {
    return discard();
  }

  /** There may be room again. */
  public void tryAgain() {
    if (state == State.LACKING) {
      state = State.WANTED;
    }
  }

  @Override
  public Optional<Maintenance.Step> next() {
    return switch (state) {
      case WANTED -> beginIfThereIsRoom();
      case LACKING ->
          world.nanoTime() - triedAt < RETRY_NANOS ? Optional.empty() : beginIfThereIsRoom();
      case FILLING -> Optional.of(filledBytes < segmentBytes && filled ? fill() : finish());
      case READY -> Optional.empty();
      case FAILED -> Optional.of(new Maintenance.Step(discard(), this::discarded));
    };
  }

  private Optional<Maintenance.Step> beginIfThereIsRoom() {
    triedAt = world.nanoTime();
    if (!room.hasRoomFor(segmentBytes)) {
      state = State.LACKING;
      return Optional.empty();
    }
    prepared++;
    filledBytes = 0;
    state = State.FILLING;
    return Optional.of(step(() -> file = disk.create(name())));
  }

  private Maintenance.Step fill() {
    DiskFile target = Objects.requireNonNull(file);
    int piece = (int) Math.min(PIECE_BYTES, segmentBytes - filledBytes);
    long at = filledBytes;
    filledBytes += piece;
    return step(
        () -> {
          target.write(ByteBuffer.allocate(piece), at);
          target.sync();
        });
  }

  /** The header comes last: numbers are given in the order in which files are used. */
  private Maintenance.Step finish() {
    DiskFile target = Objects.requireNonNull(file);
    sequence = room.nextSequence();
    nonce = world.random().nextLong();
    return new Maintenance.Step(
        () -> {
          target.write(RecordFormat.fileHeader(sequence, nonce), 0);
          target.sync();
        },
        failure -> {
          if (failure.isPresent()) {
            failed(failure.get());
          } else if (room.isNewest(sequence)) {
            state = State.READY;
            complained = false;
          } // or else another file was needed meanwhile: this one gets another number
        });
  }

  private Maintenance.Step step(Runnable work) {
    return new Maintenance.Step(work, failure -> failure.ifPresent(this::failed));
  }

  private void failed(Throwable failure) {
    if (!complained) {
      complained = true;
      LOG.warn("no spare segment file in {}: {}", disk.description(), failure.getMessage());
    }
    state = State.FAILED;
  }

  private Runnable discard() {
    Optional<DiskFile> open = Optional.ofNullable(file);
    String name = name();
    file = null;
    state = State.LACKING;
    triedAt = world.nanoTime();
    return () -> {
      open.ifPresent(DiskFile::close);
      disk.delete(name);
    };
  }

  /** What can't be deleted now is deleted by the next start. */
  private void discarded(Optional<Throwable> failure) {
    failure.ifPresent(f -> LOG.warn("cannot delete a spare file: {}", f.getMessage()));
  }

  private String name() {
    return "spare-" + label + "-" + prepared + SegmentName.TEMPORARY;
  }
}
