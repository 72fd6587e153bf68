package corfu.runtime.access;

import corfu.protocol.Endpoint;
import corfu.protocol.message.NodeReply;
import java.util.Optional;

/**
 * The permissions that a server enforces.
 *
 * @param server the server
 * @param access its answer, or empty if it did not answer
 * @param problem the reason for no answer, or an empty text
 */
public record EnforcementReport(
    Endpoint server, Optional<NodeReply.Access> access, String problem) {

  /**
   * Returns whether the server enforces this version of the policy, or a newer one.
   *
   * @param version the log address behind a change of the policy
   */
  public boolean enforces(long version) {
    return access.filter(known -> known.isEnforced() && known.version() >= version).isPresent();
  }

  /** Returns whether the server answers, and says that it enforces no permissions. */
  public boolean isOpen() {
    return access.filter(known -> !known.isEnforced()).isPresent();
  }
}
