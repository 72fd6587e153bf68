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
 * States of a machine, kept in streams of their own: parts in one, and in another the ends that say
 * which parts belong together. A checkpoint without its end never was one. Thread-safe.
 *
 * <p>Several are written at the same time, and end in any order: the last one need not be the
 * newest, and its parts, or the commands behind it, may have been given up before it came to its
 * end. So whoever looks for one takes the last that still has both. Whoever gives up what is older
 * than one of them says so first, in the stream of ends: the order there decides between two who
 * want to keep different ones, of which each would take away what the other one needs.
 */
final class Checkpoints {

  private static final int PART_BYTES = 1 << 20;

  private final String name;
  private final StreamAccess access;
  private final Log log;
  private final LogStream ends;
  private final LogStream parts;
  private final LogStream commands;

  Checkpoints(String name, StreamAccess access, Streams streams) {
    this.name = name;
    this.access = access;
    this.log = access.log();
    this.ends = streams.open(Names.checkpoints(name));
    this.parts = streams.open(Names.parts(name));
    this.commands = streams.open(Names.commands(name));
  }

  /** The last one of a state no newer than this address, if there is any to go on from. */
  Optional<Checkpoint> newest(Address noLaterThan) {
    return newest(noLaterThan, StreamAddress.ZERO);
  }

  /** The last one that goes on at this place of the commands, or behind it. */
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
        case StreamRead.Absent nothing -> {} // its writer died between token and entry
      }
    }
    return Optional.empty();
  }

  /** Streams are given up from their beginnings: where the first is there, all others are. */
  private boolean isWhole(Checkpoint found) {
    return !(parts.read(found.firstPart()) instanceof StreamRead.Trimmed)
        && !(commands.read(found.resume()) instanceof StreamRead.Trimmed);
  }

  /**
   * Writes a checkpoint.
   *
   * @param before the state is that of all commands below this
   * @param resume where the stream of commands goes on
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

  /** The state of a checkpoint. */
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
   * Gives up whatever this one does not need; or, if somebody else keeps a newer one by now, what
   * that does not need.
   *
   * @return which one is kept
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

  /** Cuts what is written into parts. At least one is written, so that there is a first one. */
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
