package corfu.access.gate;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.LogUnitRequest.Complete;
import corfu.protocol.stream.LocalEntries;
import corfu.protocol.stream.LocalEntries.Local;
import corfu.protocol.stream.StreamQuery;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/** The rules of requests to a log unit. */
final class LogUnitRules {

  private final LocalEntries entries;
  private final LongSupplier tail;
  private final GateOptions options;

  LogUnitRules(Surroundings surroundings, GateOptions options) {
    this.entries = surroundings.entries();
    this.tail = surroundings.tail();
    this.options = options;
  }

  /** Returns the reason to refuse a request, or empty. */
  Optional<Failure> objection(LogUnitRequest request, IdentitySession who) {
    return switch (request) {
      case LogUnitRequest.Write write -> toWrite(write, who);
      // the reply is filtered
      case LogUnitRequest.Read read -> Refusals.withoutAny(who);
      case LogUnitRequest.ReadBlocks read -> Refusals.withoutAny(who);
      case LogUnitRequest.ListStreams list -> Refusals.withoutAny(who);
      case LogUnitRequest.Listen listen -> Refusals.withoutAny(who);
      // the request is reduced to the client's own entries
      case Complete complete -> Refusals.withoutAny(who);
      // a hint without operate
      case LogUnitRequest.Install install -> Refusals.withoutAny(who);
      // the states of addresses tell nothing of streams
      case LogUnitRequest.Inspect inspect -> Refusals.withoutAny(who);
      case LogUnitRequest.AskTail ask -> Refusals.withoutAny(who);
      case LogUnitRequest.ReadStream read -> Refusals.without(Permission.READ, read.stream(), who);
      case LogUnitRequest.Follow follow -> toRead(follow.add(), who);
      case LogUnitRequest.FindInStreams find -> toFind(find.queries(), who);
      case LogUnitRequest.TrimStream trim -> Refusals.without(Permission.TRIM, trim.stream(), who);
      case LogUnitRequest.Trim trim -> toTrim(trim.addresses(), who);
      // a copy with gaps would look like the whole
      case LogUnitRequest.CopyRange copy -> Refusals.without(Permission.READ_LOG, who);
      case LogUnitRequest.Repair repair -> Refusals.without(Permission.OPERATE, who);
      case LogUnitRequest.PrefixTrim trim -> Refusals.without(Permission.OPERATE, who);
      case LogUnitRequest.Seal seal -> Refusals.without(Permission.OPERATE, who);
      case LogUnitRequest.Reset reset -> Refusals.without(Permission.OPERATE, who);
      case LogUnitRequest.Compress compress -> Refusals.without(Permission.OPERATE, who);
      case LogUnitRequest.AskUsage ask -> Refusals.without(Permission.OBSERVE, who);
      case LogUnitRequest.AskScrub ask -> Refusals.without(Permission.OBSERVE, who);
      case LogUnitRequest.AskCompression ask -> Refusals.without(Permission.OBSERVE, who);
    };
  }

  /**
   * Requires {@code append} on all streams of each entry. The unit does not store an entry whose
   * checksum is wrong. So such an entry needs no permission, and its client hears of the damage.
   *
   * <p>Only an operator writes elsewhere than to the replicas of the entry, or far beyond the tail.
   * Another client could take the places of entries that are being copied to this unit, or use up
   * the addresses of the log.
   */
  private Optional<Failure> toWrite(LogUnitRequest.Write write, IdentitySession who) {
    List<Entry> written = write.entries();
    boolean isOperator = who.has(Permission.OPERATE);
    for (int i = 0; i < written.size(); i++) {
      Entry entry = written.get(i);
      int lacking = who.firstLacking(Permission.APPEND, entry);
      if (lacking >= 0 && entry.isIntact()) {
        StreamId stream = entry.streamCount() == 0 ? StreamId.NONE : entry.streamId(lacking);
        return Optional.of(Refusals.forbidden(Permission.APPEND, stream, who));
      }
      if (!isOperator && !entries.isPlaceOf(entry, write.epoch())) {
        return Optional.of(noPlace(entry));
      }
      if (!isOperator && entry.address() - GateOptions.MOST_AHEAD > tail.getAsLong()) {
        return Optional.of(tooFarAhead(entry));
      }
    }
    return Refusals.NONE;
  }

