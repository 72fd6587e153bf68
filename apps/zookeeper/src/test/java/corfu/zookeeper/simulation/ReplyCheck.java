package corfu.zookeeper.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.sim.application.ApplicationContext;
import corfu.zookeeper.command.NamespaceCommand.ClientRequest;
import java.util.Optional;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException.Code;
import org.apache.zookeeper.data.Stat;
import org.apache.zookeeper.proto.Create2Response;
import org.apache.zookeeper.proto.CreateRequest;
import org.apache.zookeeper.proto.DeleteRequest;
import org.apache.zookeeper.proto.ExistsRequest;
import org.apache.zookeeper.proto.ExistsResponse;
import org.apache.zookeeper.proto.GetChildren2Request;
import org.apache.zookeeper.proto.GetChildren2Response;
import org.apache.zookeeper.proto.GetDataRequest;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.proto.SetDataRequest;
import org.apache.zookeeper.proto.SetDataResponse;
import org.apache.zookeeper.server.EphemeralType;
import org.jspecify.annotations.Nullable;

/** Checks replies against the states of the namespace before and after their zxids. */
final class ReplyCheck {

  private final ApplicationContext stage;
  private final NamespaceHistory history;

  ReplyCheck(ApplicationContext stage, NamespaceHistory history) {
    this.stage = stage;
    this.history = history;
  }

  void check(String client, long session, Call call, ReplyHeader header, @Nullable Record body) {
    long zxid = header.getZxid();
    Code code = Code.get(header.getErr());
    if (code == Code.SESSIONEXPIRED) {
      expect(history.end(session).isPresent(), client, call, "no server has seen the end");
      return;
    }
    if (code == Code.SESSIONMOVED) {
      return;
    }
    if (call.isChange()) {
      Optional<ClientRequest> applied = history.request(zxid);
      boolean isOwn =
          applied.isPresent()
              && applied.get().session() == session
              && applied.get().xid() == call.xid();
      expect(isOwn, client, call, "zxid %d is of %s".formatted(zxid, applied));
      expect(
          zxid > call.acknowledged(),
          client,
          call,
          "zxid %d, but %d was acknowledged before".formatted(zxid, call.acknowledged()));
      history.acknowledged(zxid);
      expect(isRightChange(call, code, zxid, session, body), client, call, told(header, body));
    } else {
      expect(
          !call.isLinearizable() || zxid >= call.acknowledged(),
          client,
          call,
          "zxid %d, but %d was acknowledged before".formatted(zxid, call.acknowledged()));
      expect(isRightRead(call, code, zxid, body), client, call, told(header, body));
    }
  }

  private static String told(ReplyHeader header, @Nullable Record body) {
    return "%s at zxid %d: %s".formatted(Code.get(header.getErr()), header.getZxid(), body);
  }

  private void expect(boolean isRight, String client, Call call, String why) {
    if (!isRight) {
      stage.broken("Replies", "%s, request %s: %s".formatted(client, call, why));
    }
  }

  // --------------------------------------------------------------------------------- changes

  private boolean isRightChange(
      Call call, Code code, long zxid, long session, @Nullable Record body) {
    return switch (call.body()) {
      case CreateRequest create -> isRight(create, code, zxid, session, body);
      case SetDataRequest set -> isRight(set, code, zxid, body);
      case DeleteRequest delete -> isRight(delete, code, zxid);
      case null, default -> true;
    };
  }

  private boolean isRight(
      CreateRequest create, Code code, long zxid, long session, @Nullable Record body) {
    String parent = create.getPath().substring(0, Math.max(1, create.getPath().lastIndexOf('/')));
    Optional<NodeState> above = history.node(parent, zxid - 1);
    String number =
        (create.getFlags() & 2) == 0
            ? ""
            : above.map(node -> "%010d".formatted(node.cversion())).orElse("");
    return switch (code) {
      case OK -> {
        String path = body instanceof Create2Response created ? created.getPath() : "";
        Optional<NodeState> node = history.node(path, zxid);
        boolean isEphemeral = (create.getFlags() & 1) != 0;
        yield history.node(path, zxid - 1).isEmpty()
            && path.equals(create.getPath() + number)
            && node.map(NodeState::created).equals(Optional.of(zxid))
            && node.map(NodeState::owner).equals(Optional.of(isEphemeral ? session : 0L));
      }
      case NONODE -> above.isEmpty();
      case NODEEXISTS -> history.node(create.getPath() + number, zxid - 1).isPresent();
      case NOCHILDRENFOREPHEMERALS ->
          above.isPresent() && EphemeralType.get(above.get().owner()) == EphemeralType.NORMAL;
      default -> false;
    };
  }

  private boolean isRight(SetDataRequest set, Code code, long zxid, @Nullable Record body) {
    Optional<NodeState> before = history.node(set.getPath(), zxid - 1);
    return switch (code) {
      case OK ->
          before.isPresent()
              && isVersion(before.get(), set.getVersion())
              && history
                  .node(set.getPath(), zxid)
                  .map(NodeState::data)
                  .equals(Optional.of(new String(set.getData(), UTF_8)))
              && body instanceof SetDataResponse reply
              && reply.getStat().getVersion() == before.get().version() + 1;
      case NONODE -> before.isEmpty();
      case BADVERSION -> before.isPresent() && !isVersion(before.get(), set.getVersion());
      default -> false;
    };
  }

  private boolean isRight(DeleteRequest delete, Code code, long zxid) {
    Optional<NodeState> before = history.node(delete.getPath(), zxid - 1);
    return switch (code) {
      case OK ->
          before.isPresent()
              && isVersion(before.get(), delete.getVersion())
              && history.node(delete.getPath(), zxid).isEmpty();
      case NONODE -> before.isEmpty();
      case BADVERSION -> before.isPresent() && !isVersion(before.get(), delete.getVersion());
      case NOTEMPTY -> before.isPresent() && !before.get().children().isEmpty();
      default -> false;
    };
  }

  private static boolean isVersion(NodeState node, int expected) {
    return expected == -1 || node.version() == expected;
  }

  // ----------------------------------------------------------------------------------- reads

  private boolean isRightRead(Call call, Code code, long zxid, @Nullable Record body) {
    return switch (call.body()) {
      case GetDataRequest read -> {
        Optional<NodeState> node = history.node(read.getPath(), zxid);
        yield code == Code.NONODE
            ? node.isEmpty()
            : node.isPresent()
                && body instanceof GetDataResponse reply
                && new String(reply.getData(), UTF_8).equals(node.get().data())
                && isStat(reply.getStat(), node.get());
      }
      case ExistsRequest look -> {
        Optional<NodeState> node = history.node(look.getPath(), zxid);
        yield code == Code.NONODE
            ? node.isEmpty()
            : node.isPresent()
                && body instanceof ExistsResponse reply
                && isStat(reply.getStat(), node.get());
      }
      case GetChildren2Request list -> {
        Optional<NodeState> node = history.node(list.getPath(), zxid);
        yield code == Code.NONODE
            ? node.isEmpty()
            : node.isPresent()
                && body instanceof GetChildren2Response reply
                && reply.getChildren().stream().sorted().toList().equals(node.get().children())
                && isStat(reply.getStat(), node.get());
      }
      case null, default -> code == Code.OK;
    };
  }

  private static boolean isStat(Stat stat, NodeState node) {
    return stat.getVersion() == node.version()
        && stat.getCzxid() == node.created()
        && stat.getMzxid() == node.modified()
        && stat.getPzxid() == node.childrenModified()
        && stat.getEphemeralOwner() == node.owner();
  }
}
