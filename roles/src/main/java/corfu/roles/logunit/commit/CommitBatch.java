package corfu.roles.logunit.commit;

import corfu.protocol.Entry;
import corfu.protocol.message.Failure;
import corfu.protocol.message.Reply;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.logfile.LogFile;
import corfu.roles.logunit.logfile.RecordWriter;
import corfu.roles.logunit.pagemap.Location;
import corfu.world.DiskFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * The records of one gathering write and one sync, with the requests that wait for it. Small
 * entries are copied together, because a memory copy costs less than another buffer in a gathering
 * write. Large entries are written from where they are.
 */
public final class CommitBatch implements RecordWriter {

  private static final int COPIED_UP_TO = 4 << 10;
  private static final int PADDING_AND_HEADER = RecordFormat.RECORD_HEADER_BYTES + 8;
  private static final ByteBuffer NO_BODY = ByteBuffer.allocate(0);

  private final Staging staging;
  private final List<Part> parts = new ArrayList<>();
  private final List<ByteBuffer> taken = new ArrayList<>();
  private final List<Waiting> waiting = new ArrayList<>();
  private final List<Runnable> onceSettled = new ArrayList<>();
  private final List<Runnable> onceDurable = new ArrayList<>();
  private final List<Runnable> ifUndone = new ArrayList<>();
  private long bytes;
  private long next; // the address behind the batch's highest one
  private int filledFrom; // bytes of the last staging buffer from here on are in no part yet

  CommitBatch(Staging staging) {
    this.staging = staging;
  }

  /** A request that waits for the end of the batch. Exactly one of the methods is called, once. */
  public interface Waiting {

    /** The records may be shown. */
    void settled();

    /** The disk is full, and nothing of the batch has happened. */
    void undone();

    /** The outcome of the batch is unknown. */
    void broken(String reason);

    /**
     * Returns a waiting request with these actions. If the outcome is unknown, the reply is that
     * the unit is broken.
     */
    static Waiting of(Runnable whenSettled, Runnable ifUndone, Consumer<Reply> reply) {
      return new Waiting() {
        @Override
        public void settled() {
          whenSettled.run();
        }

        @Override
        public void undone() {
          ifUndone.run();
        }

        @Override
        public void broken(String reason) {
          reply.accept(new Failure.Broken(reason));
        }
      };
    }
  }

  /** The records of a batch in one file. */
  public static final class Part {
    public final LogFile logFile;
    final long start;
    public long end;
    private final Runnable opening;
    private final List<ByteBuffer> buffers = new ArrayList<>();

    private Part(LogFile logFile, Runnable opening) {
      this.logFile = logFile;
      this.start = logFile.end;
      this.end = logFile.end;
      this.opening = opening;
    }

    void sync() {
      file().sync();
    }

    private DiskFile file() {
      return Objects.requireNonNull(logFile.writing, "a segment is opened before it is written");
    }
  }

  @Override
  public void begin(LogFile logFile, Runnable opening) {
    finishBuffer();
    parts.add(new Part(logFile, opening));
  }

  /** Adds an entry's record at the end of its file. */
  public void addEntry(LogFile logFile, Entry added) {
    Part part = partOf(logFile);
    ByteBuffer entry = added.bytes();
    long address = added.address();
    int length = entry.remaining();
    int kind = added.isHole() ? RecordFormat.HOLE : RecordFormat.DATA;
    ByteBuffer out =
        room(length <= COPIED_UP_TO ? length + PADDING_AND_HEADER : PADDING_AND_HEADER);
    RecordFormat.putHeader(out, kind, length, address, logFile.nonce, logFile.durable, NO_BODY);
    if (length <= COPIED_UP_TO) {
      out.put(entry);
    } else {
      finishBuffer();
      part.buffers.add(entry);
      out = room(8);
    }
    pad(out, length);
    advance(part, RecordFormat.sizeOf(length));
    next = Math.max(next, address + 1);
  }

  @Override
  public void addRecord(LogFile logFile, int kind, long address, ByteBuffer body) {
    Part part = partOf(logFile);
    int length = body.remaining();
    ByteBuffer out = room(length + PADDING_AND_HEADER);
    RecordFormat.putHeader(out, kind, length, address, logFile.nonce, logFile.durable, body);
    out.put(body.duplicate());
    pad(out, length);
    advance(part, RecordFormat.sizeOf(length));
  }

  /** Records that the batch concerns addresses below {@code address}. */
  public void reaches(long address) {
    next = Math.max(next, address);
  }

  public void await(Waiting who) {
    waiting.add(who);
  }

  /** Runs {@code then} when the batch is settled, before any request is answered. */
  public void onceSettled(Runnable then) {
    onceSettled.add(then);
  }

  public void onceDurable(Runnable then) {
    onceDurable.add(then);
  }

  /** Runs {@code then} if nothing of the batch has happened; the last added action runs first. */
  public void ifUndone(Runnable then) {
    ifUndone.add(then);
  }

  /** Returns whether the batch contains the record at this location. */
  boolean covers(long location) {
    for (Part part : parts) {
      long offset = Location.offset(location);
      if (part.logFile.slot == Location.slot(location)
          && offset >= part.start
          && offset < part.end) {
        return true;
      }
    }
    return false;
  }

  boolean isEmpty() {
    return bytes == 0 && waiting.isEmpty() && onceDurable.isEmpty();
  }

  public long bytes() {
    return bytes;
  }

  public long next() {
    return next;
  }

  public List<Part> parts() {
    return parts;
  }

  public List<Waiting> waiting() {
    return waiting;
  }

  public List<Runnable> onceSettled() {
    return onceSettled;
  }

  public List<Runnable> onceDurable() {
    return onceDurable;
  }

  public List<Runnable> ifUndone() {
    return ifUndone;
  }

  /** Closes the batch for more records. From now on any thread may write it. */
  void complete() {
    finishBuffer();
  }

  void write() {
    for (Part part : parts) {
      part.opening.run();
      part.file().write(part.buffers.toArray(ByteBuffer[]::new), part.start);
    }
  }

  /**
   * Writes and syncs the parts in order. A file is opened only after everything before it is
   * durable, so only the last file can have a torn tail.
   */
  void writeAndSync() {
    for (Part part : parts) {
      part.opening.run();
      part.file().write(part.buffers.toArray(ByteBuffer[]::new), part.start);
      part.file().sync();
    }
  }

  void release() {
    taken.forEach(staging::giveBack);
    taken.clear();
  }

  private Part partOf(LogFile logFile) {
    if (parts.isEmpty() || parts.getLast().logFile != logFile) {
      begin(logFile, () -> {});
    }
    return parts.getLast();
  }

  private ByteBuffer room(int wanted) {
    if (taken.isEmpty() || taken.getLast().remaining() < wanted) {
      finishBuffer();
      taken.add(staging.take());
      filledFrom = 0;
    }
    return taken.getLast();
  }

  private void finishBuffer() {
    if (taken.isEmpty() || taken.getLast().position() == filledFrom) {
      return;
    }
    ByteBuffer buffer = taken.getLast();
    ByteBuffer filled = buffer.slice(filledFrom, buffer.position() - filledFrom);
    parts.getLast().buffers.add(filled.order(ByteOrder.LITTLE_ENDIAN));
    filledFrom = buffer.position();
  }

  private static void pad(ByteBuffer out, int length) {
    for (int i = length; (i & 7) != 0; i++) {
      out.put((byte) 0);
    }
  }

  private void advance(Part part, long recordBytes) {
    part.end += recordBytes;
    part.logFile.end = part.end;
    bytes += recordBytes;
  }
}
