package corfu.objects.composed;

import corfu.objects.composed.Directory.Place;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** How much this client has written to each bucket since somebody looked at it. Thread-safe. */
final class Fullness {

  private final int every;
  private final Map<Place, Integer> written = new ConcurrentHashMap<>();
  private volatile long generation;

  /**
   * @param every after how many entries a bucket is looked at
   */
  Fullness(int every) {
    this.every = every;
  }

  boolean isToBeLookedAt(Place place, int entries) {
    if (place.generation() != generation) {
      generation = place.generation();
      written.clear();
    }
    int so = written.merge(place, entries, Integer::sum);
    if (so < every) {
      return false;
    }
    written.put(place, 0);
    return true;
  }
}
