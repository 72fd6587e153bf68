package corfu.silver.internal.node;

import corfu.runtime.AsOf;
import corfu.silver.internal.inode.Inode;
import java.util.Optional;

/**
 * The state of a node, and how new it is.
 *
 * @param inode the state, or empty if the node does not exist
 * @param snapshot the log address below which the state includes every entry
 * @param asOf the time at which the snapshot was the log's tail
 */
public record Played(Optional<Inode> inode, long snapshot, AsOf asOf) {}
