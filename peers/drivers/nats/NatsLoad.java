import corfu.peers.load.LoadDriver;
import corfu.peers.load.PeerAppender;
import io.nats.client.Connection;
import io.nats.client.JetStream;
import io.nats.client.JetStreamApiException;
import io.nats.client.JetStreamManagement;
import io.nats.client.Nats;
import io.nats.client.Options;
import io.nats.client.api.StorageType;
import io.nats.client.api.StreamConfiguration;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/** Publishes to one stream. */
final class NatsLoad {

  private static final String STREAM = "log";
  private static final Duration PATIENCE = Duration.ofSeconds(30);
  private static final Duration ELECTION = Duration.ofSeconds(40);
  private static final long PAUSE_MILLIS = 200;

  public static void main(String[] arguments) throws Exception {
    LoadDriver.serve(
        () -> {
          Connection connection = connect(arguments[0]);
          var management = connection.jetStreamManagement();
          createStream(management, Integer.parseInt(arguments[1]));
          var stream = connection.jetStream();
          return (payload, isLone) -> new Publications(stream, management, payload);
        });
  }

  private static Connection connect(String servers) throws Exception {
    return Nats.connect(
        new Options.Builder().servers(servers.split(",")).connectionTimeout(PATIENCE).build());
  }

  /** Creates the stream, with retries: servers that have only just started have no leader yet. */
  private static void createStream(JetStreamManagement management, int copies) throws Exception {
    var settings =
        StreamConfiguration.builder()
            .name(STREAM)
            .subjects(STREAM)
            .storageType(StorageType.File)
            .replicas(copies)
            .build();
    long begin = System.nanoTime();
    while (true) {
      try {
        management.addStream(settings);
        return;
      } catch (JetStreamApiException | IOException e) {
        if (System.nanoTime() - begin > ELECTION.toNanos()) {
          throw e;
        }
        Thread.sleep(PAUSE_MILLIS);
      }
    }
  }

  private record Publications(JetStream stream, JetStreamManagement management, byte[] payload)
      implements PeerAppender {

    @Override
    public CompletableFuture<?> start() {
      return stream.publishAsync(STREAM, payload);
    }

    @Override
    public void await() throws Exception {
      stream.publish(STREAM, payload);
    }

    @Override
    public void rest() throws Exception {
      management.purgeStream(STREAM);
    }
  }
}
