package corfu.zookeeper.subject;

import java.util.ArrayList;
import java.util.List;

/**
 * The settings of a subject.
 *
 * @param minSessionTimeoutMillis the shortest session timeout that the service grants
 * @param maxConnections the limit of connections from one address; 0 means no limit
 * @param containerCheckMillis the interval of the search for expired TTL nodes and empty containers
 * @param properties further system properties of ZooKeeper, each as {@code name=value}
 */
public record SubjectOptions(
    int minSessionTimeoutMillis,
    int maxConnections,
    int containerCheckMillis,
    List<String> properties) {

  /** The longest session timeout that a service grants, in milliseconds. */
  public static final int MAX_SESSION_TIMEOUT_MILLIS = 120_000;

  private static final int ONE_DAY_MILLIS = 24 * 3600 * 1000;

  /** Short session timeouts, no limit of connections, and no removal of containers in a test. */
  public static final SubjectOptions DEFAULT =
      new SubjectOptions(100, 0, ONE_DAY_MILLIS, List.of());

  /** Returns options with this limit of connections from one address. */
  public SubjectOptions withMaxConnections(int connections) {
    return new SubjectOptions(
        minSessionTimeoutMillis, connections, containerCheckMillis, properties);
  }

  /** Returns options with this interval of the search for nodes to remove. */
  public SubjectOptions withContainerCheckMillis(int millis) {
    return new SubjectOptions(minSessionTimeoutMillis, maxConnections, millis, properties);
  }

  /** Returns options with this system property of ZooKeeper added. */
  public SubjectOptions withProperty(String name, String value) {
    List<String> longer = new ArrayList<>(properties);
    longer.add(name + "=" + value);
    return new SubjectOptions(
        minSessionTimeoutMillis, maxConnections, containerCheckMillis, List.copyOf(longer));
  }
}
