package corfu.node.access;

import corfu.access.StreamNames;
import corfu.access.audit.AuditCodec;
import corfu.access.audit.AuditRecord;
import corfu.access.audit.DamagedAuditException;
import corfu.access.audit.RecordHash;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamId;
import corfu.protocol.stream.Condition;
import corfu.protocol.stream.StreamPart;
import corfu.runtime.AsOf;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAppend;
import corfu.runtime.stream.StreamEnds;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/**
 * The end of the audit log as one server process sees it, with the hash of the newest record. It
 * appends a record behind that one only: the sequencer refuses the token if the stream has changed
 * meanwhile. So the records of all servers are one chain. For one thread at a time.
 */
final class AuditLogEnd {

  private static final StreamId AUDIT = StreamId.named(StreamNames.AUDIT);

  /** The number of places at the end of the stream in which the newest record is sought first. */
  private static final long NEAR = 32;

  private final Streams streams;
  private final StreamReader reader;
  private final long life;
  private RecordHash newest = RecordHash.NONE;

  /** The highest number of a record of this life that has been read, or -1. */
  private long ownNumber = -1;

  private AuditLogEnd(Streams streams, StreamReader reader, long life) {
    this.streams = streams;
    this.reader = reader;
    this.life = life;
  }

  /**
   * Finds the end of the log. Reads only a few records, however long the log is.
   *
   * @param life the number of this process, of which there are no records yet
   */
  static AuditLogEnd find(Corfu corfu, long life) {
    Streams streams = Streams.over(corfu);
    StreamEnds ends = streams.ends(List.of(AUDIT));
    long end = ends.end(AUDIT).value();
    for (long places = NEAR; ; places *= 2) {
      long from = Math.max(0, end - places);
      StreamReader reader = streams.open(AUDIT).reader(new StreamAddress(from));
      AuditLogEnd found = new AuditLogEnd(streams, reader, life);
      if (found.readTo(ends) > 0 || from == 0) {
        return found;
      }
    }
  }

  /** Reads the records up to the ends. Returns their number. */
  private int readTo(StreamEnds ends) {
    int count = 0;
    reader.sync(ends);
    for (StreamRead next = reader.readNext(); ; next = reader.readNext()) {
      switch (next) {
        case StreamRead.Entry entry -> {
          passes(entry);
          count++;
        }
        case StreamRead.Trimmed trimmed -> {} // the newest hash is still that of the chain
        case StreamRead.Absent end -> {
          return count;
        }
      }
    }
  }

  private void passes(StreamRead.Entry entry) {
    newest = RecordHash.of(entry.payload());
    try {
      AuditRecord record = AuditCodec.decode(entry.payload());
      if (record.life() == life) {
        ownNumber = Math.max(ownNumber, record.number());
      }
    } catch (DamagedAuditException foreign) {
      return; // an administrator has written it; readers report it
    }
  }

  /**
   * Appends a record unless it is in the log already, because an earlier attempt has succeeded
   * without an answer.
   *
   * @param record the record; its predecessor is set here
   * @return whether the record is in the log now; false if another record came first
   */
  boolean append(AuditRecord record) {
    StreamEnds ends = streams.ends(List.of(AUDIT));
    int unused = readTo(ends);
    if (ownNumber >= record.number()) {
      return true;
    }
    ByteBuffer bytes = AuditCodec.encode(record.behind(newest));
    RecordHash own = RecordHash.of(bytes);
    StreamPart whole = StreamPart.whole(AUDIT);
    StreamAppend outcome =
        streams.appendChange(
            List.of(whole),
            Optional.of(new Condition(ends.tail().value(), List.of(whole))),
            new AsOf(ends.epoch(), ends.began().value()),
            bytes,
            known -> {});
    if (outcome instanceof StreamAppend.Appended) {
      newest = own; // it may be trimmed before it is read
      return true;
    }
    return false;
  }
}
