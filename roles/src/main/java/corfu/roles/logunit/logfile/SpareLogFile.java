package corfu.roles.logunit.logfile;

import corfu.roles.logunit.format.LogFileName;
import corfu.roles.logunit.format.RecordFormat;
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
 * The next log file, prepared in advance. Its blocks are filled with zeros, so that later records
 * neither extend the file nor make the file system allocate blocks. In a flood it waits: large
 * writes into a file that grows cost less than to write everything twice. It is also the reserve:
 * if the disk has no room for another spare, the unit refuses data, but trims, holes and compaction
 * can still use this one.
 */
public final class SpareLogFile implements Maintenance.Chore {

  private static final Logger LOG = LoggerFactory.getLogger(SpareLogFile.class);
  private static final int PIECE_BYTES = 1 << 20;
  private static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Disk disk;
  private final World world;
  private final Room room;
  private final String label;
  private final long logFileBytes;
  private final boolean filled;
  private final FloodDetector flood;

  private State state = State.WANTED;
  private int prepared; // the number of spares so far, for temporary names
  private long filledBytes;
  private @Nullable DiskFile file;
  private long triedAt;
  private boolean complained;
  private long sequence;
  private long nonce;

  private enum State {
    /** Preparation may start. */
    WANTED,
    /** There was no room for it. */
    LACKING,
    FILLING,
    READY,
    /** Its incomplete file must be deleted. */
    FAILED
  }

  /** Knows how much space there is, and numbers the files. */
  interface Room {
    boolean hasRoomFor(long bytes);

    /** Returns the bytes of all records that were written since the start. */
    long writtenBytes();

    long nextSequence();

    /** Returns whether no further number was issued after this one. */
    boolean isNewest(long sequence);
  }

  /** A prepared file under its temporary name. */
  record Prepared(DiskFile file, String name, long sequence, long nonce) {}

  /**
   * @param disk the unit's directory
   * @param world the clock and the random source
   * @param room the unit's space
   * @param label a part of its temporary names that distinguishes them from others'
   * @param logFileBytes the size of a log file in bytes
   * @param filled whether its blocks are written in advance
   */
  SpareLogFile(Disk disk, World world, Room room, String label, long logFileBytes, boolean filled) {
    this.disk = disk;
    this.world = world;
    this.room = room;
    this.label = label;
    this.logFileBytes = logFileBytes;
    this.filled = filled;
    this.flood = new FloodDetector(world, room::writtenBytes);
  }

  public boolean isReady() {
    return state == State.READY;
  }

  /** Returns whether a spare is ready, or will be soon. */
  boolean isExpected() {
    return state != State.LACKING && state != State.FAILED;
  }

  boolean isFilling() {
    return state == State.FILLING;
  }

  /** Returns its part of the unit's capacity in bytes. */
  long bytes() {
    return state == State.FILLING || state == State.READY ? logFileBytes : 0;
  }

  /** Returns the number of bytes that it will still use on the disk. */
  long unfilledBytes() {
    return state == State.FILLING && filled ? logFileBytes - filledBytes : 0;
  }

  /** Hands the prepared file over, and has none afterwards. */
  Prepared take() {
    Prepared taken = new Prepared(Objects.requireNonNull(file), name(), sequence, nonce);
    file = null;
    state = State.WANTED;
    return taken;
  }

  /** Frees the space for something more important. Returns the disk work for that. */
  public Runnable drop() {
    return discard();
  }

  /** Called when there may be room again. */
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
      case FILLING -> fillOrFinish();
      case READY -> Optional.empty();
      case FAILED -> Optional.of(new Maintenance.Step(discard(), this::discarded));
    };
  }

  private Optional<Maintenance.Step> beginIfThereIsRoom() {
    triedAt = world.nanoTime();
    if (!room.hasRoomFor(logFileBytes)) {
      state = State.LACKING;
      return Optional.empty();
    }
    prepared++;
    filledBytes = 0;
    state = State.FILLING;
    return Optional.of(step(() -> file = disk.create(name())));
  }

  private Optional<Maintenance.Step> fillOrFinish() {
    if (filledBytes == logFileBytes || !filled) {
      return Optional.of(finish());
    }
    return flood.isFlooded() ? Optional.empty() : Optional.of(fill());
  }

  private Maintenance.Step fill() {
    DiskFile target = Objects.requireNonNull(file);
    int piece = (int) Math.min(PIECE_BYTES, logFileBytes - filledBytes);
    long at = filledBytes;
    filledBytes += piece;
    return step(
        () -> {
          target.write(ByteBuffer.allocate(piece), at);
          target.sync();
        });
  }

  /**
   * Finishes the preparation. The header comes last, because numbers are issued in the order in
   * which files are used.
   */
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
          } // otherwise another file was needed meanwhile, and this one gets another number
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

  /** Ends the deletion. The next start deletes what could not be deleted now. */
  private void discarded(Optional<Throwable> failure) {
    failure.ifPresent(f -> LOG.warn("cannot delete a spare file: {}", f.getMessage()));
  }

  private String name() {
    return "spare-" + label + "-" + prepared + LogFileName.TEMPORARY;
  }
}
