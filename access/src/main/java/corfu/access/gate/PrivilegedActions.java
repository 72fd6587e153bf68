package corfu.access.gate;

import corfu.access.DamagedPolicyException;
import corfu.access.PolicyChange;
import corfu.access.PolicyCodec;
import corfu.access.StreamNames;
import corfu.access.UnknownPolicyFormatException;
import corfu.access.audit.AuditEvent;
import corfu.protocol.Entry;
import corfu.protocol.StreamId;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.WriteOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.protocol.message.Request;
import corfu.protocol.message.RequestOrigin;
import corfu.protocol.message.SequencerRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The requests that the audit log has also if they are allowed: trims, changes of the cluster, and
 * writes to reserved streams. Such a write has the proven identity of its author, while the entry
 * names an author as the client likes.
 */
final class PrivilegedActions {

  private static final StreamId POLICY = StreamId.named(StreamNames.POLICY);
  private static final StreamId AUDIT = StreamId.named(StreamNames.AUDIT);

  /**
   * A privileged action.
   *
   * @param index the index of a written entry in its request, or {@link #ALL}
   * @param event its event if it is carried out
   */
  record Action(int index, AuditEvent event) {

    /** The action is the whole request. */
    static final int ALL = -1;

    /** Returns whether the action has had an effect, or may have had one. */
    boolean mayBeDone(Reply answer) {
      return index == ALL
          || !(answer instanceof LogUnitReply.Writes(List<WriteOutcome> outcomes))
          || outcomes.size() <= index
          || outcomes.get(index) instanceof WriteOutcome.Written;
    }
  }

  private PrivilegedActions() {}

  /** Returns whether the audit log has the request. */
  static boolean contains(Request request, IdentitySession who) {
    return switch (request) {
      case LogUnitRequest.Write write -> who.isFull() && isToReserved(write.entries(), who);
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

  /** Only identities with all permissions write reserved streams, so others need no look. */
  private static boolean isToReserved(List<Entry> entries, IdentitySession who) {
    for (int i = 0; i < entries.size(); i++) {
      if (reservedOf(entries.get(i), who).isPresent()) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns the reserved stream of an entry, if its write is an event. Servers write the audit log,
   * and these writes make no events.
   */
  private static Optional<StreamId> reservedOf(Entry entry, IdentitySession who) {
    for (int i = 0; i < entry.streamCount(); i++) {
      if (StreamNames.mayBeReserved(entry.streamIdHigh(i))) {
        StreamId stream = entry.streamId(i);
        boolean isOwn = who.isServer() && stream.equals(AUDIT);
        if (!isOwn && StreamNames.isReserved(stream)) {
          return Optional.of(stream);
        }
      }
    }
    return Optional.empty();
  }

  /**
   * Returns the actions of a request before a role handles it: its bytes may be gone afterwards.
   */
  static List<Action> of(Request request, IdentitySession who, RequestOrigin origin) {
    return request instanceof LogUnitRequest.Write write
        ? writes(write, who, origin)
        : List.of(
            new Action(
                Action.ALL, event(request, streamOf(request), detailOf(request), who, origin)));
  }

  private static AuditEvent event(
      Request request,
      Optional<StreamId> stream,
      String detail,
      IdentitySession who,
      RequestOrigin origin) {
    return new AuditEvent(
        AuditEvent.Kind.DONE,
        who.identity(),
        origin.name(),
        nameOf(request),
        Optional.empty(),
        stream,
        detail,
        1);
  }

  private static List<Action> writes(
      LogUnitRequest.Write write, IdentitySession who, RequestOrigin origin) {
    List<Action> actions = new ArrayList<>();
    for (int i = 0; i < write.entries().size(); i++) {
      Entry entry = write.entries().get(i);
      Optional<StreamId> stream = reservedOf(entry, who);
      if (stream.isPresent()) {
        String detail = detailOf(entry, stream.get(), who);
        actions.add(new Action(i, event(write, stream, detail, who, origin)));
      }
    }
    return actions;
  }

  /** Returns the change of the policy, with the author that it names if that is another one. */
  private static String detailOf(Entry entry, StreamId stream, IdentitySession who) {
    String address = "address " + entry.address();
    if (!stream.equals(POLICY)) {
      return address;
    }
    try {
      PolicyChange change = PolicyCodec.decodeChange(entry.payload());
      String named = change.author().equals(who.identity()) ? "" : " as " + change.author();
      return "%s%s: %s".formatted(address, named, change.command().text());
    } catch (DamagedPolicyException | UnknownPolicyFormatException unreadable) {
      return address + ": no change of the policy that this server can read";
    }
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
