package corfu.store.http;

import corfu.protocol.Address;
import corfu.store.KeyValueStore;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** The server's metrics. Thread-safe. */
final class StoreMetrics implements AutoCloseable {

  private final PrometheusMeterRegistry registry =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
  private final Counter rejected;

  StoreMetrics(
      KeyValueStore store, AtomicInteger active, MemoryBudget memory, Transfers transfers) {
    rejected =
        Counter.builder("corfu.store.requests.rejected")
            .description(
                "Requests that the server refused as busy: too many requests, or too little memory")
            .register(registry);
    Gauge.builder("corfu.store.requests.active", active, AtomicInteger::get)
        .description("Requests that the store executes now")
        .register(registry);
    Gauge.builder("corfu.store.memory.reserved", memory, MemoryBudget::reserved)
        .baseUnit("bytes")
        .description("Share of the requests' memory that is in use")
        .register(registry);
    FunctionCounter.builder("corfu.store.connections.cut", transfers, Transfers::cut)
        .description("Connections that the server closed because their clients were too slow")
        .register(registry);
    Gauge.builder("corfu.store.keys", store, one -> one.played().size())
        .description("Keys with a value, in the changes that this server has applied")
        .register(registry);
    Gauge.builder("corfu.store.played.address", store, StoreMetrics::played)
        .description("The log address up to which this server has applied changes")
        .register(registry);
  }

  private static double played(KeyValueStore store) {
    Address address = store.played().address();
    return address.value();
  }

  void served(String operation, int status, long nanos) {
    Timer.builder("corfu.store.requests")
        .description("Requests by operation and status")
        .tag("operation", operation)
        .tag("status", Integer.toString(status))
        .serviceLevelObjectives(
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(25),
            Duration.ofMillis(100),
            Duration.ofSeconds(1),
            Duration.ofSeconds(10))
        .register(registry)
        .record(Duration.ofNanos(nanos));
  }

  void rejected() {
    rejected.increment();
  }

  MeterRegistry registry() {
    return registry;
  }

  /** Returns the metrics in Prometheus's text format. */
  String text() {
    return registry.scrape();
  }

  @Override
  public void close() {
    registry.close();
  }
}
