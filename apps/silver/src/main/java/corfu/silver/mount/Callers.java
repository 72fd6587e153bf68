package corfu.silver.mount;

import corfu.fuse.protocol.RequestHeader;
import corfu.silver.Caller;
import corfu.silver.NewNode;
import corfu.silver.Silver;
import java.util.Map;

/** The users of requests. */
final class Callers {

  private static final byte[] NO_TARGET = {};

  private Callers() {}

  static Caller of(Silver silver, RequestHeader header) {
    return silver.caller(header.uid(), header.gid());
  }

  /**
   * Returns the state that a request asks for.
   *
   * @param mode its type and permissions
   */
  static NewNode newNode(RequestHeader header, int mode, int device, byte[] target) {
    return new NewNode(mode, header.uid(), header.gid(), device, target, Map.of());
  }

  static NewNode newNode(RequestHeader header, int mode) {
    return newNode(header, mode, 0, NO_TARGET);
  }
}
