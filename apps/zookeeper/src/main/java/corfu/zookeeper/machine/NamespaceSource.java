package corfu.zookeeper.machine;

import java.io.IOException;
import java.util.Map;
import org.apache.zookeeper.server.DataTree;

/** The state of another system, with which a namespace begins. */
@FunctionalInterface
public interface NamespaceSource {

  /**
   * Fills a tree and the sessions, and sets the tree's last zxid.
   *
   * @param tree a tree with nothing but ZooKeeper's own nodes
   * @param sessions receives the timeouts of the sessions in milliseconds, by their ids
   * @return the wall clock of the last change in milliseconds, or 0 if it is unknown
   * @throws IOException if the state cannot be read
   */
  long fill(DataTree tree, Map<Long, Integer> sessions) throws IOException;
}
