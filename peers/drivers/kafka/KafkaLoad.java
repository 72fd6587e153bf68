import corfu.peers.load.LoadDriver;
import corfu.peers.load.PeerAppender;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.InvalidReplicationFactorException;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Sends records to a topic of one partition. */
final class KafkaLoad {

  private static final String TOPIC = "log";
  private static final int BATCH_BYTES = 1 << 18;
  private static final long PAUSE_MILLIS = 200;

  public static void main(String[] arguments) throws Exception {
    String servers = arguments[0];
    LoadDriver.serve(
        () -> {
          createTopic(servers, Short.parseShort(arguments[1]));
          return (payload, isLone) ->
              new Records(producer(servers, isLone), new ProducerRecord<>(TOPIC, payload));
        });
  }

  /**
   * Creates the topic, with retries: the controller learns of the other brokers only some time
   * after they listen.
   */
  private static void createTopic(String servers, short copies) throws Exception {
    try (var admin = Admin.create(Map.of("bootstrap.servers", servers))) {
      while (true) {
        try {
          admin.createTopics(List.of(new NewTopic(TOPIC, 1, copies))).all().get();
          return;
        } catch (ExecutionException e) {
          if (!(e.getCause() instanceof InvalidReplicationFactorException)) {
            throw e;
          }
          Thread.sleep(PAUSE_MILLIS);
        }
      }
    }
  }

  private static Producer<byte[], byte[]> producer(String servers, boolean isLone) {
    Map<String, Object> settings =
        Map.of(
            "bootstrap.servers",
            servers,
            "acks",
            "all",
            "batch.size",
            BATCH_BYTES,
            "linger.ms",
            isLone ? 0 : 1);
    return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
  }

  private record Records(Producer<byte[], byte[]> producer, ProducerRecord<byte[], byte[]> record)
      implements PeerAppender {

    @Override
    public CompletableFuture<?> start() {
      var sent = new CompletableFuture<Void>();
      producer.send(
          record,
          (metadata, failure) -> {
            if (failure == null) {
              sent.complete(null);
            } else {
              sent.completeExceptionally(failure);
            }
          });
      return sent;
    }
  }
}
