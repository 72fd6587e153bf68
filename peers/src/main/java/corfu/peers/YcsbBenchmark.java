package corfu.peers;

import corfu.peers.load.YcsbOrder;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Replication;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/**
 * Runs YCSB's workloads on Corfu's store and on other systems (dissertation, figure 5.11), in turns
 * and with the same durability. Each system is loaded by its own process with YCSB's own code.
 */
public final class YcsbBenchmark {

  private static final Duration PATIENCE = Duration.ofMinutes(3);

  /**
   * The length of the JIT warm-up in slices of the first workload: loading the records does not
   * warm up its code.
   */
  private static final int WARMUP_SLICES = 5;

  /** Ten fields of 100 bytes, YCSB's default. */
  private static final int RECORD_BYTES = 1000;

  private final YcsbSettings settings;
  private final ProgramCache workshop;
  private final PeerSystem ours;
  private final Consumer<PeerReport> reports;

  /**
   * Starts nothing yet.
   *
   * @param ours the system that the others are compared with
   * @param reports receives each report as soon as it is known
   */
  public YcsbBenchmark(
      YcsbSettings settings, ProgramCache workshop, PeerSystem ours, Consumer<PeerReport> reports) {
    this.settings = settings;
    this.workshop = workshop;
    this.ours = ours;
    this.reports = reports;
  }

  /**
   * Measures all requested systems. A system that can't be measured does not prevent the next one.
   */
  public void run(List<PeerSystem> peers) {
    var encounter = new PeerComparison(workshop, ours, reports);
    for (PeerSystem peer : peers) {
      if (settings.includes(peer.name())) {
        encounter.with(
            peer,
            arrangement ->
                arrangement.copies() == 1 && settings.modes().contains(arrangement.mode()),
            (arrangement, our, their) -> {
              var turns = new AlternatingRounds(our, their, settings.rounds(), PATIENCE);
              turns.prepare(order(YcsbOrder.LOAD, settings.slice()));
              Duration warmup = settings.slice().multipliedBy(WARMUP_SLICES);
              turns.prepare(order(settings.workloads().getFirst(), warmup));
              for (String letter : settings.workloads()) {
                String order = order(letter, settings.slice());
                turns.prepare(order); // warms up the JIT
                reports.accept(compared(peer, arrangement, letter, turns.compare(order)));
              }
            });
      }
    }
  }

  private String order(String workload, Duration time) {
    return new YcsbOrder(workload, time, settings.threads(), settings.records()).toLine();
  }

  private PeerReport compared(
      PeerSystem peer, Replication arrangement, String letter, AlternatingRounds.Seen seen) {
    return new PeerReport.Compared(
        peer.name(),
        arrangement,
        RECORD_BYTES,
        new PeerReport.Load.Workload(letter.toUpperCase(Locale.ROOT), settings.threads()),
        seen.ours(),
        seen.theirs());
  }
}
