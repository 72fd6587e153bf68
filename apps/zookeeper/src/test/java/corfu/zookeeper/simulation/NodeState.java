package corfu.zookeeper.simulation;

import java.util.List;

/**
 * A node after some change.
 *
 * @param data its data as text
 * @param children the names of its children, sorted
 */
record NodeState(
    String data,
    int version,
    int cversion,
    long created,
    long modified,
    long childrenModified,
    long owner,
    List<String> children) {}
