import com.google.common.reflect.TypeToken;
import corfu.peers.load.MapDriver;
import corfu.peers.load.PeerMap;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.corfudb.common.compression.Codec;
import org.corfudb.runtime.CorfuRuntime;
import org.corfudb.runtime.CorfuRuntime.CorfuRuntimeParameters;
import org.corfudb.runtime.collections.CorfuTable;
import org.corfudb.runtime.exceptions.AbortCause;
import org.corfudb.runtime.exceptions.TransactionAbortedException;
import org.corfudb.util.NodeLocator;
import org.corfudb.util.serializer.Serializers;

/** A CorfuTable, in memory on the client, opened and called as in CorfuDB's own samples. */
final class MapCorfuDb implements PeerMap {

  /**
   * More entries than a turn writes: so a client plays its own entries without asking the server.
   */
  private static final long CACHED = 100_000;

  private final CorfuRuntime runtime;
  private final CorfuTable<String, String> table;

  private MapCorfuDb(CorfuRuntime runtime, String name) {
    this.runtime = runtime;
    this.table =
        runtime
            .getObjectsView()
            .build()
            .setStreamName(name)
            .setTypeToken(new TypeToken<CorfuTable<String, String>>() {})
            .setSerializer(Serializers.PRIMITIVE)
            .open();
  }

  public static void main(String[] server) throws Exception {
    MapDriver.serve(
        () -> {
          CorfuRuntime runtime = connect(NodeLocator.parseString(server[0]));
          return name -> new MapCorfuDb(runtime, name);
        });
  }

  private static CorfuRuntime connect(NodeLocator server) {
    var parameters = CorfuRuntimeParameters.builder();
    parameters.layoutServers(List.of(server));
    parameters.metricsEnabled(false);
    parameters.codecType(Codec.Type.NONE); // values do not compress
    parameters.maxCacheEntries(CACHED);
    // A client that meets an in-flight append sleeps for this long. CorfuDB accepts no shorter
    // time.
    parameters.holeFillRetryThreshold(Duration.ofMillis(1));
    return CorfuRuntime.fromParameters(parameters.build()).connect();
  }

  @Override
  public void put(String key, String value) {
    table.put(key, value);
  }

  @Override
  public void fastPut(String key, String value) {
    table.insert(key, value);
  }

  @Override
  public String get(String key) {
    return Objects.requireNonNull(table.get(key), key);
  }

  @Override
  public void transact(List<String> read, List<String> changed, String value) {
    while (!isCommitted(read, changed, value)) {
      // another transaction has changed a key that this one read
    }
  }

  private boolean isCommitted(List<String> read, List<String> changed, String value) {
    runtime.getObjectsView().TXBegin();
    try {
      read.forEach(this::get);
      changed.forEach(key -> fastPut(key, value));
      runtime.getObjectsView().TXEnd();
      return true;
    } catch (TransactionAbortedException aborted) {
      if (aborted.getAbortCause() != AbortCause.CONFLICT) {
        throw aborted;
      }
      return false;
    }
  }
}
