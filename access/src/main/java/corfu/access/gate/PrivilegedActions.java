package corfu.access.gate;

import corfu.access.audit.AuditEvent;
import corfu.protocol.StreamId;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerRequest;
import java.util.Optional;

/**
 * The requests that the audit log has also if they are allowed: trims and changes of the cluster.
 */
final class PrivilegedActions {

  private PrivilegedActions() {}

  /** Returns whether the audit log has the request. */
  static boolean contains(Request request) {
    return switch (request) {
      case LogUnitRequest forUnit -> contains(forUnit);
      case SequencerRequest forSequencer -> contains(forSequencer);
      case LayoutRequest.Accept accept -> true;
      case LayoutRequest.Learn learn -> true;
      default -> false;
    };
  }

  private static boolean contains(LogUnitRequest request) {
    return switch (request) {
      case LogUnitRequest.Write write -> false;
      case LogUnitRequest.Read read -> false;
      case LogUnitRequest.Trim trim -> true;
      case LogUnitRequest.TrimStream trim -> true;
      case LogUnitRequest.PrefixTrim trim -> true;
      case LogUnitRequest.Repair repair -> true;
      case LogUnitRequest.CopyRange copy -> true;
      case LogUnitRequest.Seal seal -> true;
      case LogUnitRequest.Install install -> true;
      case LogUnitRequest.Reset reset -> true;
      case LogUnitRequest.Compress compress -> true;
      default -> false;
    };
  }

  private static boolean contains(SequencerRequest request) {
    return switch (request) {
      case SequencerRequest.Next next -> false;
      case SequencerRequest.NextInStreams next -> false;
      case SequencerRequest.AskStreams ask -> false;
      case SequencerRequest.AskTail ask -> false;
      case SequencerRequest.Adopt adopt -> true;
      case SequencerRequest.Start start -> true;
      case SequencerRequest.Seal seal -> true;
    };
  }

  /** Returns the event of a request that was carried out. */
  static AuditEvent event(Request request, IdentitySession who, RequestOrigin origin) {
    return new AuditEvent(
        AuditEvent.Kind.DONE,
        who.identity(),
        origin.name(),
        nameOf(request),
        Optional.empty(),
        streamOf(request),
        detailOf(request),
        1);
  }

  /** Returns the name of a request: that of its type. */
  static String nameOf(Request request) {
    return request.getClass().getSimpleName();
  }

  private static Optional<StreamId> streamOf(Request request) {
    return request instanceof LogUnitRequest.TrimStream trim
        ? Optional.of(trim.stream())
        : Optional.empty();
  }

  private static String detailOf(Request request) {
    return switch (request) {
      case LogUnitRequest.PrefixTrim trim -> "below address " + trim.before();
      case LogUnitRequest.TrimStream trim -> "below stream address " + trim.before();
      case LogUnitRequest.Trim trim -> trim.addresses().count() + " addresses";
      case LogUnitRequest.Compress compress -> "below address " + compress.before();
      default -> "epoch " + request.epoch();
    };
  }
}
