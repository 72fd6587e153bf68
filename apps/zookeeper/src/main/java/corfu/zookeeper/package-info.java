/**
 * A service with the protocol and the promises of Apache ZooKeeper over the log (dissertation,
 * section 6.1). A namespace is a replicated state machine. Translation servers append the requests
 * of their clients to its stream, apply all requests in the order of the log, and answer reads from
 * memory. They keep nothing on disks of their own.
 */
@NullMarked
package corfu.zookeeper;

import org.jspecify.annotations.NullMarked;
