package corfu.peers.load;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;

/** A load whose map is in its own memory. Changes fail if its argument is "fails". */
public final class FakeMap implements PeerMap {

  private final Map<String, String> map = new ConcurrentHashMap<>();
  private final boolean fails;

  private FakeMap(boolean fails) {
    this.fails = fails;
  }

  public static void main(String[] arguments) throws Exception {
    boolean fails = List.of(arguments).contains("fails");
    MapDriver.serve(
        () -> {
          System.out.println("a library that greets everybody");
          return name -> new FakeMap(fails);
        });
  }

  @Override
  public void put(String key, String value) {
    fastPut(key, value);
  }

  @Override
  public void fastPut(String key, String value) {
    if (fails) {
      throw new IllegalStateException("no room for " + key);
    }
    map.put(key, value);
  }

  @Override
  public String get(String key) {
    return Objects.requireNonNull(map.get(key), key);
  }

  @Override
  public void transact(List<String> read, List<String> changed, String value) {
    read.forEach(this::get);
    changed.forEach(key -> fastPut(key, value));
  }
}
