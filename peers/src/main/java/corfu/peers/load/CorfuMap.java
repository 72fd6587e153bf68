package corfu.peers.load;

import corfu.objects.CheckpointPolicy;
import corfu.objects.ObjectOptions;
import corfu.objects.ReplicatedObjects;
import corfu.objects.TransactionOptions;
import corfu.objects.collection.ReplicatedMap;
import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;

/** Corfu's replicated map, used as any application would use it. */
public final class CorfuMap implements PeerMap {

  private static final TransactionOptions UNTIL_IT_IS_DONE =
      TransactionOptions.DEFAULT.withAttempts(Integer.MAX_VALUE);

  private final ReplicatedObjects objects;
  private final ReplicatedMap<String, String> map;

  private CorfuMap(ReplicatedObjects objects, String name) {
    this.objects = objects;
    this.map = objects.open(name, ReplicatedMap.of(String.class, String.class));
  }

  /** Runs the load; the arguments are the servers' endpoints. */
  public static void main(String[] servers) throws Exception {
    MapDriver.serve(
        () -> {
          var endpoints = Arrays.stream(servers).map(Endpoint::parse).toList();
          // Automatic checkpoints would add to the measured work; other systems write none unless
          // asked.
          var options = ObjectOptions.DEFAULT.withCheckpoints(CheckpointPolicy.MANUAL);
          var objects = ReplicatedObjects.over(Corfu.connect(CorfuOptions.of(endpoints)), options);
          return name -> new CorfuMap(objects, name);
        });
  }

  @Override
  public void put(String key, String value) {
    String unused = map.put(key, value);
  }

  @Override
  public void fastPut(String key, String value) {
    map.fastPut(key, value);
  }

  @Override
  public String get(String key) {
    return Objects.requireNonNull(map.get(key), key);
  }

  @Override
  public void transact(List<String> read, List<String> changed, String value) {
    objects.transact(
        UNTIL_IT_IS_DONE,
        () -> {
          for (String key : read) {
            String unused = get(key);
          }
          for (String key : changed) {
            fastPut(key, value);
          }
        });
  }
}
