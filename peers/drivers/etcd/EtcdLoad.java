import corfu.peers.load.LoadDriver;
import corfu.peers.load.PeerAppender;
import io.etcd.jetcd.ByteSequence;
import io.etcd.jetcd.Client;
import io.etcd.jetcd.KV;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CompletableFuture;

/** Puts one key repeatedly: each put is an entry of etcd's log, and a new revision. */
final class EtcdLoad {

  private static final ByteSequence KEY = ByteSequence.from("log", StandardCharsets.UTF_8);

  public static void main(String[] servers) throws Exception {
    LoadDriver.serve(
        () -> {
          KV keys = Client.builder().endpoints(servers).build().getKVClient();
          return (payload, isLone) -> new Puts(keys, ByteSequence.from(payload));
        });
  }

  private record Puts(KV keys, ByteSequence value) implements PeerAppender {

    @Override
    public CompletableFuture<?> start() {
      return keys.put(KEY, value);
    }

    /**
     * Puts the key once more first, because a revision that is already compacted can't be compacted
     * again.
     */
    @Override
    public void rest() throws Exception {
      keys.compact(keys.put(KEY, value).get().getHeader().getRevision()).get();
    }
  }
}
