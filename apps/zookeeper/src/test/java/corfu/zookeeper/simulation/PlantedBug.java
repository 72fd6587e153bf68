package corfu.zookeeper.simulation;

import static java.nio.charset.StandardCharsets.UTF_8;

import corfu.zookeeper.machine.NamespaceMachine;
import org.apache.jute.Record;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.proto.GetDataResponse;
import org.apache.zookeeper.proto.ReplyHeader;
import org.apache.zookeeper.server.DataTree;
import org.jspecify.annotations.Nullable;

/** A wrong behaviour of the servers of a simulation, which one of its checks must report. */
enum PlantedBug {
  /** The servers are as they are. */
  NONE(""),

  ALTERED_REPLY("Replies") {
    @Override
    @Nullable Record body(@Nullable Record body) {
      return body instanceof GetDataResponse read
          ? new GetDataResponse("altered".getBytes(UTF_8), read.getStat())
          : body;
    }
  },

  EARLIER_ZXID("Zxid") {
    @Override
    ReplyHeader header(ReplyHeader header) {
      boolean isEarlier = header.getXid() % 4 == 0 && header.getZxid() > LATE_ZXID;
      long zxid = isEarlier ? header.getZxid() / 2 : header.getZxid();
      return new ReplyHeader(header.getXid(), zxid, header.getErr());
    }
  },

  OTHER_SESSION("Sessions") {
    @Override
    long continued(long session) {
      return session + 1;
    }
  },

  LOST_EVENT("Watches") {
    @Override
    int events() {
      return 0;
    }
  },

  REPEATED_EVENT("Watches") {
    @Override
    int events() {
      return 2;
    }
  },

  EPHEMERAL_WITHOUT_SESSION("Ephemerals") {
    @Override
    void beforeApply(String process, NamespaceMachine machine) {
      create(machine, "/orphan", NO_SESSION);
    }
  },

  SERVERS_WITH_DIFFERENT_TREES("Replicas") {
    @Override
    void beforeApply(String process, NamespaceMachine machine) {
      create(machine, "/" + process.replace(' ', '-'), 0);
    }
  };

  private static final long LATE_ZXID = 20;
  private static final long NO_SESSION = 77;

  private final String promise;

  PlantedBug(String promise) {
    this.promise = promise;
  }

  /** Returns the promise that the servers break. */
  String promise() {
    return promise;
  }

  /** Returns the header of a reply as the client gets it. */
  ReplyHeader header(ReplyHeader header) {
    return header;
  }

  /** Returns the body of a reply as the client gets it. */
  @Nullable Record body(@Nullable Record body) {
    return body;
  }

  /** Returns the session that a client gets in place of the one that it continues. */
  long continued(long session) {
    return session;
  }

  /** Returns how often a client gets each watch event. */
  int events() {
    return 1;
  }

  /** Changes the machine of a process before it applies a command. */
  void beforeApply(String process, NamespaceMachine machine) {}

  private static void create(NamespaceMachine machine, String path, long owner) {
    DataTree tree = machine.database().getDataTree();
    if (machine.zxid() < LATE_ZXID || tree.getNode(path) != null) {
      return;
    }
    try {
      tree.createNode(path, new byte[0], Ids.OPEN_ACL_UNSAFE, owner, -1, machine.zxid(), 0, null);
    } catch (KeeperException impossible) {
      throw new IllegalStateException("cannot plant " + path, impossible);
    }
  }
}
