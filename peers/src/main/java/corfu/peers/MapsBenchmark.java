package corfu.peers;

import corfu.peers.load.MapOrder;
import corfu.peers.load.MapOrder.Call;
import corfu.peers.system.AbsentException;
import corfu.peers.system.Arrangement;
import corfu.peers.system.Peer;
import corfu.peers.system.Workshop;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Our replicated map and those of other systems, each loaded by several threads of one client
 * process, in turns: changes, linearizable reads, and transactions of few keys and of many.
 */
public final class MapsBenchmark {

  /** A hundred thousand keys are not filled in a moment by everybody. */
  private static final Duration PATIENCE = Duration.ofMinutes(5);

  /** How many times as many keys: hardly two transactions meet. */
  private static final int MANY = 100;

  private final MapsSettings settings;
  private final Workshop workshop;
  private final Peer ours;
  private final Consumer<PeerReport> reports;

  /**
   * Nothing happens yet.
   *
   * @param ours what the others are compared with
   * @param reports is given each report as soon as it is known
   */
  public MapsBenchmark(
      MapsSettings settings, Workshop workshop, Peer ours, Consumer<PeerReport> reports) {
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
            arrangement -> true,
            (arrangement, our, their) -> {
              var turns = new Turns(our, their, settings.rounds(), PATIENCE);
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

  private void compare(Turns turns, Peer peer, Arrangement arrangement, Call call, int keys)
      throws AbsentException {
    turns.prepare(order(call, keys, settings.warmup()));
    Turns.Seen seen = turns.compare(order(call, keys, settings.slice()));
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
