package corfu.zookeeper.differential;

import org.apache.jute.Record;
import org.jspecify.annotations.Nullable;

/**
 * A request of a program.
 *
 * @param text the operation and its arguments, for readers of a failure
 * @param operation the operation code
 * @param body makes the record after the header
 * @param isolated whether no other request may be in flight at the same time. The server answers
 *     these out of order, closes the connection, or checks requests after them too early.
 */
record Request(String text, int operation, Body body, boolean isolated) {

  /** Makes the record of a request when it is sent. */
  @FunctionalInterface
  interface Body {
    Record record(Context context);
  }

  /**
   * The values that are known only when a program runs.
   *
   * @param prefix the path of the program's own node
   * @param lastZxid the newest zxid that the session has seen
   */
  record Context(String prefix, long lastZxid) {

    /**
     * Returns the path with the program's own node in place of a tilde at its start, or null for
     * {@link Arguments#NULL_PATH}.
     */
    @Nullable String path(String symbolic) {
      if (symbolic.equals(Arguments.NULL_PATH)) {
        return null;
      }
      return symbolic.startsWith("~") ? prefix + symbolic.substring(1) : symbolic;
    }
  }

  @Override
  public String toString() {
    return text;
  }
}
