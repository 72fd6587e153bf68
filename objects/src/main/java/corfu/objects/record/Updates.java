package corfu.objects.record;

import java.util.List;

/**
 * One change, or the changes of one transaction, possibly to several objects. Every record in the
 * log is decided: the log does not contain aborted transactions.
 *
 * @param call the call that made the changes
 * @param wallTimeMillis the time of the call in milliseconds, by the clock of the caller's machine;
 *     for people only
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
