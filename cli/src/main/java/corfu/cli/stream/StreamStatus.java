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
 * The state of a stream in a cluster.
 *
 * @param tail the stream address behind the stream's last entry
 * @param issued the stream address of the sequencer's next token, and the log addresses of its last
 *     tokens
 * @param trimmedBefore the stream address below which every entry is trimmed
 * @param newest the stream's newest entries, the newest first
 * @param units the reply of each log unit
 */
record StreamStatus(
    StreamAddress tail,
    StreamPosition issued,
    StreamAddress trimmedBefore,
    List<Found> newest,
    List<Unit> units) {

  /** The number of newest entries that are read. */
  private static final int NEWEST = 8;

  StreamStatus {
    newest = List.copyOf(newest);
    units = List.copyOf(units);
  }

  /** An entry of a log unit's index, and the content of its log address. */
  record Found(Occurrence occurrence, LogEntry entry) {

    /** Returns the entry's header of the stream, or empty if it has none. */
    Optional<StreamHeader> header(StreamId stream) {
      return entry instanceof LogEntry.Data data
          ? data.streams().stream().filter(header -> header.stream().equals(stream)).findFirst()
          : Optional.empty();
    }
  }

  /**
   * A log unit's reply.
   *
   * @param reply the entries that it indexes, or empty if it did not reply
   * @param problem the reason of a missing reply, or empty if there is a reply
   */
  record Unit(Endpoint endpoint, Optional<LogUnitReply.FoundInStreams> reply, String problem) {

    /** Returns the stream's part of the reply. */
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

  private static String refusal(Failure failure) {
    return switch (failure) {
      case Failure.Sealed sealed -> "is sealed in epoch " + sealed.current();
      case Failure.Behind behind ->
          "has not installed this epoch yet; it is in " + behind.current();
      case Failure.NotBootstrapped fresh -> "belongs to no cluster yet";
      case Failure.WrongCluster other -> "belongs to cluster " + other.actual();
      case Failure.NotServing(String reason) -> "does not serve: " + reason;
      case Failure.Refused(Failure.Cause cause, String reason) -> "refuses: " + reason;
      case Failure.Overloaded(String reason) -> "is overloaded: " + reason;
      case Failure.Broken(String reason) -> "failed: " + reason;
      case Failure.Forbidden forbidden -> "refuses: " + forbidden.reason();
      case Failure.OverQuota over -> "refuses for " + over.waitMillis() + " ms: " + over.reason();
    };
  }

  private static Unit ask(AdminClient admin, Endpoint unit, LogUnitRequest.FindInStreams request) {
    return admin
        .ask(unit, request)
        .map(
            reply ->
                switch (reply) {
                  case LogUnitReply.FoundInStreams found -> new Unit(unit, Optional.of(found), "");
                  case Failure failure -> new Unit(unit, Optional.empty(), refusal(failure));
                  default ->
                      new Unit(
                          unit,
                          Optional.empty(),
                          "sends another reply: " + reply.getClass().getSimpleName());
                })
        .orElseGet(() -> new Unit(unit, Optional.empty(), "does not answer"));
  }
}
