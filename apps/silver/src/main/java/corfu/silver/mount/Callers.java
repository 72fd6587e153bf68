package corfu.silver.mount;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.RequestHeader;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.NodeStatus;
import corfu.silver.Silver;
import java.util.Map;

/** The users of requests, and what their new files inherit. */
final class Callers {

  private static final byte[] NO_TARGET = {};

  private Callers() {}

  static Caller of(Silver silver, RequestHeader header) {
    return silver.caller(header.uid(), header.gid());
  }

  /**
   * Returns the first state of a new node.
   *
   * @param mode its type and permissions
   * @param parent the directory; with the set-group-id bit, it passes on its group
   */
  static NewNode newNode(
      RequestHeader header, int mode, int device, byte[] target, NodeStatus parent) {
    boolean inheritsGroup = (parent.mode() & FileMode.SET_GROUP_ID) != 0;
    int full = inheritsGroup && FileMode.isDirectory(mode) ? mode | FileMode.SET_GROUP_ID : mode;
    int gid = inheritsGroup ? parent.gid() : header.gid();
    return new NewNode(full, header.uid(), gid, device, target, Map.of());
  }

  static NewNode newNode(RequestHeader header, int mode, NodeStatus parent) {
    return newNode(header, mode, 0, NO_TARGET, parent);
  }
}
