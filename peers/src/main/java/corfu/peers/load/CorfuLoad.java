package corfu.peers.load;

import corfu.protocol.Endpoint;
import corfu.runtime.Corfu;
import corfu.runtime.CorfuOptions;
import corfu.runtime.Log;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;

/** Appends to Corfu's log, as any application would. */
public final class CorfuLoad {

  private CorfuLoad() {}

  /** Runs the load; the arguments are the servers' endpoints. */
  public static void main(String[] servers) throws Exception {
    LoadDriver.serve(
        () -> {
          var endpoints = Arrays.stream(servers).map(Endpoint::parse).toList();
          Log log = Corfu.connect(CorfuOptions.of(endpoints)).log();
          return (payload, isLone) -> new ToLog(log, payload);
        });
  }

  private static final class ToLog implements PeerAppender {

    private final Log log;
    private final byte[] payload;

    ToLog(Log log, byte[] payload) {
      this.log = log;
      this.payload = payload;
    }

    @Override
    public CompletableFuture<?> start() {
      return log.appendAsync(ByteBuffer.wrap(payload));
    }

    @Override
    public void await() {
      log.append(payload);
    }

    @Override
    public void rest() {
      log.prefixTrim(log.tail());
    }
  }
}
