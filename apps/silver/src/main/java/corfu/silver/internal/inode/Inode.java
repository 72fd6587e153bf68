package corfu.silver.internal.inode;

import corfu.fuse.linux.FileMode;
import corfu.fuse.protocol.FileName;
import corfu.silver.Hop;
import corfu.silver.NewNode;
import corfu.silver.NodeId;
import corfu.silver.internal.record.Stamp;
import java.util.List;
import java.util.Optional;
import org.pcollections.HashPMap;
import org.pcollections.HashTreePMap;

/**
 * The state of a node at one version. Immutable.
 *
 * @param mode its type and permissions
 * @param uid the owner
 * @param gid the group
 * @param device the number of a device, otherwise 0
 * @param links the number of names; of a directory 1, or 0 after its removal
 * @param times its times; of a file with a data stream, that may know a later change
 * @param extendedAttributes its extended attributes
 * @param place the directory that last named a node that is no directory; empty if none has
 * @param content what it holds
 * @param isRemoved whether it has lost its last name
 * @param forgottenBefore the log address below which the history of the file system with this root
 *     is given up; 0 for other nodes
 */
public record Inode(
    int mode,
    int uid,
    int gid,
    int device,
    int links,
    Times times,
    HashPMap<FileName, byte[]> extendedAttributes,
    Optional<NodeId> place,
    Content content,
    boolean isRemoved,
    long forgottenBefore) {

  /** The largest file whose bytes are in the stream of its attributes. */
  public static final int MAX_INLINE_BYTES = 4096;

  private static final Content.Inline NO_BYTES = new Content.Inline(new byte[0]);

  /** Returns a new node. */
  static Inode made(NodeId parent, NewNode state, int links, Stamp stamp, long address) {
    Content content =
        switch (state.mode() & FileMode.TYPE) {
          case FileMode.DIRECTORY -> new Content.Directory(DirectoryEntries.empty(), parent, 0);
          case FileMode.REGULAR -> NO_BYTES;
          case FileMode.SYMBOLIC_LINK -> new Content.Target(state.target());
          default -> Content.Special.SPECIAL;
        };
    return new Inode(
        state.mode(),
        state.uid(),
        state.gid(),
        state.device(),
        links,
        Times.born(stamp.time(), address),
        HashTreePMap.from(state.extendedAttributes()),
        Optional.empty(),
        content,
        false,
        0);
  }

  /** Returns whether the node is a directory. */
  public boolean isDirectory() {
    return FileMode.isDirectory(mode);
  }

  /** Returns whether the node is a regular file. */
  public boolean isRegular() {
    return FileMode.isRegular(mode);
  }

  /** Returns the directory above a directory, or the one that last named another node. */
  public Optional<NodeId> above() {
    return content instanceof Content.Directory directory ? Optional.of(directory.parent()) : place;
  }

  /** Returns the node as it is seen through a clone, which has no history of its own yet. */
  public Inode through(Hop hop) {
    List<Hop> further = List.of(hop);
    return content instanceof Content.Directory(DirectoryEntries entries, var parent, var count)
        ? with(new Content.Directory(entries.through(hop), parent.through(further), count))
            .withForgottenBefore(0)
        : withPlace(place.map(directory -> directory.through(further)));
  }

  Inode with(Content newContent) {
    return new Inode(
        mode,
        uid,
        gid,
        device,
        links,
        times,
        extendedAttributes,
        place,
        newContent,
        isRemoved,
        forgottenBefore);
  }

  Inode with(Times newTimes) {
    return new Inode(
        mode,
        uid,
        gid,
        device,
        links,
        newTimes,
        extendedAttributes,
        place,
        content,
        isRemoved,
        forgottenBefore);
  }

  Inode withPlace(Optional<NodeId> directory) {
    return new Inode(
        mode,
        uid,
        gid,
        device,
        links,
        times,
        extendedAttributes,
        directory,
        content,
        isRemoved,
        forgottenBefore);
  }

  Inode withLinks(int newLinks) {
    boolean isLast = links > 0 && newLinks == 0;
    return new Inode(
        mode,
        uid,
        gid,
        device,
        newLinks,
        times,
        extendedAttributes,
        place,
        content,
        newLinks == 0 && (isRemoved || isLast),
        forgottenBefore);
  }

  Inode withOwner(int newMode, int newUid, int newGid) {
    return new Inode(
        newMode,
        newUid,
        newGid,
        device,
        links,
        times,
        extendedAttributes,
        place,
        content,
        isRemoved,
        forgottenBefore);
  }

  Inode withExtendedAttributes(HashPMap<FileName, byte[]> attributes) {
    return new Inode(
        mode,
        uid,
        gid,
        device,
        links,
        times,
        attributes,
        place,
        content,
        isRemoved,
        forgottenBefore);
  }

  Inode withForgottenBefore(long address) {
    return new Inode(
        mode,
        uid,
        gid,
        device,
        links,
        times,
        extendedAttributes,
        place,
        content,
        isRemoved,
        address);
  }
}
