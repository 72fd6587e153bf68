/**
 * Translation servers and their clients in simulated clusters.
 *
 * <p>{@code NamespacePlay} runs a server in each client process of a simulation, and lets simulated
 * clients of ZooKeeper use them. {@code NamespaceHistory} records the state after each command. The
 * checks compare each reply and each watch event with it.
 */
@NullMarked
package corfu.zookeeper.simulation;

import org.jspecify.annotations.NullMarked;
