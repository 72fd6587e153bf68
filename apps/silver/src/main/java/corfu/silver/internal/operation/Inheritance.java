package corfu.silver.internal.operation;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.silver.NewNode;
import corfu.silver.acl.AccessControlList;
import corfu.silver.acl.AclKind;
import corfu.silver.internal.inode.Inode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The part of a new node's first state that comes from its directory, as Linux has it. */
final class Inheritance {

  private Inheritance() {}

  /**
   * Returns the first state of a node in a directory. A directory with the set-group-id bit passes
   * on its group; one with a default access control list passes that on, and then the umask does
   * not count.
   *
   * @param wanted the state that the creator asks for
   * @param umask the permissions that the creator does not want new nodes to have
   */
  static NewNode of(Inode directory, NewNode wanted, int umask) {
    boolean passesGroup = (directory.mode() & FileMode.SET_GROUP_ID) != 0;
    int gid = passesGroup ? directory.gid() : wanted.gid();
    boolean isDirectory = FileMode.isDirectory(wanted.mode());
    int mode = wanted.mode() | (passesGroup && isDirectory ? FileMode.SET_GROUP_ID : 0);
    if ((mode & FileMode.TYPE) == FileMode.SYMBOLIC_LINK) {
      return with(wanted, mode, gid, wanted.extendedAttributes());
    }
    Optional<AccessControlList> list =
        Optional.ofNullable(directory.extendedAttributes().get(AclKind.DEFAULT.attribute()))
            .flatMap(AccessControlList::decode);
    if (list.isEmpty()) {
      return with(wanted, mode & ~umask, gid, wanted.extendedAttributes());
    }
    AccessControlList access = list.get().inherited(mode);
    Map<FileName, byte[]> attributes = new HashMap<>(wanted.extendedAttributes());
    if (!access.isEquivalentToMode()) {
      attributes.put(AclKind.ACCESS.attribute(), access.encode());
    }
    if (isDirectory) {
      attributes.put(AclKind.DEFAULT.attribute(), list.get().encode());
    }
    int permissions = (mode & ~AccessControlList.MODE_BITS) | access.permissions();
    return with(wanted, permissions, gid, attributes);
  }

  private static NewNode with(NewNode wanted, int mode, int gid, Map<FileName, byte[]> attributes) {
    return new NewNode(mode, wanted.uid(), gid, wanted.device(), wanted.target(), attributes);
  }
}
