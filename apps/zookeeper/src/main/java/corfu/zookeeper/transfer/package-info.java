/**
 * Moves the data of Apache ZooKeeper to the log and back. {@link
 * corfu.zookeeper.transfer.NamespaceImport} reads the directory of an ensemble's server, and {@link
 * corfu.zookeeper.transfer.NamespaceExport} writes one.
 */
@NullMarked
package corfu.zookeeper.transfer;

import org.jspecify.annotations.NullMarked;
