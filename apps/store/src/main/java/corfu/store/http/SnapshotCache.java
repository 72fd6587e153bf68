package corfu.store.http;

import corfu.protocol.Address;
import corfu.store.KeyValueStore;
import corfu.store.StoreSnapshot;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** A cache of snapshots that requests used lately. Thread-safe. */
final class SnapshotCache {

  private final ReentrantLock lock = new ReentrantLock();
  private final Map<Address, StoreSnapshot> kept;
  private final KeyValueStore store;

  SnapshotCache(KeyValueStore store, int most) {
    this.store = store;
    this.kept =
        new LinkedHashMap<>(most, 0.75f, true) {
          private static final long serialVersionUID = 1L;

          @Override
          protected boolean removeEldestEntry(Map.Entry<Address, StoreSnapshot> eldest) {
            return size() > most;
          }
        };
  }

  StoreSnapshot now() {
    StoreSnapshot now = store.snapshot();
    keep(now);
    return now;
  }

  /**
   * Returns the snapshot at an address. It creates one snapshot at a time, so that a second request
   * for the same one finds it.
   */
  StoreSnapshot at(Address address) {
    lock.lock();
    try {
      StoreSnapshot there = kept.get(address);
      if (there == null) {
        there = store.at(address);
        kept.put(address, there);
      }
      return there;
    } finally {
      lock.unlock();
    }
  }

  private void keep(StoreSnapshot snapshot) {
    lock.lock();
    try {
      kept.put(snapshot.address(), snapshot);
    } finally {
      lock.unlock();
    }
  }
}
