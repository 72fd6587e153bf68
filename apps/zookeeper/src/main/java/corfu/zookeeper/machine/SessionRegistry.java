package corfu.zookeeper.machine;

import java.util.Map;

/** The sessions of a namespace, for ZooKeeper's classes. */
public interface SessionRegistry {

  /** Whether a session lives. */
  boolean isSession(long session);

  /** Returns the timeouts of all sessions in milliseconds, by the sessions' ids. */
  Map<Long, Integer> sessionTimeouts();
}
