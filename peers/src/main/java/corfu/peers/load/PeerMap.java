package corfu.peers.load;

import java.util.List;

/**
 * A replicated map of one system, from strings to strings. Many threads use it concurrently, until
 * the process ends.
 */
public interface PeerMap {

  /** Changes a key, and reads its earlier value. */
  void put(String key, String value) throws Exception;

  /** Changes a key. Returns when the change is in the log. */
  void fastPut(String key, String value) throws Exception;

  /** Returns the value of an existing key. The read sees all changes that completed before it. */
  String get(String key) throws Exception;

  /** Reads and changes keys in one isolated transaction, and retries it until it commits. */
  void transact(List<String> read, List<String> changed, String value) throws Exception;

  /** Opens maps. */
  @FunctionalInterface
  interface Opener {

    /** Returns the map of this name; it is empty if it was never changed. */
    PeerMap open(String name) throws Exception;
  }
}
