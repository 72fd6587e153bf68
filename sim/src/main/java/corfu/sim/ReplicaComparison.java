package corfu.sim;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.protocol.message.Reply;
import corfu.runtime.Corfu;
import corfu.transport.Transport;
import corfu.transport.TransportException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;

/**
 * Looks into every unit that the newest layout names: all replicas of an address must hold the same
 * (I3), those that others were copied from and those that were copied.
 */
final class ReplicaComparison {

  private static final int PIECE = 100;
  private static final int PIECE_BYTES = 1 << 20;
  private static final long TIMEOUT_NANOS = TimeUnit.SECONDS.toNanos(2);

  /** An epoch may end meanwhile: then the layout is asked for again. */
  private static final int TRIES = 20;

  private static final Duration PAUSE = Duration.ofMillis(200);

  private final Findings findings;
  private final SimWorld world;
  private final Transport transport;

  ReplicaComparison(Findings findings, SimWorld world, Transport transport) {
    this.findings = findings;
    this.world = world;
    this.transport = transport;
  }

  /** Compares everything below the tail. */
  void compare(Corfu corfu, long tail) {
    for (long from = corfu.layout().segments().getFirst().start(); from < tail; from += PIECE) {
      compare(corfu, from, Math.min(tail, from + PIECE));
    }
  }

  private void compare(Corfu corfu, long from, long to) {
    String obstacle = "";
    for (int i = 0; i < TRIES; i++) {
      Layout layout = corfu.layout();
      try {
        compare(layout, from, to);
        return;
      } catch (TransportException | ObstacleException unanswered) {
        obstacle = String.valueOf(unanswered.getMessage());
      }
      world.pause(PAUSE);
      corfu.servers(); // learns of a newer layout
    }
    findings.broken("Progress", "the units cannot be looked into: %s", obstacle);
  }

  private static final class ObstacleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ObstacleException(String message) {
      super(message);
    }
  }

  private void compare(Layout layout, long from, long to) {
    Map<Endpoint, List<Long>> addresses = new LinkedHashMap<>();
    for (long address = from; address < to; address++) {
      for (Endpoint replica : layout.chainOf(address).replicas()) {
        addresses.computeIfAbsent(replica, r -> new ArrayList<>()).add(address);
      }
    }
    Map<Long, List<ReadOutcome>> held = new LinkedHashMap<>();
    LongStream.range(from, to).forEach(address -> held.put(address, new ArrayList<>()));
    addresses.forEach((replica, all) -> read(layout, replica, all, held));
    held.forEach((address, outcomes) -> compare(layout, address, outcomes));
  }

  /** A trim may have died on its way down a chain. */
  private void compare(Layout layout, long address, List<ReadOutcome> outcomes) {
    long values =
        outcomes.stream().filter(o -> !(o instanceof ReadOutcome.Trimmed)).distinct().count();
    if (values > 1 || outcomes.contains(ReadOutcome.Unwritten.UNWRITTEN)) {
      findings.broken(
          "I3, chains", "address %s of %s holds %s", address, layout.chainOf(address), outcomes);
    }
  }

  private void read(
      Layout layout, Endpoint replica, List<Long> addresses, Map<Long, List<ReadOutcome>> held) {
    int done = 0;
    while (done < addresses.size()) {
      long[] rest =
          addresses.subList(done, addresses.size()).stream().mapToLong(Long::longValue).toArray();
      var request =
          new LogUnitRequest.Read(layout.epoch(), new AddressSet.Listed(rest), PIECE_BYTES);
      Reply reply = transport.peer(replica).call(request, TIMEOUT_NANOS);
      if (!(reply instanceof LogUnitReply.Reads(List<ReadOutcome> outcomes))) {
        throw new ObstacleException(replica + " answered the auditor with " + reply);
      }
      for (int i = 0; i < outcomes.size(); i++) {
        held.getOrDefault(rest[i], List.of()).add(outcomes.get(i));
      }
      done += outcomes.size();
    }
  }
}
