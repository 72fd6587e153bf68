package corfu.silver;

import corfu.fuse.protocol.FileName;
import java.util.Map;

/**
 * The first state of a node.
 *
 * @param mode its type and permissions, see {@link corfu.fuse.linux.FileMode}
 * @param uid the owner
 * @param gid the group
 * @param device the number of a device, otherwise 0
 * @param target the path of a symbolic link, otherwise empty
 * @param extendedAttributes the extended attributes that it has from the beginning
 */
@SuppressWarnings("ArrayRecordComponent") // compared by nobody
public record NewNode(
    int mode,
    int uid,
    int gid,
    int device,
    byte[] target,
    Map<FileName, byte[]> extendedAttributes) {

  private static final byte[] NO_TARGET = {};

  public NewNode {
    extendedAttributes = Map.copyOf(extendedAttributes);
  }

  /** Returns a node without a target and without extended attributes. */
  public static NewNode of(int mode, int uid, int gid) {
    return new NewNode(mode, uid, gid, 0, NO_TARGET, Map.of());
  }
}
