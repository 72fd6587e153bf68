package corfu.objects.record;

import java.util.List;

/**
 * One change, or the changes of one transaction, which may be of several objects. Whatever is in
 * the log has been decided: a transaction that was aborted is not there.
 *
 * @param call who made it
 * @param wallTimeMillis when, as the caller's machine believed; for people only
 * @param updates at least one, in the order in which they were made
 */
public record Updates(CallId call, long wallTimeMillis, List<Update> updates)
    implements ObjectRecord {

  public Updates {
    updates = List.copyOf(updates);
    if (updates.isEmpty()) {
      throw new IllegalArgumentException("a record of updates has at least one");
    }
  }
}
