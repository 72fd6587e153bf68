package corfu.objects.tango;

import corfu.objects.record.CallId;
import corfu.objects.serial.SerializationException;
import corfu.protocol.Address;
import corfu.protocol.StreamId;
import corfu.runtime.AppendOutcomeUnknownException;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.Deadline;
import corfu.runtime.Log;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.Streams;
import corfu.world.World;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/** A client's way to the log: writes records, knows its own again, reads others'. Thread-safe. */
final class TangoLog {

  private final StreamAccess access;
  private final World world;
  private final Log log;
  private final Streams streams;
  private final long client;
  private final AtomicLong calls = new AtomicLong();

  TangoLog(Corfu corfu) {
    this.access = corfu.streamAccess();
    this.world = access.world();
    this.log = corfu.log();
    this.streams = Streams.over(corfu);
    this.client = world.random().nextLong();
  }

  World world() {
    return world;
  }

  /** Begins a call of the thread, or a part of the one that it is in. */
  CallScope call() {
    return access.call();
  }

  Deadline deadline() {
    return access.deadline();
  }

  Streams streams() {
    return streams;
  }

  /** Returns the stream of this name, which the client remembers for servers. */
  StreamId named(String name) {
    return access.named(name);
  }

  CallId nextCall() {
    return new CallId(client, calls.incrementAndGet());
  }

  /**
   * Appends a record to all of these streams.
   *
   * @throws AppendOutcomeUnknownException if it could not be found out whether it is there
   */
  Address append(TangoRecord record, Collection<StreamId> to) {
    ByteBuffer payload = TangoCodec.encode(record, world.wallTimeMillis());
    while (true) {
      try {
        return streams.append(to, payload.duplicate()).address();
      } catch (AppendOutcomeUnknownException unknown) {
        if (isAt(record.call(), unknown)) {
          return unknown.address();
        } // its address is decided, and another's: so nothing has happened, and it is tried again
      }
    }
  }

  private boolean isAt(CallId call, AppendOutcomeUnknownException unknown) {
    try {
      return switch (log.fill(unknown.address())) {
        case LogEntry.Data data -> isOf(call, data.payload());
        case LogEntry.Trimmed trimmed -> throw unknown; // it may have been there
        case LogEntry.Hole hole -> false;
        case LogEntry.Unwritten unwritten -> throw unknown;
      };
    } catch (CorfuException notNow) {
      if (notNow != unknown) {
        unknown.addSuppressed(notNow);
      }
      throw unknown;
    }
  }

  private static boolean isOf(CallId call, ByteBuffer payload) {
    try {
      return TangoCodec.decode(payload).call().equals(call);
    } catch (SerializationException | MixedObjectException others) {
      return false;
    }
  }

  /** Returns the record in an entry of an object's stream. */
  static TangoRecord record(StreamId object, StreamRead.Entry entry) {
    return decode(object, entry.address(), entry.payload());
  }

  private static TangoRecord decode(StreamId object, Address address, ByteBuffer payload) {
    String where = "the entry at address %s of object %s: ".formatted(address, object);
    try {
      return TangoCodec.decode(payload);
    } catch (MixedObjectException mixed) {
      throw new MixedObjectException(where + mixed.getMessage(), mixed);
    } catch (SerializationException damaged) {
      throw new SerializationException(where + damaged.getMessage(), damaged);
    }
  }

  /**
   * Makes sure that an object is none of the other kind, as far as its newest entry tells.
   *
   * @throws MixedObjectException if it is
   */
  void check(StreamId object) {
    long newest = streams.ends(List.of(object)).newest(object);
    if (newest >= 0 && log.read(new Address(newest)) instanceof LogEntry.Data data) {
      TangoRecord unused = decode(object, data.address(), data.payload());
    }
  }

  /** Returns the record at a log address, or empty if the address holds no data. */
  Optional<TangoRecord> at(StreamId object, Address address) {
    return log.read(address) instanceof LogEntry.Data data
        ? Optional.of(decode(object, address, data.payload()))
        : Optional.empty();
  }
}
