/**
 * A cluster for the tests of clients: the servers' roles in this process, without agents and
 * leases, and transports that lose, count or hold requests.
 *
 * <p>Enter at {@link corfu.runtime.cluster.RoleCluster}. Other modules find this in the test-jar of
 * {@code runtime}.
 */
package corfu.runtime.cluster;
