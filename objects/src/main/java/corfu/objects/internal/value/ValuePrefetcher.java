package corfu.objects.internal.value;

import corfu.objects.serial.LocatedValue;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Hands values on in their order, and has those among them that stay in the log fetched together.
 * For one thread.
 */
public final class ValuePrefetcher {

  private static final int MOST = 128;

  /** Less than a client's cache of entries has room for. */
  private static final long MOST_BYTES = 4 << 20;

  private final LogValues values;
  private final Consumer<@Nullable Object> next;
  private final List<@Nullable Object> waiting = new ArrayList<>();
  private final List<LocatedValue<?>> located = new ArrayList<>();
  private long bytes;

  public ValuePrefetcher(LogValues values, Consumer<@Nullable Object> next) {
    this.values = values;
    this.next = next;
  }

  public void accept(@Nullable Object value) {
    waiting.add(value);
    if (value instanceof LogValue<?> one) {
      located.add(one);
      bytes += one.length();
    }
    if (waiting.size() >= MOST || bytes >= MOST_BYTES) {
      flush();
    }
  }

  /** Hands on all that wait. */
  public void flush() {
    if (located.size() > 1) {
      values.prepare(located);
    }
    waiting.forEach(next);
    waiting.clear();
    located.clear();
    bytes = 0;
  }
}
