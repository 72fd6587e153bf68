package corfu.silver.internal.inode;

import corfu.fuse.protocol.FileName;
import corfu.silver.internal.record.Child;

/**
 * A name in a directory.
 *
 * @param name the name
 * @param child the node, as the directory knew it when it got the name
 * @param level the number of clones through which the directory was seen then; the node is seen
 *     through later ones, too
 */
public record DirectoryEntry(FileName name, Child child, int level) {}
