package corfu.runtime.access;

import corfu.access.StreamNames;
import corfu.access.audit.AuditAnchor;
import corfu.access.audit.AuditBreak;
import corfu.access.audit.AuditChain;
import corfu.access.audit.AuditCodec;
import corfu.access.audit.DamagedAuditException;
import corfu.protocol.Address;
import corfu.protocol.StreamAddress;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.CallScope;
import corfu.runtime.Corfu;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.LogStream;
import corfu.runtime.stream.StreamRead;
import corfu.runtime.stream.StreamReader;
import corfu.runtime.stream.Streams;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * The audit log of a cluster: the events that its servers report in the stream {@link
 * StreamNames#AUDIT}. To read it takes {@code observe}, to trim it {@code administer}. Thread-safe.
 *
 * <pre>{@code
 * AuditLog audit = AuditLog.over(corfu);
 * for (AuditLogEvent event : audit.newest(20, event -> true, audit.end())) {
 *   System.out.println(event);
 * }
 * AuditVerification whole = audit.verify(Optional.empty());
 * }</pre>
 *
 * All calls throw {@link corfu.runtime.AccessDeniedException} if this client lacks the permission,
 * and end like those of {@link corfu.runtime.Log}.
 */
public final class AuditLog {

  /** The number of records that are read together, from the end of the log to its beginning. */
  private static final int TOGETHER = 256;

  private final StreamAccess access;
  private final LogStream stream;

  private AuditLog(Corfu corfu) {
    this.access = corfu.streamAccess();
    this.stream = Streams.over(corfu).open(StreamNames.AUDIT);
  }

  /** Returns the audit log of the cluster of this client. */
  public static AuditLog over(Corfu corfu) {
    return new AuditLog(corfu);
  }

  /** Returns the present end of the log. */
  public StreamAddress end() {
    return stream.tail();
  }

  /** Returns a reader that begins at a place, for example {@link #end}. */
  public AuditReader reader(StreamAddress from) {
    return new AuditReader(stream.reader(from));
  }

  /** Returns a reader that begins with the first record at this log address, or behind it. */
  public AuditReader reader(Address from) {
    return reader(placeOf(from));
  }

  /** Returns the place of the first record at a log address, or behind it. */
  private StreamAddress placeOf(Address address) {
    return access
        .find(List.of(StreamQuery.below(stream.id(), address.value())), 1)
        .getFirst()
        .newestFirst()
        .stream()
        .map(before -> new StreamAddress(before.streamAddress() + 1))
        .findFirst()
        .orElse(StreamAddress.ZERO);
  }

  /**
   * Returns the newest events, in their order. Reads no more records than needed.
   *
   * @param most the largest number of events
   * @param wanted selects the events
   * @param end the end of the part to search
   */
  public List<AuditLogEvent> newest(int most, Predicate<AuditLogEvent> wanted, StreamAddress end) {
    List<AuditLogEvent> events = new ArrayList<>();
    long below = end.value();
    while (below > 0 && events.size() < most) {
      long from = Math.max(0, below - TOGETHER);
      List<AuditLogEvent> earlier = new ArrayList<>();
      boolean isTrimmed = false;
      for (StreamRead read : stream.read(new StreamAddress(from), new StreamAddress(below))) {
        isTrimmed |= read instanceof StreamRead.Trimmed;
        if (read instanceof StreamRead.Entry entry) {
          AuditReader.eventsOf(entry).stream().filter(wanted).forEach(earlier::add);
        }
      }
      events.addAll(0, earlier);
      below = isTrimmed ? 0 : from;
    }
    return events.size() <= most ? events : events.subList(events.size() - most, events.size());
  }

  /**
   * Checks the chain of all records.
   *
   * @param from a record from an earlier check, with which to begin; empty for the first remaining
   *     record
   */
  public AuditVerification verify(Optional<AuditAnchor> from) {
    AuditChain chain = from.map(AuditChain::from).orElseGet(AuditChain::fromBeginning);
    List<AuditBreak> breaks = new ArrayList<>();
    CallScope call = access.call();
    try {
      StreamAddress place =
          from.map(known -> placeOf(new Address(known.address()))).orElse(StreamAddress.ZERO);
      StreamReader reader = stream.reader(place);
      var unused = reader.sync();
      for (StreamRead next = reader.readNext(); ; next = reader.readNext()) {
        switch (next) {
          case StreamRead.Entry entry -> {
            Optional<AuditBreak> broken = chain.add(entry.address().value(), entry.payload());
            broken
                .filter(one -> breaks.size() < AuditVerification.MOST_BREAKS)
                .ifPresent(breaks::add);
            call.deadline().renew();
          }
          case StreamRead.Trimmed trimmed -> chain.beginningIsTrimmed();
          case StreamRead.Absent end -> {
            chain.end().ifPresent(breaks::add);
            return new AuditVerification(chain.count(), chain.newest(), breaks);
          }
        }
      }
    } finally {
      call.end();
    }
  }

  /**
   * Trims the records before an address for ever, but never the newest record, which the next one
   * has to name.
   *
   * @return the address of the first remaining record; empty if there is none
   */
  public Optional<Address> trim(Address before) {
    Optional<StreamRead.Entry> newest = newestRecord();
    if (newest.isPresent()) {
      StreamAddress wanted = placeOf(before);
      StreamAddress last = newest.get().streamAddress();
      stream.trim(wanted.compareTo(last) < 0 ? wanted : last);
    }
    return first(record -> true);
  }

  /** Trims the records before a time, but never the newest record; see {@link #trim(Address)}. */
  public Optional<Address> trim(Instant before) {
    Optional<Address> since =
        first(entry -> !timeOf(entry).isBefore(before))
            .or(() -> newestRecord().map(StreamRead.Entry::address));
    return since.flatMap(this::trim);
  }

  /** Foreign entries have no time, and give way. */
  private static Instant timeOf(StreamRead.Entry entry) {
    try {
      return Instant.ofEpochMilli(AuditCodec.decode(entry.payload()).millis());
    } catch (DamagedAuditException foreign) {
      return Instant.EPOCH;
    }
  }

  /** Returns the address of the first entry of this kind. */
  private Optional<Address> first(Predicate<StreamRead.Entry> wanted) {
    var scan = stream.scan(StreamAddress.ZERO, end());
    while (scan.hasNext()) {
      if (scan.next() instanceof StreamRead.Entry entry && wanted.test(entry)) {
        return Optional.of(entry.address());
      }
    }
    return Optional.empty();
  }

  private Optional<StreamRead.Entry> newestRecord() {
    long below = end().value();
    while (below > 0) {
      long from = Math.max(0, below - TOGETHER);
      List<StreamRead> some = stream.read(new StreamAddress(from), new StreamAddress(below));
      for (StreamRead read : some.reversed()) {
        if (read instanceof StreamRead.Entry entry) {
          return Optional.of(entry);
        }
      }
      below = from;
    }
    return Optional.empty();
  }
}
