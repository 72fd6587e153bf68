package corfu.zookeeper.server;

import org.apache.zookeeper.ZooDefs.OpCode;
import org.apache.zookeeper.server.Request;

/** The kinds of requests, by their needs before the reply. */
enum RequestKind {
  /** A place in the log. */
  CHANGE,
  /** A place in the log, unless the session is not in it. */
  CLOSE,
  /** Everything that was in the log when it came. */
  SYNC,
  /** Nothing. */
  READ,
  /** Nothing, and it shows that the client lives. */
  PING,
  /** An error, because membership needs no operation. */
  RECONFIG,
  /** An error, because this version does not know it. */
  UNKNOWN;

  /** Whether the request gets an error while the log is out of reach. */
  boolean isRefusedReadOnly() {
    return this == CHANGE || this == SYNC || this == RECONFIG;
  }

  static RequestKind of(int operationCode) {
    return switch (operationCode) {
      case OpCode.create,
          OpCode.create2,
          OpCode.createTTL,
          OpCode.createContainer,
          OpCode.delete,
          OpCode.deleteContainer,
          OpCode.setData,
          OpCode.setACL,
          OpCode.multi ->
          CHANGE;
      case OpCode.closeSession -> CLOSE;
      case OpCode.sync -> SYNC;
      case OpCode.exists,
          OpCode.getData,
          OpCode.getACL,
          OpCode.getChildren,
          OpCode.getChildren2,
          OpCode.getAllChildrenNumber,
          OpCode.getEphemerals,
          OpCode.multiRead,
          OpCode.setWatches,
          OpCode.setWatches2,
          OpCode.addWatch,
          OpCode.checkWatches,
          OpCode.removeWatches,
          OpCode.whoAmI ->
          READ;
      case OpCode.ping -> PING;
      case OpCode.reconfig -> RECONFIG;
      default -> UNKNOWN;
    };
  }

  /** Whether the request's outcome is decided in the log. */
  static boolean isInLog(Request request) {
    return switch (of(request.type)) {
      case CHANGE -> true;
      case CLOSE -> !request.isLocalSession();
      case SYNC, READ, PING, RECONFIG, UNKNOWN -> false;
    };
  }
}
