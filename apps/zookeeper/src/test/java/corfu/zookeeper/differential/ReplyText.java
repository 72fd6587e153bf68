package corfu.zookeeper.differential;

import corfu.zookeeper.wire.Packet;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.MultiResponse;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.Watcher.Event.EventType;
import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.Create2Response;
import org.apache.zookeeper.proto.CreateResponse;
import org.apache.zookeeper.proto.ErrorResponse;
import org.apache.zookeeper.proto.ExistsResponse;
import org.apache.zookeeper.proto.GetACLResponse;
import org.apache.zookeeper.proto.GetAllChildrenNumberResponse;
import org.apache.zookeeper.proto.GetChildren2Response;
import org.apache.zookeeper.proto.GetChildrenResponse;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.GetEphemeralsResponse;
import org.apache.zookeeper.proto.SetACLResponse;
import org.apache.zookeeper.proto.SetDataResponse;
import org.apache.zookeeper.proto.SetSASLResponse;
import org.apache.zookeeper.proto.SyncResponse;
import org.apache.zookeeper.proto.WatcherEvent;
import org.apache.zookeeper.proto.WhoAmIResponse;
import org.jspecify.annotations.Nullable;

/**
 * Replies as text that two services must agree on: without times, without an order of children, and
 * with names in place of session ids.
 */
final class ReplyText {

  private final Transcript transcript;
  private final LongFunction<String> sessionName;

  /**
   * @param transcript assigns texts to zxids
   * @param sessionName maps the owner of a node to text
   */
  ReplyText(Transcript transcript, LongFunction<String> sessionName) {
    this.transcript = transcript;
    this.sessionName = sessionName;
  }

  /** Returns the text of a watch event. */
  String ofEvent(Packet packet) {
    try {
      WatcherEvent event = packet.read(new WatcherEvent());
      return "event %s %s state=%d %s"
          .formatted(
              EventType.fromInt(event.getType()),
              event.getPath(),
              event.getState(),
              Transcript.zxidSeen(packet.zxid()));
    } catch (IOException e) {
      return "unreadable event: " + e.getMessage();
    }
  }

  /** Returns the text of a reply to the operation. */
  String of(int operation, Packet packet) {
    String head = errorText(packet.error()) + " " + Transcript.zxidSeen(packet.zxid());
    if (packet.body().length == 0) {
      return head;
    }
    try {
      return head + " " + bodyText(operation, packet);
    } catch (IOException e) {
      return head + " unreadable reply: " + e.getMessage();
    }
  }

  static String errorText(int error) {
    Code code = Code.get(error);
    return code == null ? "error " + error : code.toString();
  }

  private String bodyText(int operation, Packet packet) throws IOException {
    return switch (operation) {
      case OpCode.create -> packet.read(new CreateResponse()).getPath();
      case OpCode.create2, OpCode.createTTL, OpCode.createContainer ->
          ofChange(packet, packet.read(new Create2Response()));
      case OpCode.exists -> statText(packet.read(new ExistsResponse()).getStat());
      case OpCode.getData, OpCode.reconfig -> ofData(packet.read(new GetDataResponse()));
      case OpCode.setData -> ofChange(packet, packet.read(new SetDataResponse()));
      case OpCode.getACL -> {
        GetACLResponse response = packet.read(new GetACLResponse());
        yield aclText(response.getAcl()) + " " + statText(response.getStat());
      }
      case OpCode.setACL -> statText(packet.read(new SetACLResponse()).getStat());
      case OpCode.getChildren -> sorted(packet.read(new GetChildrenResponse()).getChildren());
      case OpCode.getChildren2 -> {
        GetChildren2Response response = packet.read(new GetChildren2Response());
        yield sorted(response.getChildren()) + " " + statText(response.getStat());
      }
      case OpCode.sync -> packet.read(new SyncResponse()).getPath();
      case OpCode.multi, OpCode.multiRead ->
          packet.read(new MultiResponse()).getResultList().stream()
              .map(this::ofResult)
              .collect(Collectors.joining("; ", "[", "]"));
      case OpCode.getEphemerals -> sorted(packet.read(new GetEphemeralsResponse()).getEphemerals());
      case OpCode.getAllChildrenNumber ->
          String.valueOf(packet.read(new GetAllChildrenNumberResponse()).getTotalNumber());
      case OpCode.whoAmI ->
          sorted(
              packet.read(new WhoAmIResponse()).getClientInfo().stream()
                  .map(info -> info.getAuthScheme() + ":" + info.getUser())
                  .toList());
      case OpCode.addWatch -> errorText(packet.read(new ErrorResponse()).getErr());
      case OpCode.sasl -> dataText(packet.read(new SetSASLResponse()).getToken());
      default -> packet.body().length + " bytes: " + Arrays.toString(packet.body());
    };
  }

  /** Adds whether the header of the reply has the zxid of the change. */
  private String ofChange(Packet packet, Record response) {
    Stat stat =
        switch (response) {
          case Create2Response created -> created.getStat();
          case SetDataResponse set -> set.getStat();
          default -> throw new IllegalArgumentException("no change: " + response);
        };
    String path = response instanceof Create2Response created ? created.getPath() + " " : "";
    boolean sameZxid = packet.zxid() == stat.getMzxid();
    return path + statText(stat) + (sameZxid ? "" : " and another zxid in the header");
  }

  private String ofResult(OpResult result) {
    return switch (result) {
      case OpResult.CreateResult created when created.getStat() != null ->
          "created %s %s".formatted(created.getPath(), statText(created.getStat()));
      case OpResult.CreateResult created -> "created " + created.getPath();
      case OpResult.DeleteResult deleted -> "deleted";
      case OpResult.SetDataResult set -> "set " + statText(set.getStat());
      case OpResult.CheckResult checked -> "checked";
      case OpResult.GetChildrenResult children -> sorted(children.getChildren());
      case OpResult.GetDataResult data -> dataText(data.getData()) + " " + statText(data.getStat());
      case OpResult.ErrorResult error -> errorText(error.getErr());
      default -> result.toString();
    };
  }

  private String ofData(GetDataResponse response) {
    return dataText(response.getData()) + " " + statText(response.getStat());
  }

  private static String dataText(byte @Nullable [] data) {
    return data == null ? "null" : "%d bytes %08x".formatted(data.length, Arrays.hashCode(data));
  }

  private static String sorted(List<String> names) {
    return names.stream().sorted().toList().toString();
  }

  private static String aclText(List<ACL> acl) {
    return acl.stream()
        .map(
            each ->
                "%s:%s:%d"
                    .formatted(each.getId().getScheme(), each.getId().getId(), each.getPerms()))
        .toList()
        .toString();
  }

  /** The times are different on each service. A node that never changed has two equal times. */
  private String statText(Stat stat) {
    boolean unchanged = stat.getCzxid() == stat.getMzxid();
    String times = unchanged && stat.getCtime() != stat.getMtime() ? " two times" : "";
    return "{c=%s m=%s p=%s v=%d cv=%d av=%d owner=%s length=%d children=%d%s}"
        .formatted(
            transcript.zxidOfNode(stat.getCzxid()),
            transcript.zxidOfNode(stat.getMzxid()),
            transcript.zxidOfNode(stat.getPzxid()),
            stat.getVersion(),
            stat.getCversion(),
            stat.getAversion(),
            sessionName.apply(stat.getEphemeralOwner()),
            stat.getDataLength(),
            stat.getNumChildren(),
            times);
  }
}
