package corfu.runtime;

import corfu.protocol.Endpoint;
import corfu.protocol.Permission;
import corfu.protocol.StreamId;
import java.util.Optional;

/**
 * A server refused a request because this client lacks a permission. The call had no effect. A
 * retry is useless until an administrator grants the permission.
 */
public final class AccessDeniedException extends CorfuException {
  private static final long serialVersionUID = 1L;

  private final Permission permission;
  private final transient Optional<StreamId> stream;
  private final transient Endpoint server;

  /**
   * @param what the refused operation, for the message: "append"
   * @param server the server that refused
   * @param permission the missing permission
   * @param stream the stream for which it is missing, or empty if the server named none
   * @param reason the identity of this client, its missing grant, and what to do
   */
  public AccessDeniedException(
      String what,
      Endpoint server,
      Permission permission,
      Optional<StreamId> stream,
      String reason) {
    super("could not " + what + ": the server at " + server + " denied access: " + reason);
    this.permission = permission;
    this.stream = stream;
    this.server = server;
  }

  /** Returns the missing permission. */
  public Permission permission() {
    return permission;
  }

  /** Returns the stream for which the permission is missing, or empty if the server named none. */
  public Optional<StreamId> stream() {
    return stream;
  }

  /** Returns the server that refused. */
  public Endpoint server() {
    return server;
  }
}
