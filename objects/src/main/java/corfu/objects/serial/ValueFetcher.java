package corfu.objects.serial;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fetches values that are in the same log together. */
final class ValueFetcher {

  /** Values whose bytes are in memory at the same time. */
  private static final int TOGETHER = 64;

  private ValueFetcher() {}

  static <V> List<V> all(Collection<? extends InLog<V>> wanted) {
    Map<Integer, V> values = new LinkedHashMap<>();
    Map<LocatedValue.Source, Map<Integer, LocatedValue<V>>> bySource = new LinkedHashMap<>();
    int count = 0;
    for (InLog<V> each : wanted) {
      if (each instanceof LocatedValue<V> located) {
        bySource
            .computeIfAbsent(located.source(), source -> new LinkedHashMap<>())
            .put(count, located);
      } else {
        values.put(count, each.get());
      }
      count++;
    }
    bySource.forEach((source, located) -> fetch(source, located, values));
    List<V> all = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      V value = values.get(i);
      if (value == null) {
        throw new IllegalStateException("no value was fetched for number " + i);
      }
      all.add(value);
    }
    return all;
  }

  private static <V> void fetch(
      LocatedValue.Source source, Map<Integer, LocatedValue<V>> wanted, Map<Integer, V> values) {
    List<Integer> places = List.copyOf(wanted.keySet());
    List<LocatedValue<V>> located = List.copyOf(wanted.values());
    for (int low = 0; low < located.size(); low += TOGETHER) {
      int high = Math.min(located.size(), low + TOGETHER);
      List<ByteBuffer> bytes = source.bytes(List.copyOf(located.subList(low, high)));
      for (int i = low; i < high; i++) {
        values.put(places.get(i), located.get(i).valueOf(bytes.get(i - low)));
      }
    }
  }
}
