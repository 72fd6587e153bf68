package corfu.peers.load;

import java.util.List;

/**
 * A replicated map of one system, whose keys and values are strings. Used by many threads at the
 * same time, until the process ends.
 */
public interface MapUnderLoad {

  /** Changes a key, and learns what it held before. */
  void put(String key, String value) throws Exception;

  /** Changes a key; is back when the change is in the log. */
  void fastPut(String key, String value) throws Exception;

  /** What a key holds that is there; all changes are seen that were done before. */
  String get(String key) throws Exception;

  /**
   * Reads and changes keys as if nobody did anything meanwhile, and tries again for as long as
   * others win.
   */
  void transact(List<String> read, List<String> changed, String value) throws Exception;

  /** Makes them. */
  @FunctionalInterface
  interface Opener {

    /** The map of this name; empty if nobody has changed it. */
    MapUnderLoad open(String name) throws Exception;
  }
}
