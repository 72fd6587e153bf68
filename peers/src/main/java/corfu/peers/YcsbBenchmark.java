package corfu.peers;

import corfu.peers.load.YcsbOrder;
import corfu.peers.system.Arrangement;
import corfu.peers.system.Peer;
import corfu.peers.system.Workshop;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * YCSB's workloads on our store and on other systems (dissertation, figure 5.11), each loaded by a
 * process of its own with YCSB's own code, in turns, with as much durability.
 */
public final class YcsbBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * So many slices of the first workload are for compilers, which a load of records leaves cold.
   */
  private static final int WARMUP_SLICES = 5;

  /** Ten fields of 100 bytes, as YCSB has them. */
  private static final int RECORD_BYTES = 1000;

  private final YcsbSettings settings;
  private final Workshop workshop;
  private final Peer ours;
  private final Consumer<PeerReport> reports;

  /**
   * Nothing happens yet.
   *
   * @param ours what the others are compared with
   * @param reports is given each report as soon as it is known
   */
  public YcsbBenchmark(
      YcsbSettings settings, Workshop workshop, Peer ours, Consumer<PeerReport> reports) {
    this.settings = settings;
    this.workshop = workshop;
    this.ours = ours;
    this.reports = reports;
  }

  /** Measures all that are asked for; one that cannot be measured does not keep others from it. */
  public void run(List<Peer> peers) {
    var encounter = new Encounter(workshop, ours, reports);
    for (Peer peer : peers) {
      if (settings.includes(peer.name())) {
        encounter.with(
            peer,
            arrangement ->
                arrangement.copies() == 1 && settings.modes().contains(arrangement.mode()),
            (arrangement, our, their) -> {
              var turns = new Turns(our, their, settings.rounds(), PATIENCE);
              turns.prepare(order(YcsbOrder.LOAD, settings.slice()));
              Duration warmup = settings.slice().multipliedBy(WARMUP_SLICES);
              turns.prepare(order(settings.workloads().getFirst(), warmup));
              for (String letter : settings.workloads()) {
                String order = order(letter, settings.slice());
                turns.prepare(order); // for compilers
                reports.accept(compared(peer, arrangement, letter, turns.compare(order)));
              }
            });
      }
    }
  }

  private String order(String workload, Duration time) {
    return new YcsbOrder(workload, time, settings.threads(), settings.records()).toLine();
  }

  private PeerReport compared(Peer peer, Arrangement arrangement, String letter, Turns.Seen seen) {
    return new PeerReport.Compared(
        peer.name(),
        arrangement,
        RECORD_BYTES,
        new PeerReport.Load.Workload(letter.toUpperCase(Locale.ROOT), settings.threads()),
        seen.ours(),
        seen.theirs());
  }
}
