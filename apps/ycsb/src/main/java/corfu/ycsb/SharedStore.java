package corfu.ycsb;

import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuException;
import corfu.runtime.CorfuOptions;
import corfu.store.KeyValueStore;
import corfu.store.StoreOptions;
import corfu.transport.tls.TlsOptions;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A client of a store that all threads of this process share. YCSB creates a database object for
 * each thread and connects them in no way, so this class has static state.
 */
final class SharedStore {

  private static final Map<Name, SharedStore> OPEN = new HashMap<>(); // guarded by itself

  private static final int TRIES = 5;

  private final Name name;
  private final Corfu corfu;
  private final KeyValueStore store;
  private int users;

  private SharedStore(Name name, Corfu corfu, KeyValueStore store) {
    this.name = name;
    this.corfu = corfu;
    this.store = store;
  }

  /**
   * The name of a store and its cluster.
   *
   * @param servers as in {@code host:port,host:port}
   * @param store the store's name
   * @param tls the TLS of the connections to the servers
   */
  record Name(String servers, String store, TlsOptions tls) {}

  /**
   * Opens the store, or returns the open one.
   *
   * @throws IllegalArgumentException if a server is not {@code host:port}
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
    Corfu corfu = connect(CorfuOptions.of(servers).withTls(name.tls()));
    try {
      return new SharedStore(
          name, corfu, KeyValueStore.open(corfu, name.store(), StoreOptions.DEFAULT));
    } catch (RuntimeException failure) {
      corfu.close();
      throw failure;
    }
  }

  /** Connects with retries: a JVM that starts a hundred threads may miss its first timeout. */
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

  KeyValueStore store() {
    return store;
  }

  /** Leaves the store; the last thread closes it. */
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
