import corfu.peers.load.Appender;
import corfu.peers.load.LoadDriver;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Puts one key over and over: each put is an entry of its log, and a revision. */
final class EtcdLoad {

  private static final ByteSequence KEY = ByteSequence.from("log", StandardCharsets.UTF_8);

  public static void main(String[] servers) throws Exception {
    LoadDriver.serve(
        () -> {
          KV keys = Client.builder().endpoints(servers).build().getKVClient();
          return (payload, isLone) -> new Puts(keys, ByteSequence.from(payload));
        });
  }

  private record Puts(KV keys, ByteSequence value) implements Appender {

    @Override
    public CompletableFuture<?> start() {
      return keys.put(KEY, value);
    }

    /** A put of its own, for what was compacted last cannot be compacted again. */
    @Override
    public void rest() throws Exception {
      keys.compact(keys.put(KEY, value).get().getHeader().getRevision()).get();
    }
  }
}
