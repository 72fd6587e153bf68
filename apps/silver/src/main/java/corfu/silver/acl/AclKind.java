package corfu.silver.acl;

import corfu.fuse.protocol.FileName;
import java.util.Optional;

/** The two lists that a node may have. */
public enum AclKind {
  /** The list that decides about the access to the node. */
  ACCESS("system.posix_acl_access"),
  /** The list that new nodes of a directory inherit. */
  DEFAULT("system.posix_acl_default");

  private final String attribute;

  AclKind(String attribute) {
    this.attribute = attribute;
  }

  /** Returns the name of the extended attribute that holds the list. */
  public FileName attribute() {
    return FileName.of(attribute);
  }

  /** Returns the list that an extended attribute holds, or empty if it holds none. */
  public static Optional<AclKind> of(FileName attribute) {
    for (AclKind kind : values()) {
      if (kind.attribute().equals(attribute)) {
        return Optional.of(kind);
      }
    }
    return Optional.empty();
  }
}
