package corfu.peers;

import corfu.peers.load.MapOrder;
import corfu.peers.load.MapOrder.Call;
import corfu.peers.program.AbsentException;
import corfu.peers.program.ProgramCache;
import corfu.peers.system.PeerSystem;
import corfu.peers.system.Replication;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Compares Corfu's replicated map with those of other systems. Several threads of one client
 * process load each map, and the systems take turns. It measures changes, linearizable reads, and
 * transactions on few keys and on many.
 */
public final class MapsBenchmark {

  /** Filling a hundred thousand keys takes some systems minutes. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** The factor by which the large map has more keys: there transactions hardly ever conflict. */
  private static final int MANY = 100;

  private final MapsSettings settings;
  private final ProgramCache workshop;
  private final PeerSystem ours;
  private final Consumer<PeerReport> reports;

  /**
   * Starts nothing yet.
   *
   * @param ours the system that the others are compared with
   * @param reports receives each report as soon as it is known
   */
  public MapsBenchmark(
      MapsSettings settings, ProgramCache workshop, PeerSystem ours, Consumer<PeerReport> reports) {
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
            arrangement -> true,
            (arrangement, our, their) -> {
              var turns = new AlternatingRounds(our, their, settings.rounds(), PATIENCE);
              int few = settings.keys();
              turns.prepare(order(Call.FILL, few, Duration.ZERO));
              for (Call call : List.of(Call.PUT, Call.FAST_PUT, Call.GET, Call.TRANSACT)) {
                compare(turns, peer, arrangement, call, few);
              }
              turns.prepare(order(Call.FILL, few * MANY, Duration.ZERO));
              compare(turns, peer, arrangement, Call.TRANSACT, few * MANY);
            });
      }
    }
  }

  private void compare(
      AlternatingRounds turns, PeerSystem peer, Replication arrangement, Call call, int keys)
      throws AbsentException {
    turns.prepare(order(call, keys, settings.warmup()));
    AlternatingRounds.Seen seen = turns.compare(order(call, keys, settings.slice()));
    reports.accept(
        new PeerReport.Compared(
            peer.name(),
            arrangement,
            settings.valueBytes(),
            new PeerReport.Load.Calls(call, keys, settings.threads()),
            seen.ours(),
            seen.theirs()));
  }

  private String order(Call call, int keys, Duration time) {
    return new MapOrder(call, keys, settings.valueBytes(), settings.threads(), time).toLine();
  }
}