  private static Failure noPlace(Entry entry) {
    return new Failure.NotServing(
        "this log unit is no replica of %s by the newest layout that it knows; fetch the layout, or"
                .formatted(entry)
            + " ask a server to settle the address");
  }

  private static Failure tooFarAhead(Entry entry) {
    return new Failure.NotServing(
        "%s is far beyond the tail of the log that this server knows; try again".formatted(entry));
  }

  private static Optional<Failure> toRead(List<StreamId> streams, IdentitySession who) {
    for (StreamId stream : streams) {
      if (!who.may(Permission.READ, stream)) {
        return Optional.of(Refusals.forbidden(Permission.READ, stream, who));
      }
    }
    return Refusals.NONE;
  }

  /** The places of a stream's entries serve readers, appenders after a new epoch, and trimmers. */
  private static Optional<Failure> toFind(List<StreamQuery> queries, IdentitySession who) {
    for (StreamQuery query : queries) {
      if (!who.hasAnyOn(query.stream())) {
        return Optional.of(Refusals.forbidden(Permission.READ, query.stream(), who));
      }
    }
    return Refusals.NONE;
  }

  /**
   * Requires {@code trim} on all streams of each entry. An address without data needs {@code
   * operate}: an entry of anybody may come there. A trimmed address needs nothing.
   */
  private Optional<Failure> toTrim(AddressSet addresses, IdentitySession who) {
    if (addresses.count() > GateOptions.MOST_TRIMMED && !who.has(Permission.OPERATE)) {
      return Optional.of(
          Refusals.tooLarge("addresses", addresses.count(), GateOptions.MOST_TRIMMED));
    }
    if (addresses.count() > options.limits().maxAddressesPerRequest()) {
      return Optional.of(
          Refusals.tooLarge(
              "addresses", addresses.count(), options.limits().maxAddressesPerRequest()));
    }
    for (int i = 0; i < addresses.count(); i++) {
      Optional<Failure> objection = toTrim(addresses.at(i), who);
      if (objection.isPresent()) {
        return objection;
      }
    }
    return Refusals.NONE;
  }

  private Optional<Failure> toTrim(long address, IdentitySession who) {
    return switch (entries.at(address)) {
      case Local.Data(List<StreamId> streams) -> toTrim(streams, who);
      case Local.Absent.TRIMMED -> Refusals.NONE;
      case Local.Absent.HOLE, Local.Absent.UNWRITTEN ->
          Refusals.without(Permission.TRIM, StreamId.NONE, who);
      case Local.Unknown unknown ->
          Optional.of(
              new Failure.NotServing(
                  "this log unit cannot tell the streams of the entry at address %d now; try again"
                      .formatted(address)));
    };
  }

  private static Optional<Failure> toTrim(List<StreamId> streams, IdentitySession who) {
    if (who.mayAll(Permission.TRIM, streams)) {
      return Refusals.NONE;
    }
    // the name of another client's stream stays unknown
    for (StreamId stream : streams) {
      if (who.hasAnyOn(stream) && !who.may(Permission.TRIM, stream)) {
        return Optional.of(Refusals.forbidden(Permission.TRIM, stream, who));
      }
    }
    return Optional.of(Refusals.forbidden(Permission.TRIM, StreamId.NONE, who));
  }

  /**
   * Returns the part of a hint that the client may give: addresses of entries that it may append. A
   * hint about an address of others could make readers believe in an entry too early.
   */
  Complete reduced(Complete complete, IdentitySession who) {
    AddressSet addresses = complete.addresses();
    long[] own = new long[Math.min(addresses.count(), GateOptions.MOST_TRIMMED)];
    int count = 0;
    for (int i = 0; i < own.length; i++) {
      if (entries.at(addresses.at(i)) instanceof Local.Data(List<StreamId> streams)
          && who.mayAll(Permission.APPEND, streams)) {
        own[count++] = addresses.at(i);
      }
    }
    return new Complete(complete.epoch(), new AddressSet.Listed(Arrays.copyOf(own, count)));
  }
}
