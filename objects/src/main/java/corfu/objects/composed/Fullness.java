package corfu.objects.composed;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How much this client has written to each part since somebody looked at it. Thread-safe. */
final class Fullness<P> {

  /** For more parts it begins anew, which only puts off when they are looked at. */
  private static final int MOST_PARTS = 1 << 16;

  private final int every;
  private final Map<P, Integer> written = new ConcurrentHashMap<>();

  /**
   * @param every after how many entries a part is looked at
   */
  Fullness(int every) {
    this.every = every;
  }

  boolean isToBeLookedAt(P part, int entries) {
    if (written.size() >= MOST_PARTS) {
      written.clear();
    }
    int so = written.merge(part, entries, Integer::sum);
    if (so < every) {
      return false;
    }
    written.put(part, 0);
    return true;
  }
}
