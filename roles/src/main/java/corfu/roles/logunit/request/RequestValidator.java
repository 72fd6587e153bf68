package corfu.roles.logunit.request;

import corfu.protocol.AddressSet;
import corfu.protocol.Entry;
import corfu.protocol.Limits;
import corfu.protocol.PayloadRange;
import corfu.protocol.StreamId;
import corfu.protocol.message.Failure;
import corfu.protocol.message.LogUnitRequest;
import corfu.roles.logunit.format.RecordFormat;
import corfu.roles.logunit.membership.Epochs;
import java.util.List;
import java.util.Optional;

/** Refuses requests that cannot be served, whatever the unit holds. */
public final class RequestValidator {

  /** The largest size of a reply without its content, in bytes. */
  static final int FRAME_BYTES = 64;

  private static final long OCCURRENCES_BYTES = 12;
  private static final long OCCURRENCE_BYTES = 16;

  private final Epochs epochs;
  private final Limits limits;

  public RequestValidator(Epochs epochs, Limits limits) {
    this.epochs = epochs;
    this.limits = limits;
  }

  /** Returns the largest size of a reply's content in bytes. */
  public static int mostReplyBytes(Limits limits) {
    return limits.maxFrameBytes() - FRAME_BYTES;
  }

  public Optional<Failure> to(LogUnitRequest request) {
    return switch (request) {
      case LogUnitRequest.Install install -> Optional.empty();
      case LogUnitRequest.AskUsage ask -> Optional.empty();
      case LogUnitRequest.AskScrub ask -> Optional.empty();
      case LogUnitRequest.AskCompression ask -> Optional.empty();
      case LogUnitRequest.Compress compress -> Optional.empty();
      case LogUnitRequest.Repair repair ->
          epochs.objectionToData(repair.epoch()).or(() -> objection(repair.entries()));
      case LogUnitRequest.Seal seal -> ifNotBootstrapped();
      case LogUnitRequest.Reset reset -> ifNotBootstrapped();
      case LogUnitRequest.CopyRange copy -> epochs.objectionToData(copy.epoch());
      case LogUnitRequest.Write write ->
          epochs.objectionToData(write.epoch()).or(() -> objection(write.entries()));
      case LogUnitRequest.Read read ->
          epochs.objectionToReading(read.epoch()).or(() -> objection(read.addresses()));
      case LogUnitRequest.ReadBlocks read ->
          epochs.objectionToReading(read.epoch()).or(() -> objectionToRanges(read.ranges()));
      case LogUnitRequest.Inspect inspect ->
          epochs.objectionToData(inspect.epoch()).or(() -> objection(inspect.addresses()));
      case LogUnitRequest.Trim trim ->
          epochs.objectionToData(trim.epoch()).or(() -> objection(trim.addresses()));
      case LogUnitRequest.PrefixTrim trim -> epochs.objectionToData(trim.epoch());
      case LogUnitRequest.AskTail ask -> epochs.objectionToData(ask.epoch());
      case LogUnitRequest.FindInStreams find ->
          epochs.objectionToData(find.epoch()).or(() -> objection(find));
      case LogUnitRequest.ListStreams list -> epochs.objectionToData(list.epoch());
      case LogUnitRequest.ReadStream read -> epochs.objectionToData(read.epoch());
      case LogUnitRequest.Complete complete ->
          epochs.objectionToData(complete.epoch()).or(() -> objection(complete.addresses()));
      case LogUnitRequest.Follow follow -> epochs.objectionToData(follow.epoch());
      case LogUnitRequest.Listen listen -> epochs.objectionToData(listen.epoch());
      case LogUnitRequest.TrimStream trim ->
          epochs.objectionToData(trim.epoch()).or(() -> objection(trim.stream()));
    };
  }

  private Optional<Failure> ifNotBootstrapped() {
    return epochs.layout().isEmpty()
        ? Optional.of(new Failure.NotBootstrapped())
        : Optional.empty();
  }

  private Optional<Failure> objection(AddressSet addresses) {
    if (addresses.count() > limits.maxAddressesPerRequest()) {
      return refusal(
          addresses.count()
              + " addresses in one request, where "
              + limits.maxAddressesPerRequest()
              + " are the limit; ask in parts");
    }
    for (int i = 0; i < addresses.count(); i++) {
      if (addresses.at(i) == Long.MAX_VALUE) {
        return beyondTheEnd();
      }
    }
    return Optional.empty();
  }

  private Optional<Failure> objectionToRanges(List<PayloadRange> ranges) {
    if (ranges.size() > limits.maxAddressesPerRequest()) {
      return refusal(
          "parts of %d entries in one request, where %d are the limit; ask in parts"
              .formatted(ranges.size(), limits.maxAddressesPerRequest()));
    }
    return ranges.stream().anyMatch(range -> range.address() == Long.MAX_VALUE)
        ? beyondTheEnd()
        : Optional.empty();
  }

  private Optional<Failure> objection(List<Entry> entries) {
    for (Entry entry : entries) {
      if (entry.payloadBytes() > limits.maxPayloadBytes()) {
        return refusal(
            "an entry of %d bytes, where %d are the limit"
                .formatted(entry.payloadBytes(), limits.maxPayloadBytes()));
      }
      if (entry.address() == Long.MAX_VALUE) {
        return beyondTheEnd();
      }
      if (!RecordFormat.hasSoundStreams(entry) && entry.isIntact()) { // otherwise only damaged
        return malformed(entry + " has impossible stream headers");
      }
    }
    return Optional.empty();
  }

  private static Optional<Failure> objection(StreamId trimmed) {
    return trimmed.equals(StreamId.NONE)
        ? malformed("stream " + trimmed + " is reserved and cannot be trimmed")
        : Optional.empty();
  }

  /** Refuses a search whose whole answer would not fit into a frame. */
  private Optional<Failure> objection(LogUnitRequest.FindInStreams find) {
    if (find.most() < 1) {
      return malformed("a search for entries in streams asks for one or more of each");
    }
    long entries = (long) find.queries().size() * find.most();
    long bytes = entries * OCCURRENCE_BYTES + find.queries().size() * OCCURRENCES_BYTES;
    return entries > limits.maxAddressesPerRequest() || bytes > limits.maxFrameBytes() - FRAME_BYTES
        ? refusal(
            "up to %d entries of streams in one request, where %d are the limit; ask in parts"
                .formatted(entries, limits.maxAddressesPerRequest()))
        : Optional.empty();
  }

  private static Optional<Failure> refusal(String reason) {
    return Optional.of(new Failure.Refused(Failure.Cause.TOO_LARGE, reason));
  }

  private static Optional<Failure> malformed(String reason) {
    return Optional.of(new Failure.Refused(Failure.Cause.MALFORMED, reason));
  }

  private static Optional<Failure> beyondTheEnd() {
    return malformed("the highest log address is " + (Long.MAX_VALUE - 1));
  }
}
