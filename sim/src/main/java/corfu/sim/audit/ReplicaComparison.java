package corfu.sim.audit;

import corfu.protocol.AddressSet;
import corfu.protocol.Endpoint;
import corfu.protocol.layout.Layout;
import corfu.protocol.message.LogUnitReply;
import corfu.protocol.message.LogUnitReply.ReadOutcome;
import corfu.protocol.message.LogUnitRequest;
import corfu.runtime.Corfu;
import corfu.sim.world.Violations;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * Reads every log unit of the newest layout. All replicas of an address must have the same contents
 * (I3), the sources of copies and the copies alike.
 */
public final class ReplicaComparison {

  private static final int PIECE = 100;
  private static final int PIECE_BYTES = 1 << 20;

  private final Violations findings;
  private final Inspection inspection;

  public ReplicaComparison(Violations findings, Inspection inspection) {
    this.findings = findings;
    this.inspection = inspection;
  }

  /** Compares everything below the tail. */
  public void compare(Corfu corfu, long tail) {
    for (long from = corfu.layout().segments().getFirst().start(); from < tail; from += PIECE) {
      long low = from;
      long high = Math.min(tail, from + PIECE);
      inspection.untilDone(corfu, layout -> compare(layout, low, high));
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
    readFromStreams(layout, held);
    held.forEach((address, outcomes) -> compare(layout, address, outcomes));
  }

  /** Reads the stream replicas too; the log's entries say which of them must have each entry. */
  private void readFromStreams(Layout layout, Map<Long, List<ReadOutcome>> held) {
    Map<Endpoint, List<Long>> addresses = new LinkedHashMap<>();
    held.forEach(
        (address, outcomes) ->
            outcomes.stream()
                .flatMap(outcome -> outcome.held().stream())
                .findFirst()
                .ifPresent(
                    entry ->
                        layout.path(entry).stream()
                            .filter(unit -> !layout.chainOf(address).replicas().contains(unit))
                            .forEach(
                                unit ->
                                    addresses
                                        .computeIfAbsent(unit, fresh -> new ArrayList<>())
                                        .add(address))));
    addresses.forEach((replica, all) -> read(layout, replica, all, held));
  }

  /**
   * Compares the replicas of one address. Some may be trimmed and others not, because a client may
   * have crashed while its trim went down the chain.
   */
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
      List<ReadOutcome> outcomes =
          inspection.ask(replica, request, LogUnitReply.Reads.class).outcomes();
      for (int i = 0; i < outcomes.size(); i++) {
        ReadOutcome outcome =
            outcomes.get(i); // whether the unit knows that the entry is complete does not matter
        held.getOrDefault(rest[i], List.of())
            .add(outcome.held().<ReadOutcome>map(ReadOutcome.Found::new).orElse(outcome));
      }
      done += outcomes.size();
    }
  }
}
