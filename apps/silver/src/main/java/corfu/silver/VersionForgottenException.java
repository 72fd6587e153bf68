package corfu.silver;

import corfu.protocol.Address;

/** A version needs entries that were given up. Newer versions may still be complete. */
public final class VersionForgottenException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  private VersionForgottenException(String message) {
    super(message);
  }

  /**
   * Returns the exception for a version that was given up.
   *
   * @param oldest the oldest version that is left, or {@link Long#MAX_VALUE} if none is
   */
  public static VersionForgottenException of(NodeId root, Address version, long oldest) {
    return new VersionForgottenException(
        "version %s of the file system with root %s was given up; %s"
            .formatted(
                version,
                root,
                oldest == Long.MAX_VALUE
                    ? "no version is left"
                    : "the oldest version is " + oldest));
  }

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
