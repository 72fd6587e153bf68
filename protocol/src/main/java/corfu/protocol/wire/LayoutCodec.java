package corfu.protocol.wire;

import corfu.protocol.Endpoint;
import corfu.protocol.Epoch;
import corfu.protocol.Incarnation;
import corfu.protocol.message.Ballot;
import corfu.protocol.message.LayoutReply;
import corfu.protocol.message.LayoutRequest;
import corfu.protocol.message.Message;
import corfu.protocol.message.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The bodies of layout servers' requests and replies. */
final class LayoutCodec {

  private LayoutCodec() {}

  static MessageType encode(LayoutRequest request, WireWriter out) {
    return switch (request) {
      case LayoutRequest.Fetch fetch -> MessageType.FETCH;
      case LayoutRequest.Prepare prepare -> {
        putBallot(prepare.ballot(), out);
        yield MessageType.PREPARE;
      }
      case LayoutRequest.Accept accept -> {
        putBallot(accept.ballot(), out);
        Fields.putLayout(accept.layout(), out);
        yield MessageType.ACCEPT;
      }
      case LayoutRequest.Renew renew -> {
        Fields.putEndpoint(renew.server(), out);
        Fields.putHealth(renew.health(), out);
        yield MessageType.RENEW;
      }
      case LayoutRequest.Observe observe -> MessageType.OBSERVE;
      case LayoutRequest.Remember told -> {
        Fields.putEndpoint(told.server(), out);
        out.putLong(told.unit().value());
        putProgress(told.progress(), out);
        yield MessageType.REMEMBER;
      }
      case LayoutRequest.Report report -> {
        putEndpoints(report.unreachable(), out);
        putEndpoints(report.reached(), out);
        yield MessageType.REPORT;
      }
      case LayoutRequest.AskReports ask -> MessageType.ASK_REPORTS;
      case LayoutRequest.Learn learn -> {
        Fields.putLayout(learn.layout(), out);
        yield MessageType.LEARN;
      }
    };
  }

  static MessageType encode(LayoutReply reply, WireWriter out) {
    return switch (reply) {
      case LayoutReply.Current current -> {
        Fields.putLayout(current.layout(), out);
        yield MessageType.CURRENT;
      }
      case LayoutReply.Promised promised -> {
        out.putByte(promised.accepted().isPresent() ? 1 : 0);
        promised
            .accepted()
            .ifPresent(
                accepted -> {
                  putBallot(accepted.ballot(), out);
                  Fields.putLayout(accepted.layout(), out);
                });
        out.putInt(promised.leases().size());
        for (LayoutReply.RunningLease lease : promised.leases()) {
          Fields.putEndpoint(lease.server(), out);
          out.putLong(lease.remainingMillis());
        }
        yield MessageType.PROMISED;
      }
      case LayoutReply.AcceptedNow accepted -> MessageType.ACCEPTED;
      case LayoutReply.Outbid outbid -> {
        putBallot(outbid.promised(), out);
        yield MessageType.OUTBID;
      }
      case LayoutReply.Decided decided -> {
        Fields.putLayout(decided.layout(), out);
        yield MessageType.DECIDED;
      }
      case LayoutReply.Granted granted -> {
        out.putLong(granted.millis());
        yield MessageType.GRANTED;
      }
      case LayoutReply.Remembered remembered -> {
        out.putByte(remembered.before().isPresent() ? 1 : 0);
        remembered.before().ifPresent(before -> putProgress(before, out));
        yield MessageType.REMEMBERED;
      }
      case LayoutReply.Observations seen -> {
        out.putInt(seen.observations().size());
        seen.observations().forEach(observation -> putObservation(observation, out));
        yield MessageType.OBSERVATIONS;
      }
      case LayoutReply.Reports reports -> {
        out.putInt(reports.active());
        out.putInt(reports.known());
        out.putInt(reports.complaints().size());
        for (LayoutReply.Complaint complaint : reports.complaints()) {
          Fields.putEndpoint(complaint.server(), out);
          out.putInt(complaint.clients());
        }
        yield MessageType.REPORTS;
      }
    };
  }

