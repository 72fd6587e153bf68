package corfu.ycsb;

import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.store.Store;
import corfu.store.StoreOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client of a store that all threads of this process share: YCSB makes a data base for each of
 * its threads, and hands nothing from one to the other, so this is known to the whole process.
 */
final class SharedStore {

  private static final Map<Name, SharedStore> OPEN = new HashMap<>(); // under its own lock

  private static final int TRIES = 5;

  private final Name name;
  private final Corfu corfu;
  private final Store store;
  private int users;

  private SharedStore(Name name, Corfu corfu, Store store) {
    this.name = name;
    this.corfu = corfu;
    this.store = store;
  }

  /**
   * Which store.
   *
   * @param servers as in {@code host:port,host:port}
   */
  record Name(String servers, String store) {}

  /**
   * Opens it, unless somebody has.
   *
   * @throws IllegalArgumentException if a server is no {@code host:port}
   * @throws corfu.runtime.CorfuException if the cluster does not answer
   */
  static SharedStore open(Name name) {
    synchronized (OPEN) {
      SharedStore shared = OPEN.computeIfAbsent(name, SharedStore::connect);
      shared.users++;
      return shared;
    }
  }

  private static SharedStore connect(Name name) {
    List<Endpoint> servers =
        Arrays.stream(name.servers().split(",")).map(String::strip).map(Endpoint::parse).toList();
    Corfu corfu = connect(CorfuOptions.of(servers));
    try {
      return new SharedStore(name, corfu, Store.open(corfu, name.store(), StoreOptions.DEFAULT));
    } catch (RuntimeException failure) {
      corfu.close();
      throw failure;
    }
  }

  /** A JVM that has just started, with a hundred threads, may be late for its first answer. */
  private static Corfu connect(CorfuOptions options) {
    for (int i = 1; ; i++) {
      try {
        return Corfu.connect(options);
      } catch (CorfuException late) {
        if (i == TRIES) {
          throw late;
        }
      }
    }
  }

  Store store() {
    return store;
  }

  /** The last one closes it. */
  void leave() {
    synchronized (OPEN) {
      users--;
      if (users == 0) {
        OPEN.remove(name);
        try (corfu) {
          store.close();
        }
      }
    }
  }
}
