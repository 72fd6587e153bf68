package corfu.objects.internal.view;

import corfu.objects.record.Updates;
import corfu.protocol.Address;
import corfu.protocol.Epoch;
import corfu.protocol.StreamAddress;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Entries that this client has appended, by their places in the object's stream: the client need
 * not read them from the log. It reads entries from the log for which there is no room here.
 * Thread-safe.
 */
final class OwnEntries {

  private static final int MOST = 4096;

  private final ConcurrentSkipListMap<Long, Own> entries = new ConcurrentSkipListMap<>();
  private final AtomicInteger count = new AtomicInteger();

  /** An entry that is in the log, complete, at an address that this epoch issued. */
  record Own(StreamAddress at, Address address, Epoch epoch, Updates record) {}

  void add(Own entry) {
    if (count.get() < MOST && entries.put(entry.at().value(), entry) == null) {
      count.incrementAndGet();
    }
  }

  /** The one at this place; those before it are forgotten. */
  @Nullable Own takeFrom(StreamAddress at) {
    while (true) {
      var first = entries.firstEntry();
      if (first == null || first.getKey() > at.value()) {
        return null;
      }
      if (entries.remove(first.getKey()) != null) {
        count.decrementAndGet();
      }
      if (first.getKey() == at.value()) {
        return first.getValue();
      }
    }
  }
}
