package corfu.smr;

import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The checkpoints of a state machine, in streams of their own. One stream holds their parts,
 * another one their end records, which list the parts. A checkpoint without an end record does not
 * exist. Thread-safe.
 *
 * <p>Replicas write checkpoints at the same time, and end them in any order, so the last end record
 * need not have the newest state. Its parts, or the commands behind it, may be deleted before it
 * ends. So a reader uses the last checkpoint whose parts and commands still exist. A client that
 * deletes history first appends the checkpoint that it keeps to the stream of end records. The
 * order of that stream decides between two clients that want to keep different checkpoints;
 * otherwise each would delete what the other one needs.
 */
final class MachineCheckpoints {

  private static final int PART_BYTES = 1 << 20;

  private final String name;
  private final StreamAccess access;
  private final Log log;
  private final LogStream ends;
  private final LogStream parts;
  private final LogStream commands;

  MachineCheckpoints(String name, StreamAccess access, Streams streams) {
    this.name = name;
    this.access = access;
    this.log = access.log();
    this.ends = streams.open(Names.checkpoints(name));
    this.parts = streams.open(Names.parts(name));
    this.commands = streams.open(Names.commands(name));
  }

  /**
   * Returns the last usable checkpoint of a state no newer than this address, or empty if there is
   * none.
   */
  Optional<Checkpoint> newest(Address noLaterThan) {
    return newest(noLaterThan, StreamAddress.ZERO);
  }

  /**
   * Returns the last usable checkpoint that resumes at this stream address or above, or empty if
   * there is none.
   */
  Optional<Checkpoint> newestFrom(StreamAddress resume) {
    return newest(new Address(Long.MAX_VALUE), resume);
  }

  private Optional<Checkpoint> newest(Address noLaterThan, StreamAddress resume) {
    for (long at = ends.tail().value() - 1; at >= 0; at--) {
      switch (ends.read(new StreamAddress(at))) {
        case StreamRead.Entry entry -> {
          Checkpoint found = Checkpoint.decode(entry.address(), entry.payload());
          if (found.before().compareTo(noLaterThan) <= 0
              && found.resume().compareTo(resume) >= 0
              && isWhole(found)) {
            return Optional.of(found);
          }
        }
        case StreamRead.Trimmed trimmed -> {
          return Optional.empty();
        }
        case StreamRead.Absent nothing -> {} // a writer died between token and entry
      }
    }
    return Optional.empty();
  }

  /**
   * Whether all parts exist. Streams are trimmed from their beginnings, so it checks the first part
   * only.
   */
  private boolean isWhole(Checkpoint found) {
    return !(parts.read(found.firstPart()) instanceof StreamRead.Trimmed)
        && !(commands.read(found.resume()) instanceof StreamRead.Trimmed);
  }

  /**
   * Writes a checkpoint.
   *
   * @param before the log address below which the state includes every command
   * @param resume the stream address of the next command
   */
  Checkpoint write(StateMachine.Saved saved, Address before, StreamAddress resume) {
    PartWriter writer = new PartWriter();
    try (DataOutputStream out = new DataOutputStream(writer)) {
      saved.writeTo(out);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write a checkpoint of " + name, e);
    }
    Checkpoint end =
        new Checkpoint(before, resume, writer.firstPart, writer.bytes, writer.addresses);
    ends.append(end.encoded());
    return end;
  }

  /** Loads the state of a checkpoint into a machine. */
  void load(Checkpoint checkpoint, StateMachine into) {
    try (var in = new DataInputStream(new BufferedInputStream(new PartReader(checkpoint)))) {
      into.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(
          "cannot load the checkpoint of %s before address %s".formatted(name, checkpoint.before()),
          e);
    }
  }

  /**
   * Deletes history that this checkpoint does not need. If another client keeps a newer checkpoint
   * by now, that one decides.
   *
   * @return the checkpoint that is kept
   */
  Checkpoint keep(Checkpoint wanted) {
    StreamAddress at = ends.append(wanted.encodedAsKept()).in(ends.id());
    Checkpoint kept = wanted;
    StreamAddress its = at;
    boolean isFirst = true;
    for (StreamRead read : ends.read(StreamAddress.ZERO, new StreamAddress(at.value() + 1))) {
      if (read instanceof StreamRead.Entry entry && Checkpoint.isKept(entry.payload())) {
        Checkpoint next = Checkpoint.decode(entry.address(), entry.payload());
        if (isFirst || kept.spares(next)) {
          kept = next;
          its = entry.streamAddress();
          isFirst = false;
        }
      }
    }
    commands.trim(kept.resume());
    parts.trim(kept.firstPart());
    ends.trim(its);
    return kept;
  }

  /** Cuts a state into parts. Writes one part at least, so that there is a first one. */
  private final class PartWriter extends OutputStream {

    private ByteBuffer part = ByteBuffer.allocate(PART_BYTES);
    private final List<Address> addresses = new ArrayList<>();
    private StreamAddress firstPart = StreamAddress.ZERO;
    private long bytes;
    private boolean isClosed;

    @Override
    public void write(int oneByte) {
      write(new byte[] {(byte) oneByte}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) {
      int at = offset;
      int left = length;
      while (left > 0) {
        if (!part.hasRemaining()) {
          append();
          access.deadline().renew();
        }
        int some = Math.min(left, part.remaining());
        part.put(from, at, some);
        at += some;
        left -= some;
      }
      bytes += length;
    }

    private void append() {
      StreamAppend.Appended appended = parts.append(part.flip());
      if (addresses.isEmpty()) {
        firstPart = appended.in(parts.id());
      }
      addresses.add(appended.address());
      part = ByteBuffer.allocate(PART_BYTES);
    }

    @Override
    public void close() {
      if (!isClosed) {
        isClosed = true;
        append();
      }
    }
  }

  /** The parts of a checkpoint as one stream of bytes; one part is in memory at a time. */
  private final class PartReader extends InputStream {

    private final Checkpoint checkpoint;
    private final Iterator<Address> next;
    private ByteBuffer part = ByteBuffer.allocate(0);

    PartReader(Checkpoint checkpoint) {
      this.checkpoint = checkpoint;
      this.next = checkpoint.parts().iterator();
    }

    @Override
    public int read() {
      return hasMore() ? part.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] to, int offset, int length) {
      if (length == 0) {
        return 0;
      }
      if (!hasMore()) {
        return -1;
      }
      int some = Math.min(length, part.remaining());
      part.get(to, offset, some);
      return some;
    }

    private boolean hasMore() {
      while (!part.hasRemaining()) {
        if (!next.hasNext()) {
          return false;
        }
        if (!(log.read(next.next()) instanceof LogEntry.Data data)) {
          throw new HistoryForgottenException(name, checkpoint.before());
        }
        part = data.payload();
        if (part.remaining() >= PART_BYTES) {
          access.deadline().renew();
        }
      }
      return true;
    }
  }
}
