package corfu.cli.stream;

import corfu.cli.connection.AdminClient;
import corfu.protocol.Address;
import corfu.protocol.Endpoint;
import corfu.protocol.Incarnation;
import corfu.protocol.StreamAddress;
import corfu.protocol.StreamHeader;
import corfu.protocol.StreamId;
import corfu.protocol.layout.Member;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.stream.Occurrences;
import corfu.protocol.stream.Occurrences.Occurrence;
import corfu.protocol.stream.StreamPosition;
import corfu.protocol.stream.StreamQuery;
import corfu.runtime.LogEntry;
import corfu.runtime.StreamAccess;
import corfu.runtime.stream.Streams;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a cluster knows of a stream.
 *
 * @param tail the place behind its last entry
 * @param issued the place of its next entry, as its sequencer knows it, and which tokens were the
 *     last
 * @param trimmedBefore what is below has been given up
 * @param newest its newest entries, the newest first
 * @param units what each log unit says
 */
record StreamStatus(
    StreamAddress tail,
    StreamPosition issued,
    StreamAddress trimmedBefore,
    List<Found> newest,
    List<Unit> units) {

  /** How many of the newest entries are looked at. */
  private static final int NEWEST = 8;

  StreamStatus {
    newest = List.copyOf(newest);
    units = List.copyOf(units);
  }

  /** An entry that an index names, and what its log address holds. */
  record Found(Occurrence occurrence, LogEntry entry) {

    /** What it says of the stream. */
    Optional<StreamHeader> header(StreamId stream) {
      return entry instanceof LogEntry.Data data
          ? data.streams().stream().filter(header -> header.stream().equals(stream)).findFirst()
          : Optional.empty();
    }
  }

  /**
   * What a log unit says.
   *
   * @param reply what it knows; empty where it did not say
   * @param problem why it did not; empty if it did
   */
  record Unit(Endpoint endpoint, Optional<LogUnitReply.FoundInStreams> reply, String problem) {

    /** What it knows of the stream. */
    Optional<Occurrences> found() {
      return reply.flatMap(found -> found.found().stream().findFirst());
    }
  }

  static StreamStatus of(AdminClient admin, StreamId stream) {
    StreamAccess access = admin.corfu().streamAccess();
    StreamAddress tail = Streams.over(admin.corfu()).open(stream).tail();
    StreamPosition issued = access.ends(List.of(stream)).ends().getFirst();
    var query = StreamQuery.below(stream, Long.MAX_VALUE);
    StreamAccess.Found found = access.find(List.of(query), NEWEST).getFirst();
    return new StreamStatus(
        tail,
        issued,
        found.trimmedBefore(),
        read(admin, found.newestFirst()),
        askUnits(admin, query));
  }

  private static List<Found> read(AdminClient admin, List<Occurrence> newest) {
    List<Address> addresses = newest.stream().map(one -> new Address(one.address())).toList();
    List<LogEntry> entries = addresses.isEmpty() ? List.of() : admin.corfu().log().read(addresses);
    List<Found> found = new ArrayList<>();
    for (int i = 0; i < entries.size(); i++) {
      found.add(new Found(newest.get(i), entries.get(i)));
    }
    return found;
  }

  private static List<Unit> askUnits(AdminClient admin, StreamQuery query) {
    var request = new LogUnitRequest.FindInStreams(admin.layout().epoch(), List.of(query), NEWEST);
    List<Unit> units = new ArrayList<>();
    for (Member member : admin.layout().units()) {
      if (!member.incarnation().equals(Incarnation.NONE)) {
        units.add(ask(admin, member.endpoint(), request));
      }
    }
    return units;
  }

  private static Unit ask(AdminClient admin, Endpoint unit, LogUnitRequest.FindInStreams request) {
    return admin
        .ask(unit, request)
        .map(
            reply ->
                switch (reply) {
                  case LogUnitReply.FoundInStreams found -> new Unit(unit, Optional.of(found), "");
                  case Failure failure -> new Unit(unit, Optional.empty(), "refuses: " + failure);
                  default -> new Unit(unit, Optional.empty(), "answers something else: " + reply);
                })
        .orElseGet(() -> new Unit(unit, Optional.empty(), "does not answer"));
  }
}
