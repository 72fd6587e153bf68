/**
 * Translation servers and their clients in simulated clusters. {@link
 * corfu.zookeeper.simulation.NamespacePlay} runs a server in each client process of a simulation,
 * and lets simulated clients of ZooKeeper use them. {@link
 * corfu.zookeeper.simulation.NamespaceHistory} records the state after each command; the checks
 * compare each reply and each watch event with it.
 */
@NullMarked
package corfu.zookeeper.simulation;

import org.jspecify.annotations.NullMarked;
