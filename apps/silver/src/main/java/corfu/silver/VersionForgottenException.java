package corfu.silver;

import corfu.protocol.Address;

/** A version needs entries that were given up. Newer versions may still be complete. */
public final class VersionForgottenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  /**
   * @param node the node
   * @param version the version
   * @param missing what was trimmed
   */
  public VersionForgottenException(NodeId node, Address version, String missing) {
    super(
        "version %s of node %s is not complete any more: %s was trimmed; use a newer version"
            .formatted(version, node, missing));
  }
}
