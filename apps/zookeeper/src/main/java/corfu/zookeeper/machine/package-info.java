/**
 * The state machine of a namespace: its tree, its sessions and its servers. {@link
 * corfu.zookeeper.machine.NamespaceMachine} applies the commands of the log. It validates requests
 * and changes the tree with ZooKeeper's own classes. A {@link
 * corfu.zookeeper.machine.NamespaceHost} receives what concerns its connections.
 */
@NullMarked
package corfu.zookeeper.machine;

import org.jspecify.annotations.NullMarked;