  static Message decode(MessageType type, Epoch epoch, WireReader in) {
    return switch (type) {
      case FETCH -> new LayoutRequest.Fetch();
      case PREPARE -> new LayoutRequest.Prepare(epoch, getBallot(in));
      case ACCEPT -> new LayoutRequest.Accept(getBallot(in), Fields.getLayout(in));
      case LEARN -> new LayoutRequest.Learn(Fields.getLayout(in));
      case CURRENT -> new LayoutReply.Current(Fields.getLayout(in));
      case PROMISED ->
          new LayoutReply.Promised(
              Fields.getFlag(in)
                  ? Optional.of(new LayoutReply.Accepted(getBallot(in), Fields.getLayout(in)))
                  : Optional.empty(),
              decodeLeases(in));
      case ACCEPTED -> LayoutReply.AcceptedNow.ACCEPTED;
      case OUTBID -> new LayoutReply.Outbid(getBallot(in));
      case DECIDED -> new LayoutReply.Decided(Fields.getLayout(in));
      case RENEW -> new LayoutRequest.Renew(epoch, Fields.getEndpoint(in), Fields.getHealth(in));
      case OBSERVE -> new LayoutRequest.Observe();
      case REMEMBER ->
          new LayoutRequest.Remember(
              Fields.getEndpoint(in), new Incarnation(in.getLong()), getProgress(in));
      case REMEMBERED ->
          new LayoutReply.Remembered(
              Fields.getFlag(in) ? Optional.of(getProgress(in)) : Optional.empty());
      case REPORT -> new LayoutRequest.Report(decodeEndpoints(in), decodeEndpoints(in));
      case ASK_REPORTS -> new LayoutRequest.AskReports();
      case REPORTS ->
          new LayoutReply.Reports(
              in.getNonNegativeInt(), in.getNonNegativeInt(), decodeComplaints(in));
      case GRANTED -> new LayoutReply.Granted(in.getNonNegativeLong());
      case OBSERVATIONS -> new LayoutReply.Observations(decodeObservations(in));
      default -> throw FrameCodec.notMine(type);
    };
  }

  private static List<LayoutReply.RunningLease> decodeLeases(WireReader in) {
    int count = in.getCount(Integer.BYTES + Long.BYTES);
    List<LayoutReply.RunningLease> leases = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      leases.add(new LayoutReply.RunningLease(Fields.getEndpoint(in), in.getNonNegativeLong()));
    }
    return leases;
  }

  private static void putEndpoints(List<Endpoint> endpoints, WireWriter out) {
    out.putInt(endpoints.size());
    endpoints.forEach(endpoint -> Fields.putEndpoint(endpoint, out));
  }

  private static List<Endpoint> decodeEndpoints(WireReader in) {
    int count = in.getCount(Integer.BYTES);
    List<Endpoint> endpoints = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      endpoints.add(Fields.getEndpoint(in));
    }
    return endpoints;
  }

  private static List<LayoutReply.Complaint> decodeComplaints(WireReader in) {
    int count = in.getCount(2 * Integer.BYTES);
    List<LayoutReply.Complaint> complaints = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      complaints.add(new LayoutReply.Complaint(Fields.getEndpoint(in), in.getNonNegativeInt()));
    }
    return complaints;
  }

  private static void putObservation(LayoutReply.Observation observation, WireWriter out) {
    Fields.putEndpoint(observation.server(), out);
    out.putLong(observation.silentMillis());
    out.putLong(observation.steadyMillis());
    Fields.putHealth(observation.health(), out);
  }

  private static List<LayoutReply.Observation> decodeObservations(WireReader in) {
    int count = in.getCount(Integer.BYTES + 4 * Long.BYTES);
    List<LayoutReply.Observation> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      all.add(
          new LayoutReply.Observation(
              Fields.getEndpoint(in),
              in.getNonNegativeLong(),
              in.getNonNegativeLong(),
              Fields.getHealth(in)));
    }
    return all;
  }

  private static void putProgress(Progress progress, WireWriter out) {
    out.putLong(progress.logFile());
    out.putLong(progress.offset());
    out.putLong(progress.sealed().value());
    out.putLong(progress.installed().value());
  }

  private static Progress getProgress(WireReader in) {
    return new Progress(
        in.getNonNegativeLong(), in.getNonNegativeLong(), in.getEpoch(), in.getEpoch());
  }

  private static void putBallot(Ballot ballot, WireWriter out) {
    out.putLong(ballot.round());
    out.putLong(ballot.proposer());
  }

  private static Ballot getBallot(WireReader in) {
    return new Ballot(in.getLong(), in.getLong());
  }
}
