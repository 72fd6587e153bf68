package corfu.bench.object;

import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.objects.collection.ReplicatedMap;
import corfu.objects.type.ObjectType;
import corfu.runtime.Corfu;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;

/** A map of strings of one client, shared with other clients. Thread-safe. */
public final class SharedMap {

  private static final ObjectType<ReplicatedMap<String, String>> TYPE =
      ReplicatedMap.of(String.class, String.class);
  private static final int FILLERS = 256;

  private final ReplicatedObjects objects;
  private final ReplicatedMap<String, String> map;
  private final int keys;
  private final String value;
  private final RandomGenerator random;

  private SharedMap(
      ReplicatedObjects objects,
      ReplicatedMap<String, String> map,
      int keys,
      int valueBytes,
      RandomGenerator random) {
    this.objects = objects;
    this.map = map;
    this.keys = keys;
    this.value = "x".repeat(valueBytes);
    this.random = random;
  }

  /** Opens the map. Checkpoints are manual, because they are measured separately. */
  public static SharedMap open(Corfu corfu, String name, int keys, int valueBytes) {
    var options = ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL);
    var objects = ReplicatedObjects.over(corfu, options);
    RandomGenerator random = corfu.streamAccess().world().random();
    return new SharedMap(objects, objects.open(name, TYPE), keys, valueBytes, random);
  }

  ReplicatedObjects objects() {
    return objects;
  }

  public ReplicatedMap<String, String> map() {
    return map;
  }

  public String value() {
    return value;
  }

  public static String key(int index) {
    return "key-" + index;
  }

  /** Returns a random key, uniformly distributed. */
  public String anyKey() {
    return key(random.nextInt(keys));
  }

  /** Changes the keys one after the other, this many times in all. */
  public void fill(int updates) throws InterruptedException {
    var next = new AtomicInteger();
    List<Thread> fillers = new ArrayList<>();
    for (int i = 0; i < FILLERS; i++) {
      fillers.add(Thread.ofVirtual().start(() -> fill(next, updates)));
    }
    for (Thread filler : fillers) {
      filler.join();
    }
  }

  private void fill(AtomicInteger next, int updates) {
    int index = next.getAndIncrement();
    while (index < updates) {
      map.fastPut(key(index % keys), value);
      index = next.getAndIncrement();
    }
  }
}
